-- The user who is being erased. NULL: a brand is erased, or the erasure of the user is done. `subject` is the pseudonym.
ALTER TABLE erasures ADD COLUMN erasing_user TEXT;
-- The addresses and names that are searched for, as JSON. NULL once the erasure is done.
ALTER TABLE erasures ADD COLUMN traces TEXT;
-- Where the search goes on, as JSON. NULL: the memberships and keys of the user have not all ended yet.
ALTER TABLE erasures ADD COLUMN position TEXT;
CREATE UNIQUE INDEX erasing_users ON erasures (erasing_user) WHERE erasing_user IS NOT NULL;
