-- Why the key was revoked: `requested` or `leaked`. NULL: it is not revoked, or an older version revoked it on request.
ALTER TABLE keys ADD COLUMN revoked_reason TEXT;
-- The last notice that the key expires soon: how many days before (14, 3 or 1), and before which time. A key that gets
-- another expiry starts anew.
ALTER TABLE keys ADD COLUMN expiry_notice_days BIGINT;
ALTER TABLE keys ADD COLUMN expiry_notice_for BIGINT;
CREATE INDEX keys_by_expiry ON keys (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;

-- The key that the mail is about, and what the mail says, as JSON. Only for mails about keys.
ALTER TABLE report_emails ADD COLUMN key_id TEXT;
ALTER TABLE report_emails ADD COLUMN key_notice TEXT;
