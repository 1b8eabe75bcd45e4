-- The channel `feed` is no row: every brand has it from the start.
CREATE TABLE channels (
    brand_id    TEXT   NOT NULL REFERENCES brands (brand_id),
    channel_id  TEXT   NOT NULL,
    settings    TEXT   NOT NULL,
    sealing_key TEXT,
    sealed      BYTEA,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (brand_id, channel_id)
);

ALTER TABLE post_targets ADD COLUMN next_attempt_at BIGINT;

-- What is due is a job now. `post_targets.due_at` and its index stay for instances of the version before, which write and
-- read them; nobody else does, and a later version takes them away.
INSERT INTO jobs (job_id, brand_id, kind, subject, status, due_at, attempts, created_at)
SELECT 'job_' || post_id || '_' || channel, brand_id, 'publish', post_id || '/' || channel, 'waiting', due_at, 0, due_at
FROM post_targets WHERE status = 'scheduled' AND due_at IS NOT NULL;
