-- Everybody a brand ever listed. A row stays when the address is taken off the list: what the person said stays true.
CREATE TABLE report_recipients (
    brand_id      TEXT   NOT NULL REFERENCES brands (brand_id),
    address       TEXT   NOT NULL,
    status        TEXT   NOT NULL,
    listed        BIGINT NOT NULL,
    asked_at      BIGINT,
    confirmed_at  BIGINT,
    suppressed_at BIGINT,
    PRIMARY KEY (brand_id, address)
);

-- A report with its figures as they were when it was ordered, as JSON.
CREATE TABLE reports (
    brand_id       TEXT   NOT NULL REFERENCES brands (brand_id),
    report_id      TEXT   NOT NULL,
    content        TEXT   NOT NULL,
    created_at     BIGINT NOT NULL,
    created_by_key TEXT   NOT NULL,
    PRIMARY KEY (brand_id, report_id)
);

-- One mail to one person: a report, or (without one) the question whether they want reports. The link in it is known
-- by its digest alone.
CREATE TABLE report_emails (
    brand_id       TEXT   NOT NULL REFERENCES brands (brand_id),
    email_id       TEXT   NOT NULL,
    report_id      TEXT,
    purpose        TEXT   NOT NULL,
    recipient      TEXT   NOT NULL,
    status         TEXT   NOT NULL,
    attempts       BIGINT NOT NULL,
    answer         TEXT,
    created_at     BIGINT NOT NULL,
    handed_over_at BIGINT,
    ended_at       BIGINT,
    link_digest    BLOB,
    PRIMARY KEY (brand_id, email_id),
    FOREIGN KEY (brand_id, report_id) REFERENCES reports (brand_id, report_id)
);
CREATE INDEX report_emails_by_age ON report_emails (brand_id, purpose, created_at, email_id);
CREATE UNIQUE INDEX report_emails_by_link ON report_emails (brand_id, link_digest) WHERE link_digest IS NOT NULL;
