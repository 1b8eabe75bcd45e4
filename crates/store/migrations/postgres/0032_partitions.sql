-- contract: the unique index of folded denials goes. No release has written them; the service now folds under the lock of the
-- key's peak, because a unique index of a partitioned table must contain the time.
--
-- Activity is partitioned by week and daily usage by month, so that pruning drops a table instead of deleting rows, and the
-- indexes that an insert touches stay small. `store/partitions.rs` adds and drops partitions. Rows outside of them go
-- into the default partition.
--
-- The rows that are there become one partition that ends with this week or month. They are not copied.

ALTER TABLE activity RENAME TO activity_before;
ALTER INDEX activity_pkey RENAME TO activity_before_pkey;
ALTER INDEX activity_by_key RENAME TO activity_before_by_key;
ALTER INDEX activity_by_age RENAME TO activity_before_by_age;
DROP INDEX activity_folded;

CREATE TABLE activity (LIKE activity_before INCLUDING DEFAULTS) PARTITION BY RANGE (at);
ALTER TABLE activity ADD PRIMARY KEY (brand_id, at, event_id);
CREATE INDEX activity_by_key ON activity (brand_id, key_id, at, event_id);
CREATE INDEX activity_by_age ON activity (at);
CREATE INDEX activity_folded ON activity (brand_id, key_id, folded_minute, kind, reason)
    WHERE folded_minute IS NOT NULL;
CREATE TABLE activity_default PARTITION OF activity DEFAULT;

ALTER TABLE usage_counts RENAME TO usage_counts_before;
ALTER INDEX usage_counts_pkey RENAME TO usage_counts_before_pkey;
CREATE TABLE usage_counts (LIKE usage_counts_before INCLUDING DEFAULTS) PARTITION BY RANGE (day);
ALTER TABLE usage_counts ADD PRIMARY KEY (brand_id, day, key_id, tool, outcome, bucket);
CREATE TABLE usage_counts_default PARTITION OF usage_counts DEFAULT;

DO $$
DECLARE
    week CONSTANT BIGINT := 7 * 86400000;
    next_week BIGINT := (floor(extract(epoch FROM now()) * 1000 / week) + 1) * week;
    next_month TEXT := to_char((now() AT TIME ZONE 'UTC') + INTERVAL '1 month', 'YYYY-MM-01');
    name TEXT;
BEGIN
    IF EXISTS (SELECT 1 FROM activity_before) THEN
        -- The clock of a writer may have been ahead.
        WITH moved AS (DELETE FROM activity_before WHERE at >= next_week RETURNING *)
            INSERT INTO activity_default SELECT * FROM moved;
        name := to_char(to_timestamp(next_week / 1000) AT TIME ZONE 'UTC', '"activity_before_"YYYY_MM_DD');
        EXECUTE format('ALTER TABLE activity_before RENAME TO %I', name);
        EXECUTE format('ALTER TABLE activity ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', name, next_week);
    ELSE
        DROP TABLE activity_before;
    END IF;
    IF EXISTS (SELECT 1 FROM usage_counts_before) THEN
        WITH moved AS (DELETE FROM usage_counts_before WHERE day >= next_month RETURNING *)
            INSERT INTO usage_counts_default SELECT * FROM moved;
        name := 'usage_counts_before_' || replace(next_month, '-', '_');
        EXECUTE format('ALTER TABLE usage_counts_before RENAME TO %I', name);
        EXECUTE format('ALTER TABLE usage_counts ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', name, next_month);
    ELSE
        DROP TABLE usage_counts_before;
    END IF;
END $$;
