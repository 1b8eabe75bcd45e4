-- What people and commands have changed. Each row holds the hash of the one before, so that a changed, removed or added row is
-- found. It holds fields and plain values, and references to the names of people and brands: no secrets, texts or mail addresses.
CREATE TABLE audit_log (
    sequence      BIGINT NOT NULL PRIMARY KEY,
    at            BIGINT NOT NULL,
    change_id     TEXT   NOT NULL,
    actor         TEXT   NOT NULL,
    role          TEXT   NOT NULL,
    address       TEXT,
    request_id    TEXT,
    action        TEXT   NOT NULL,
    brand         TEXT,
    target_kind   TEXT   NOT NULL,
    target        TEXT   NOT NULL,
    fields_before TEXT,
    fields_after  TEXT,
    previous_hash TEXT   NOT NULL,
    hash          TEXT   NOT NULL
);
CREATE INDEX audit_log_by_time ON audit_log (at, sequence);
CREATE INDEX audit_log_by_brand ON audit_log (brand, at, sequence) WHERE brand IS NOT NULL;
-- An erasure asks who is named only for one brand.
CREATE INDEX audit_log_by_target ON audit_log (target);
CREATE INDEX audit_log_by_actor ON audit_log (actor, at, sequence);
CREATE INDEX audit_log_by_action ON audit_log (action, at, sequence);

-- What the references in the columns actor, address, brand and target stand for. The log stays as it is when somebody is erased:
-- only the name and the salt are forgotten here, and nothing leads from the reference back to the name.
CREATE TABLE audit_log_names (
    -- A hash of salt, kind, owner and name.
    reference TEXT NOT NULL PRIMARY KEY,
    kind      TEXT NOT NULL,
    name      TEXT NOT NULL,
    -- The reference of the user or brand with whom the name is erased. Empty: it is a user or a brand itself.
    owner     TEXT NOT NULL,
    -- NULL: erased.
    salt      TEXT
);
CREATE INDEX audit_log_names_by_name ON audit_log_names (kind, name, owner);
CREATE INDEX audit_log_names_by_owner ON audit_log_names (owner);

-- The number and the hash of the last row. It is locked by those who add one.
CREATE TABLE audit_log_head (
    only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
    sequence BIGINT NOT NULL,
    hash     TEXT   NOT NULL
);
INSERT INTO audit_log_head (only_row, sequence, hash)
VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');

CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'rows of the audit log are never changed');
END;
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'rows of the audit log are never deleted');
END;
-- `INSERT OR REPLACE` deletes a row without the trigger above.
CREATE TRIGGER audit_log_no_replace BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE sequence = NEW.sequence)
BEGIN
    SELECT RAISE(ABORT, 'rows of the audit log are never replaced');
END;
