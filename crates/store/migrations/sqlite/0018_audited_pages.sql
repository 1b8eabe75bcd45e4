-- The URLs that an audit visited, and what it knows of them. `ease_tenths` is the reading ease times ten. An audit of an
-- older version has no rows.
CREATE TABLE audited_pages (
    brand_id    TEXT   NOT NULL,
    audit_id    TEXT   NOT NULL,
    position    BIGINT NOT NULL,
    url         TEXT   NOT NULL,
    status      BIGINT,
    failure     TEXT,
    redirect_to TEXT,
    title       TEXT,
    title_lower TEXT,
    words       BIGINT,
    language    TEXT,
    ease_tenths BIGINT,
    issues      BIGINT NOT NULL,
    errors      BIGINT NOT NULL,
    PRIMARY KEY (brand_id, audit_id, position)
);

-- What to fix, by importance. NULL: the audit is not done, or an older version made it.
ALTER TABLE audits ADD COLUMN fixes TEXT;
