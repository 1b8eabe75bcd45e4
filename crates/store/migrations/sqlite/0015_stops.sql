-- A paused key is refused until somebody resumes it. `pause_reason`: `requested` or `owner_removed`.
ALTER TABLE keys ADD COLUMN paused_at BIGINT;
ALTER TABLE keys ADD COLUMN paused_by TEXT;
ALTER TABLE keys ADD COLUMN pause_reason TEXT;
