-- Counts the active keys of a brand without reading its revoked ones.
CREATE INDEX keys_active ON keys (brand_id, expires_at) WHERE revoked_at IS NULL;
