-- What a list of analyses shows of a request: its URL or the start of its text. The list does not read the texts.
ALTER TABLE analyses ADD COLUMN about TEXT;
UPDATE analyses SET about = COALESCE(json_extract(request, '$.url'), substr(json_extract(request, '$.text'), 1, 80));
