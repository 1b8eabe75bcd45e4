CREATE TABLE posts (
    brand_id       TEXT   NOT NULL REFERENCES brands (brand_id),
    post_id        TEXT   NOT NULL,
    text           TEXT   NOT NULL,
    title          TEXT,
    link           TEXT,
    media          TEXT   NOT NULL,
    created_at     BIGINT NOT NULL,
    created_by_key TEXT   NOT NULL,
    scheduled_at   BIGINT,
    PRIMARY KEY (brand_id, post_id)
);
CREATE INDEX posts_by_age ON posts (brand_id, created_at, post_id);

CREATE TABLE post_targets (
    brand_id     TEXT   NOT NULL,
    post_id      TEXT   NOT NULL,
    channel      TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    url          TEXT,
    error        TEXT,
    attempts     BIGINT NOT NULL,
    due_at       BIGINT,
    published_at BIGINT,
    PRIMARY KEY (brand_id, post_id, channel),
    FOREIGN KEY (brand_id, post_id) REFERENCES posts (brand_id, post_id)
);
CREATE INDEX post_targets_due ON post_targets (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX post_targets_published ON post_targets (brand_id, channel, published_at, post_id) WHERE published_at IS NOT NULL;
