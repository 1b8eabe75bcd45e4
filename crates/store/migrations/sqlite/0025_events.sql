-- Where a brand gets its events. `types` is a JSON list; NULL: all. `failing_since` is the first failed try since the last
-- success. `disabled_at`: the service has switched it off. `dropped` counts deliveries that were given up because too many
-- waited.
CREATE TABLE event_endpoints (
    brand_id        TEXT   NOT NULL REFERENCES brands (brand_id),
    endpoint_id     TEXT   NOT NULL,
    url             TEXT   NOT NULL,
    types           TEXT,
    enabled         BIGINT NOT NULL,
    sealing_key     TEXT   NOT NULL,
    sealed          BLOB  NOT NULL,
    failing_since   BIGINT,
    disabled_at     BIGINT,
    disabled_reason TEXT,
    dropped         BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    PRIMARY KEY (brand_id, endpoint_id)
);

-- Whether the service has an endpoint of the operator. A row, because commands write events too and do not have its settings.
CREATE TABLE operator_event_endpoint (
    endpoint_id TEXT   NOT NULL PRIMARY KEY,
    enabled     BIGINT NOT NULL
);

-- Events of one key have growing numbers. `brand_id` is NULL if the event belongs to no brand, or outlives it.
CREATE TABLE outbox_events (
    event_id TEXT   NOT NULL PRIMARY KEY,
    number   BIGINT NOT NULL,
    brand_id TEXT,
    type     TEXT   NOT NULL,
    at       BIGINT NOT NULL,
    body     TEXT   NOT NULL
);
CREATE INDEX outbox_events_of_brand ON outbox_events (brand_id, event_id);
CREATE INDEX outbox_events_by_age ON outbox_events (at);
CREATE INDEX outbox_events_by_number ON outbox_events (number);

-- One event for one endpoint. `queue` is the brand and the endpoint, or the operator's endpoint. While a process sends it,
-- `next_try_at` is the end of its lease.
CREATE TABLE event_deliveries (
    delivery_id  TEXT   NOT NULL PRIMARY KEY,
    brand_id     TEXT,
    endpoint_id  TEXT   NOT NULL,
    queue        TEXT   NOT NULL,
    event_id     TEXT   NOT NULL,
    event_number BIGINT NOT NULL,
    key_id       TEXT,
    type         TEXT   NOT NULL,
    at           BIGINT NOT NULL,
    state        TEXT   NOT NULL,
    attempts     BIGINT NOT NULL,
    next_try_at  BIGINT NOT NULL,
    lease        TEXT,
    last_try_at  BIGINT,
    last_status  BIGINT,
    last_error   TEXT,
    delivered_at BIGINT
);
CREATE INDEX event_deliveries_due ON event_deliveries (queue, next_try_at) WHERE state = 'pending';
CREATE INDEX event_deliveries_in_order ON event_deliveries (queue, key_id, event_number) WHERE state = 'pending';
CREATE INDEX event_deliveries_of_brand ON event_deliveries (brand_id, at, delivery_id);
CREATE INDEX event_deliveries_newest ON event_deliveries (at, delivery_id);

-- What a mail about an endpoint that was switched off says, as JSON.
ALTER TABLE report_emails ADD COLUMN endpoint_notice TEXT;
