-- A job is taken when `due_at` has passed. While a worker has it, that is the end of the worker's lease.
CREATE TABLE jobs (
    job_id     TEXT   NOT NULL PRIMARY KEY,
    brand_id   TEXT   NOT NULL REFERENCES brands (brand_id),
    kind       TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    lane       TEXT,
    status     TEXT   NOT NULL,
    due_at     BIGINT NOT NULL,
    attempts   BIGINT NOT NULL,
    lease      TEXT,
    reason     TEXT,
    created_at BIGINT NOT NULL,
    ended_at   BIGINT
);
CREATE INDEX jobs_open ON jobs (due_at) WHERE status IN ('waiting', 'running');
CREATE UNIQUE INDEX jobs_in_lane ON jobs (lane) WHERE status = 'running';
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
