-- A primary subtag of BCP 47, such as `de`.
ALTER TABLE brands ADD COLUMN language TEXT;
-- A name of the IANA database.
ALTER TABLE brands ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';

-- Audits and reports that repeat. `on_day`: 1 (Monday) to 7, or the day of the month. `at_minute`: minutes since midnight in
-- the brand's time zone. `key_id` is empty if a person made it. Each schedule has one open job.
CREATE TABLE schedules (
    brand_id TEXT NOT NULL REFERENCES brands (brand_id),
    schedule_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    every TEXT NOT NULL,
    on_day BIGINT NOT NULL,
    at_minute BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    key_id TEXT NOT NULL,
    last_run_at BIGINT,
    last_id TEXT,
    last_failure TEXT,
    PRIMARY KEY (brand_id, schedule_id)
) WITHOUT ROWID;
