# The operator's console: people.

operator-people-title = People
operator-people-lead = The members of all brands.
operator-people-filters = Search the people
operator-people-search = Search by the beginning of the user id or email
operator-people-person = Person
operator-people-email = Email
operator-people-brands = Brands
operator-people-empty = No people yet
operator-people-empty-hint = People are listed here once your application adds them to a brand.
operator-people-back = All people
operator-people-audit = What this person changed
operator-people-no-brands = This person acts for no brand
operator-people-no-brands-hint = They are no member any more, or the user id does not exist.
operator-people-no-keys = This person has created no keys
operator-people-no-keys-hint = The keys that they create are listed here.

operator-people-sessions = Sign out everywhere…
operator-people-sessions-title = Sign this person out of all browsers?
operator-people-sessions-means = Their sessions and sign-in links end at once. The person can sign in again: withdraw the access in your application or at the identity provider first.
operator-people-sessions-action = Sign out everywhere
operator-people-sessions-failed = The person was not signed out.
operator-people-sessions-done = { $count ->
    [0] No session was open.
    [one] One session is ended.
   *[other] { $count } sessions are ended.
}
operator-people-revoke = Revoke all keys…
operator-people-revoke-title = Revoke all keys of this person?
operator-people-revoke-means = Their keys in all brands are refused from the next request on, and the work that they have queued is cancelled. This cannot be undone. The person can create new keys while they are a member.
operator-people-revoke-action = Revoke all keys
operator-people-revoke-failed = Not all keys were revoked.
operator-people-revoked = { $count ->
    [0] No key had to be revoked
    [one] One key was revoked
   *[other] { $count } keys were revoked
}

operator-people-erase = Erase…
operator-people-erase-title = Erase this person?
operator-people-erase-final = This cannot be undone
operator-people-erase-order = The erasure finds their addresses in their memberships. Erase a person before you remove the memberships.
operator-people-erase-means = At once they are a member of no brand, their keys are revoked and queued work is cancelled. Then their name and addresses are removed everywhere, and a random pseudonym takes the place of their id in the history.
operator-people-erase-action = Erase person
operator-people-erase-failed = The person was not erased.
