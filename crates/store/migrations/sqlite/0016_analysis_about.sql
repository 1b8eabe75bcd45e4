-- What a list of analyses shows of a request: its URL or the start of its text. The list does not read the texts. NULL: an
-- older version added the row.
ALTER TABLE analyses ADD COLUMN about TEXT;
