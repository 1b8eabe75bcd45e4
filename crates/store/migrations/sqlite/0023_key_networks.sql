-- Where a key may be used from (a JSON list of networks, null: from anywhere), and where it was last used from and by whom.
ALTER TABLE keys ADD COLUMN allowed_networks TEXT;
ALTER TABLE keys ADD COLUMN last_used_ip TEXT;
ALTER TABLE keys ADD COLUMN last_used_client TEXT;
