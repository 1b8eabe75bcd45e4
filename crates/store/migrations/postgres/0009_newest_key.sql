-- Keys are numbered in the order in which their creation was committed, so that whoever knows all keys up to a number
-- can ask for those behind it. Keys that were there before have no number of their own.
ALTER TABLE access_version ADD COLUMN newest_key BIGINT NOT NULL DEFAULT 0;
ALTER TABLE keys ADD COLUMN number BIGINT NOT NULL DEFAULT 0;
CREATE INDEX keys_by_number ON keys (number) WHERE number > 0;
