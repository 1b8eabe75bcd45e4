-- When a job of this kind was last taken for a brand: brands take turns.
CREATE TABLE job_turns (
    brand_id TEXT   NOT NULL REFERENCES brands (brand_id),
    kind     TEXT   NOT NULL,
    taken_at BIGINT NOT NULL,
    PRIMARY KEY (brand_id, kind)
);
CREATE INDEX jobs_due ON jobs (kind, due_at) WHERE status IN ('waiting', 'running');
CREATE INDEX jobs_by_brand ON jobs (kind, brand_id, due_at) WHERE status IN ('waiting', 'running');
CREATE INDEX jobs_running ON jobs (brand_id, kind) WHERE status = 'running';
CREATE INDEX audits_open ON audits (brand_id, created_at) WHERE status IN ('queued', 'running');
CREATE INDEX analyses_open ON analyses (brand_id, kind) WHERE status IN ('queued', 'running');
