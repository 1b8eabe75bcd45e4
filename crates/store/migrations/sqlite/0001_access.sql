-- Times are milliseconds since 1970, UTC. Lists are JSON texts. The same columns as in migrations/postgres.

CREATE TABLE plans (
    plan_id     TEXT   NOT NULL PRIMARY KEY,
    name        TEXT   NOT NULL,
    mcp_enabled BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TABLE brands (
    brand_id    TEXT NOT NULL PRIMARY KEY,
    name        TEXT NOT NULL,
    website     TEXT NOT NULL,
    plan_id     TEXT NOT NULL REFERENCES plans (plan_id),
    competitors TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX brands_by_plan ON brands (plan_id);

CREATE TABLE members (
    brand_id TEXT NOT NULL REFERENCES brands (brand_id),
    user_id  TEXT NOT NULL,
    role     TEXT NOT NULL,
    email    TEXT,
    name     TEXT,
    PRIMARY KEY (brand_id, user_id)
) WITHOUT ROWID;
CREATE INDEX members_by_user ON members (user_id);

-- The secret itself is not here: its SHA-256 is, and where it may be revealed, the secret sealed.
CREATE TABLE keys (
    key_id       TEXT   NOT NULL PRIMARY KEY,
    brand_id     TEXT   NOT NULL REFERENCES brands (brand_id),
    created_by   TEXT   NOT NULL,
    label        TEXT   NOT NULL,
    scope        TEXT   NOT NULL,
    prefix       TEXT   NOT NULL,
    digest       BLOB   NOT NULL UNIQUE,
    sealing_key  TEXT,
    sealed       BLOB,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    tools        TEXT
);
CREATE INDEX keys_by_brand ON keys (brand_id, created_at, key_id);

-- One row. Moves on with every change that may take access away, so that other processes notice.
CREATE TABLE access_version (
    only_row BIGINT NOT NULL PRIMARY KEY,
    version  BIGINT NOT NULL
);
INSERT INTO access_version (only_row, version) VALUES (1, 0);

CREATE TABLE activity (
    brand_id   TEXT   NOT NULL,
    at         BIGINT NOT NULL,
    event_id   TEXT   NOT NULL,
    kind       TEXT   NOT NULL,
    key_id     TEXT   NOT NULL,
    actor      TEXT   NOT NULL,
    tool       TEXT,
    outcome    TEXT   NOT NULL,
    reason     TEXT,
    latency_us BIGINT,
    PRIMARY KEY (brand_id, at, event_id)
) WITHOUT ROWID;
CREATE INDEX activity_by_key ON activity (brand_id, key_id, at, event_id);
CREATE INDEX activity_by_age ON activity (at);

-- Requests counted by day, key, tool ('' is the list), outcome and latency bucket.
CREATE TABLE usage_counts (
    brand_id TEXT   NOT NULL,
    day      TEXT   NOT NULL,
    key_id   TEXT   NOT NULL,
    tool     TEXT   NOT NULL,
    outcome  TEXT   NOT NULL,
    bucket   BIGINT NOT NULL,
    requests BIGINT NOT NULL,
    PRIMARY KEY (brand_id, day, key_id, tool, outcome, bucket)
) WITHOUT ROWID;

-- The fullest a key's window was in a minute.
CREATE TABLE peaks (
    brand_id TEXT   NOT NULL,
    key_id   TEXT   NOT NULL,
    minute   BIGINT NOT NULL,
    most     BIGINT NOT NULL,
    PRIMARY KEY (brand_id, key_id, minute)
) WITHOUT ROWID;

CREATE TABLE promises (
    brand_id        TEXT   NOT NULL,
    key_id          TEXT   NOT NULL,
    idempotency_key TEXT   NOT NULL,
    fingerprint     BLOB   NOT NULL,
    ticket          TEXT   NOT NULL,
    claimed_until   BIGINT NOT NULL,
    answer          TEXT,
    expires_at      BIGINT NOT NULL,
    PRIMARY KEY (brand_id, key_id, idempotency_key)
) WITHOUT ROWID;
CREATE INDEX promises_by_age ON promises (expires_at);
