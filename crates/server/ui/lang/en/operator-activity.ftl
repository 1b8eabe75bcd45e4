# The operator's console: activity of all brands.

operator-activity-title = Activity
operator-activity-lead = What happened with the keys of all brands, oldest first. Events are kept for 90 days.
operator-activity-filters = Choose the time
operator-activity-since = Since
operator-activity-until = Until
operator-activity-event = Event
operator-activity-actor = Actor
operator-activity-result = Result
operator-activity-at = When
operator-activity-service = The service
operator-activity-count = { $count } times
operator-activity-empty = Nothing happened in this time
operator-activity-empty-hint = Choose an earlier time to see older events.

operator-activity-kind-created = Key created
operator-activity-kind-revealed = Secret shown
operator-activity-kind-updated = Key changed
operator-activity-kind-paused = Key paused
operator-activity-kind-resumed = Key resumed
operator-activity-kind-revoked = Key revoked
operator-activity-kind-cancelled = Work cancelled
operator-activity-kind-list = Tools listed
operator-activity-kind-call = Tool called
operator-activity-kind-approved = Call approved
operator-activity-kind-rejected = Call rejected
operator-activity-kind-post = Post changed
operator-activity-kind-audit = Audit started
operator-activity-kind-rotated = New secret
operator-activity-kind-rotation_finished = Old secret ended
operator-activity-kind-leaked = Key leaked
operator-activity-kind-expiring = Key expires soon
