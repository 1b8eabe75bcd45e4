-- The secret that a key had before its last rotation. It works until `old_until`, unless it was ended before that.
ALTER TABLE keys ADD COLUMN old_digest BYTEA;
ALTER TABLE keys ADD COLUMN old_until BIGINT;
ALTER TABLE keys ADD COLUMN old_ended_at BIGINT;
ALTER TABLE keys ADD COLUMN old_last_used_at BIGINT;
-- The digest of the first secret of a rotated key. The rate limit window of the key is found by it.
ALTER TABLE keys ADD COLUMN window_digest BYTEA;
CREATE UNIQUE INDEX keys_by_old_digest ON keys (old_digest) WHERE old_digest IS NOT NULL;
