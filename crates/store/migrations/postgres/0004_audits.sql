CREATE TABLE audits (
    brand_id       TEXT   NOT NULL REFERENCES brands (brand_id),
    audit_id       TEXT   NOT NULL,
    start_url      TEXT   NOT NULL,
    plan           TEXT   NOT NULL,
    status         TEXT   NOT NULL,
    progress       TEXT,
    summary        TEXT,
    failure        TEXT,
    created_at     BIGINT NOT NULL,
    created_by_key TEXT   NOT NULL,
    finished_at    BIGINT,
    PRIMARY KEY (brand_id, audit_id)
);
CREATE INDEX audits_by_age ON audits (brand_id, created_at, audit_id);

-- Pages of a crawl that has not ended, so that one which is cut off goes on where it was.
CREATE TABLE audit_pages (
    brand_id TEXT NOT NULL,
    audit_id TEXT NOT NULL,
    url      TEXT NOT NULL,
    page     TEXT NOT NULL,
    PRIMARY KEY (brand_id, audit_id, url)
);

-- `identity` names the same fault in every audit that finds it.
CREATE TABLE audit_issues (
    brand_id TEXT   NOT NULL,
    audit_id TEXT   NOT NULL,
    position BIGINT NOT NULL,
    code     TEXT   NOT NULL,
    severity TEXT   NOT NULL,
    url      TEXT   NOT NULL,
    identity TEXT   NOT NULL,
    evidence TEXT   NOT NULL,
    PRIMARY KEY (brand_id, audit_id, position)
);
CREATE INDEX audit_issues_by_identity ON audit_issues (brand_id, audit_id, identity);

-- What pages said when they were last crawled: the brand's own and its competitors'.
CREATE TABLE page_texts (
    brand_id   TEXT   NOT NULL REFERENCES brands (brand_id),
    site       TEXT   NOT NULL,
    position   BIGINT NOT NULL,
    url        TEXT   NOT NULL,
    title      TEXT,
    text       TEXT   NOT NULL,
    is_own     BIGINT NOT NULL,
    fetched_at BIGINT NOT NULL,
    PRIMARY KEY (brand_id, site, position)
);

CREATE TABLE analyses (
    brand_id       TEXT   NOT NULL REFERENCES brands (brand_id),
    analysis_id    TEXT   NOT NULL,
    kind           TEXT   NOT NULL,
    request        TEXT   NOT NULL,
    status         TEXT   NOT NULL,
    result         TEXT,
    failure        TEXT,
    created_at     BIGINT NOT NULL,
    created_by_key TEXT   NOT NULL,
    finished_at    BIGINT,
    PRIMARY KEY (brand_id, analysis_id)
);
CREATE INDEX analyses_by_age ON analyses (brand_id, created_at, analysis_id);
