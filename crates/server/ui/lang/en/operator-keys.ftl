# The operator's console: keys of all brands.

operator-keys-title = Keys
operator-keys-lead = The keys of all brands, newest first.
operator-keys-filters = Filter the keys
operator-keys-filter-prefix = Beginning of the secret
operator-keys-filter-user = User id of the creator
operator-keys-head-key = Key
operator-keys-head-creator = Created by
operator-keys-head-scope = Access
operator-keys-head-used = Last used
operator-keys-head-created = Created
operator-keys-scope-read = Can read
operator-keys-scope-write = Can read and write
operator-keys-scope-full = Can read and write
operator-keys-empty = No keys yet
operator-keys-empty-hint = The keys that people create for their brands are listed here.

operator-keys-details = Details
operator-keys-show = Show the details of { $label }
operator-keys-approval = Asks a person first
operator-keys-approval-none = Never
operator-keys-approval-outward = Before actions that people outside see
operator-keys-approval-all = Before every change
operator-keys-tools = Only these tools
operator-keys-networks = Only from these networks
operator-keys-expires = Expires
operator-keys-address = Last used from
operator-keys-client = Last used by
operator-keys-idle = Not used since
operator-keys-rotating = Old secret works until
operator-keys-paused = Paused
operator-keys-paused-by = Paused by
operator-keys-revoked-at = Revoked
operator-keys-revoked-reason = Reason
operator-keys-reason-requested = A person revoked it
operator-keys-reason-leaked = Its secret was reported as public
operator-keys-reason-operator = An operator revoked it
operator-keys-id = Key id

operator-keys-revoke = Revoke { $label }
operator-keys-revoke-short = Revoke…
operator-keys-revoke-title = Revoke this key?
operator-keys-revoke-action = Revoke key
operator-keys-revoke-about = It acts for the brand { $brand } and was created by { $user }. From the next request on it is refused, and the work that it has queued is cancelled.
operator-keys-revoke-final = This cannot be undone. The person can create a new key.
operator-keys-revoke-failed = The key was not revoked.
operator-keys-was-revoked = The key is revoked

operator-keys-secret-title = Find a key by its secret
operator-keys-secret-label = Secret
operator-keys-secret-hint = The whole secret, such as one that has leaked. It is neither stored nor logged.
operator-keys-secret-find = Find key
operator-keys-secret-failed = The search did not work.
operator-keys-secret-unknown = No key has this secret.
operator-keys-secret-mistyped = This is not a whole secret: its form or its checksum is wrong. Copy it again from svc_mcp_ to its end.
operator-keys-secret-found = The secret belongs to the key “{ $label }”
