-- Whether the token had the operator role. Its code and its session then have it too.
ALTER TABLE sign_in_codes ADD COLUMN operator BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN operator BIGINT NOT NULL DEFAULT 0;
