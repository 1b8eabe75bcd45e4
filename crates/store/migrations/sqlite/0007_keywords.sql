-- Lists that keyword tools exported. The same file again takes the place of the one before.
CREATE TABLE keyword_imports (
    brand_id    TEXT   NOT NULL REFERENCES brands (brand_id),
    import_id   TEXT   NOT NULL,
    digest      BLOB   NOT NULL,
    tool        TEXT   NOT NULL,
    row_count   BIGINT NOT NULL,
    skipped     BIGINT NOT NULL,
    imported_at BIGINT NOT NULL,
    imported_by TEXT   NOT NULL,
    PRIMARY KEY (brand_id, import_id),
    UNIQUE (brand_id, digest)
);

-- `folded` is the keyword as it is looked for, `demand` how much it is asked for (-1: unknown), `keyword` all of it as JSON.
CREATE TABLE keyword_rows (
    brand_id  TEXT   NOT NULL,
    import_id TEXT   NOT NULL,
    position  BIGINT NOT NULL,
    folded    TEXT   NOT NULL,
    demand    BIGINT NOT NULL,
    keyword   TEXT   NOT NULL,
    PRIMARY KEY (brand_id, import_id, position)
);

CREATE TABLE keyword_searches (
    brand_id       TEXT   NOT NULL REFERENCES brands (brand_id),
    search_id      TEXT   NOT NULL,
    created_at     BIGINT NOT NULL,
    created_by_key TEXT   NOT NULL,
    request        TEXT   NOT NULL,
    summary        TEXT   NOT NULL,
    keywords       TEXT   NOT NULL,
    PRIMARY KEY (brand_id, search_id)
);
CREATE INDEX keyword_searches_by_age ON keyword_searches (brand_id, created_at, search_id);
