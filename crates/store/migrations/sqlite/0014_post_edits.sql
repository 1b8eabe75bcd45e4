-- Counts the changes of a post by agents and people, so that a change of another one is noticed.
ALTER TABLE posts ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
-- What the network needs to delete the post again, and when that was asked for.
ALTER TABLE post_targets ADD COLUMN remote_uri TEXT;
ALTER TABLE post_targets ADD COLUMN withdraw_requested_at BIGINT;
-- The post that a person changed.
ALTER TABLE activity ADD COLUMN post_id TEXT;
