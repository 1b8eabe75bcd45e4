-- Receipts of erased brands and users. The row of a brand also keeps its id from being used again.
CREATE TABLE erasures (
    receipt_id      TEXT   NOT NULL PRIMARY KEY,
    kind            TEXT   NOT NULL,
    subject         TEXT   NOT NULL,
    requested_at    BIGINT NOT NULL,
    requested_by    TEXT   NOT NULL,
    -- All rows were deleted once. They are searched again a while later, because other instances may have written some.
    rows_deleted_at BIGINT,
    finished_at     BIGINT,
    deleted_rows    BIGINT NOT NULL
);
CREATE UNIQUE INDEX erased_brands ON erasures (subject) WHERE kind = 'brand';
CREATE INDEX erasures_open ON erasures (requested_at) WHERE finished_at IS NULL;
CREATE INDEX erasures_by_age ON erasures (requested_at, receipt_id);
