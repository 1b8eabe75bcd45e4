-- Calls that wait for a person's approval, and what became of them. A pending row whose `expires_at` is past has expired.
-- `note`: the note of the approver, or why the call was rejected or cancelled. `approved_arguments`: only if the approver
-- changed them.
CREATE TABLE approvals (
    brand_id TEXT NOT NULL,
    approval_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    preview TEXT,
    digest TEXT NOT NULL,
    status TEXT NOT NULL,
    requested_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    decided_at BIGINT,
    decided_by TEXT,
    note TEXT,
    approved_arguments TEXT,
    result TEXT,
    failure TEXT,
    PRIMARY KEY (brand_id, approval_id)
);
CREATE INDEX approvals_by_age ON approvals (brand_id, requested_at, approval_id);
CREATE INDEX approvals_pending ON approvals (brand_id, key_id) WHERE status = 'pending';

ALTER TABLE keys ADD COLUMN approval TEXT NOT NULL DEFAULT 'none';
-- The strictest of this and the key's own rule holds.
ALTER TABLE brands ADD COLUMN approval_minimum TEXT NOT NULL DEFAULT 'none';
-- `members`: members decide on the calls of their own keys. `admins`: only administrators decide.
ALTER TABLE brands ADD COLUMN approvers TEXT NOT NULL DEFAULT 'members';
-- When the last mails about waiting calls were ordered.
ALTER TABLE brands ADD COLUMN approvals_mailed_at BIGINT;
-- Whether the member wants these mails.
ALTER TABLE members ADD COLUMN approval_emails BIGINT NOT NULL DEFAULT 0;
