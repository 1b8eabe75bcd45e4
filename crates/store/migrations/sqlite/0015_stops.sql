-- A paused key is refused until somebody resumes it. `pause_reason`: `requested` or `owner_removed`.
ALTER TABLE keys ADD COLUMN paused_at BIGINT;
ALTER TABLE keys ADD COLUMN paused_by TEXT;
ALTER TABLE keys ADD COLUMN pause_reason TEXT;
-- Whether the work that the key had queued goes on after its revoke.
ALTER TABLE keys ADD COLUMN keeps_queued_work BIGINT NOT NULL DEFAULT 0;

-- The key that ordered the job. Empty: a person did. NULL: an older version added the job. What it works on says who
-- ordered it, and the service fills this in when it needs it.
ALTER TABLE jobs ADD COLUMN key_id TEXT;
-- When the job was due for the first time. Set when it is first taken.
ALTER TABLE jobs ADD COLUMN first_due_at BIGINT;
-- When the worker that has the job began to send something. NULL: it has not.
ALTER TABLE jobs ADD COLUMN begun_at BIGINT;
-- Since when the job waits because its key may not act for now.
ALTER TABLE jobs ADD COLUMN held_at BIGINT;
CREATE INDEX jobs_by_key ON jobs (brand_id, key_id) WHERE status IN ('waiting', 'running');
