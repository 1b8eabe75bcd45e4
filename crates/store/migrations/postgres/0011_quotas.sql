-- The limits that the plan sets itself, as a JSON object. NULL: all defaults.
ALTER TABLE plans ADD COLUMN quotas TEXT;

-- How much a brand has used of each daily quota. Deleting what was counted frees nothing.
CREATE TABLE quota_counts (
    brand_id TEXT   NOT NULL REFERENCES brands (brand_id),
    quota    TEXT   NOT NULL,
    day      TEXT   NOT NULL,
    used     BIGINT NOT NULL,
    PRIMARY KEY (brand_id, quota, day)
);

CREATE INDEX post_targets_draft ON post_targets (brand_id, post_id) WHERE status = 'draft';
CREATE INDEX post_targets_queued ON post_targets (brand_id) WHERE status IN ('scheduled', 'publishing');
