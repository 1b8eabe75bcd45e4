-- What a list of analyses shows of a request: its URL or the start of its text. The list does not read the texts.
-- PostgreSQL cannot read the text of a request that has an escaped NUL: it keeps NULL.
ALTER TABLE analyses ADD COLUMN about TEXT;
UPDATE analyses SET about = COALESCE(request::json ->> 'url', left(request::json ->> 'text', 80))
    WHERE position('\u0000' IN request) = 0;
