-- The person who started the audit. Null: a key or a schedule did.
ALTER TABLE audits ADD COLUMN requested_by TEXT;
