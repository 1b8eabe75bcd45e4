-- While a brand is suspended, its keys are refused, its work is held and its feed is closed. NULL: it is not suspended.
ALTER TABLE brands ADD COLUMN suspended_at BIGINT;
ALTER TABLE brands ADD COLUMN suspended_by TEXT;
ALTER TABLE brands ADD COLUMN suspension_reason TEXT;

-- The operator searches by the beginning of these, in lower case. They are compared byte by byte, so that an index finds
-- the beginning of a text.
ALTER TABLE brands ADD COLUMN search_id TEXT GENERATED ALWAYS AS (lower(brand_id)) VIRTUAL;
ALTER TABLE brands ADD COLUMN search_name TEXT GENERATED ALWAYS AS (lower(name)) VIRTUAL;
ALTER TABLE members ADD COLUMN search_id TEXT GENERATED ALWAYS AS (lower(user_id)) VIRTUAL;
ALTER TABLE members ADD COLUMN search_email TEXT GENERATED ALWAYS AS (lower(email)) VIRTUAL;

CREATE INDEX brands_by_search_id ON brands (search_id, brand_id);
CREATE INDEX brands_by_search_name ON brands (search_name, brand_id);
CREATE INDEX brands_on_plan ON brands (plan_id, search_id, brand_id);
CREATE INDEX brands_suspended ON brands (search_id, brand_id) WHERE suspended_at IS NOT NULL;
CREATE INDEX members_by_search_id ON members (search_id, user_id);
CREATE INDEX members_by_search_email ON members (search_email, user_id) WHERE search_email IS NOT NULL;
CREATE INDEX keys_by_prefix ON keys (prefix, key_id);
CREATE INDEX keys_by_user ON keys (created_by, created_at, key_id);
CREATE INDEX keys_newest ON keys (created_at, key_id);
CREATE INDEX keys_paused ON keys (created_at, key_id) WHERE paused_at IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX keys_with_expiry ON keys (created_at, key_id) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX keys_revoked ON keys (created_at, key_id) WHERE revoked_at IS NOT NULL;
CREATE INDEX jobs_newest ON jobs (created_at, job_id);
CREATE INDEX jobs_by_status ON jobs (status, created_at, job_id);
CREATE INDEX jobs_of_brand ON jobs (brand_id, created_at, job_id);
CREATE INDEX approvals_newest ON approvals (requested_at, approval_id);
CREATE INDEX approvals_by_status ON approvals (status, requested_at, approval_id);
