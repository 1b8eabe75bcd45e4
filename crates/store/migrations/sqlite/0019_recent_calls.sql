-- What a call created, by the fingerprint of its arguments, so that an equal call can name the earlier one.
CREATE TABLE recent_calls (
    brand_id    TEXT   NOT NULL,
    fingerprint BLOB   NOT NULL,
    record_id   TEXT   NOT NULL,
    called_at   BIGINT NOT NULL,
    PRIMARY KEY (brand_id, fingerprint)
) WITHOUT ROWID;
CREATE INDEX recent_calls_by_age ON recent_calls (called_at);
