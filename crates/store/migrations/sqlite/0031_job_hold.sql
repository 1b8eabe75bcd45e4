-- A row while all jobs are held: no worker begins one. Its cause is `operator` or `restore`.
CREATE TABLE job_hold (
    only_row  BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
    since     BIGINT NOT NULL,
    cause     TEXT   NOT NULL,
    -- When the backup was made that was restored.
    backup_at BIGINT
);
