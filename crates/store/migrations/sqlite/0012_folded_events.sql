-- Denied requests of one key in one minute for one reason are one row with their number.
ALTER TABLE activity ADD COLUMN count BIGINT NOT NULL DEFAULT 1;
ALTER TABLE activity ADD COLUMN folded_minute BIGINT;
CREATE UNIQUE INDEX activity_folded ON activity (brand_id, key_id, folded_minute, kind, reason)
    WHERE folded_minute IS NOT NULL;

-- Allowed requests of a brand that have no event of their own, because there were too many at a time.
CREATE TABLE events_left_out (
    brand_id TEXT   NOT NULL,
    minute   BIGINT NOT NULL,
    requests BIGINT NOT NULL,
    PRIMARY KEY (brand_id, minute)
) WITHOUT ROWID;
