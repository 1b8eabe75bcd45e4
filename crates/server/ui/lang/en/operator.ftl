# The operator's console: texts that every view needs, and the sign-in.

operator-title = Operator
operator-page-title = { $title } · Operator
operator-skip = Skip to content
operator-view-brands = Brands
operator-view-people = People
operator-view-keys = Keys
operator-view-jobs = Jobs
operator-view-events = Events
operator-view-approvals = Approvals
operator-view-activity = Activity
operator-view-audit = Audit log
operator-view-plans = Plans
operator-view-erasures = Erasures
operator-not-loaded = The console could not be loaded.

operator-signin-none = Sign in as an operator
operator-signin-out = You are signed out
operator-signin-ended = Your sign-in has ended
operator-signin-ended-why = For your safety a sign-in lasts only a while.
operator-signin-link = This link does not work any more
operator-signin-link-why = A sign-in link works once, and only for a short time.
operator-signin-about = The console is for the people who run this service. It opens by a personal link, or with a token that has the operator role.
operator-signin-account = The console is for the people who run this service. Sign in with an account that has the operator role.
operator-signin-again = Open a fresh link to come back, or paste it here.
operator-signin-continue = Continue to sign in
operator-signin-how = How to get in
operator-signin-how-application = From your application: open the console there. It brings you here signed in.
operator-signin-how-command = On the machine of the service: run this command, and paste what it prints below: { $command }
operator-signin-paste = Link or token
operator-signin-submit = Sign in
operator-signin-not-a-link = This is not a sign-in link or token. Copy all of it, and paste it again.
operator-insecure = This page needs a secure connection
operator-insecure-why = Open it with an address that begins with https. Without it a sign-in is not safe, because others on the way could read along.
operator-not-operator = You do not have the operator role
operator-not-operator-why = You are signed in as { $user }. Only operators of this service can use the console. Your brands and keys are on the settings page.
operator-not-operator-next = If you should have the role, ask the people who run this service for it, and sign in again with a link or token that has it.
operator-to-settings = Go to the settings page
operator-signed-in-as = Signed in as { $user }
operator-signed-in-again = You are signed in again.
operator-sign-out = Sign out
operator-still-signed-in = You are still signed in. { $message }
operator-link-not-used = You stay signed in: the link that was opened could not be used. { $message }

operator-refresh = Refresh
operator-load-more = Load more
operator-list-shown = { $count ->
    [one] One entry.
   *[other] { $count } entries.
}
operator-list-shown-more = { $count ->
    [one] One entry is shown. There are more.
   *[other] { $count } entries are shown. There are more.
}
operator-list-not-loaded = The list could not be loaded.
operator-list-more-not-loaded = The next entries could not be loaded.
operator-filter-all = All
operator-filter-brand = Brand id
operator-no-match = Nothing fits these filters
operator-no-match-hint = Ids are compared exactly, with upper and lower case.
operator-clear-filters = Clear the filters
operator-head-brand = Brand
operator-head-status = Status
operator-head-actions = Actions

operator-typed-label = Type { $typed } to confirm
operator-typed-wrong = Type exactly { $typed } to confirm.

operator-status-active = Active
operator-status-suspended = Suspended
operator-status-paused = Paused
operator-status-expired = Expired
operator-status-revoked = Revoked
operator-status-erasing = Being erased
operator-status-done = Done
operator-status-waiting = Waiting
operator-status-running = Running
operator-status-failed = Failed
operator-status-cancelled = Cancelled
operator-status-pending = Pending
operator-status-delivered = Delivered
operator-status-approved = Approved
operator-status-rejected = Rejected
operator-status-draft = Draft
operator-status-scheduled = Scheduled
operator-status-publishing = Being published
operator-status-published = Published
operator-status-uncertain = Uncertain
operator-status-withdrawing = Being withdrawn
operator-status-withdrawn = Withdrawn
operator-status-ok = Allowed
operator-status-error = Failed
operator-status-denied = Refused

operator-cancelled-nothing = No work was queued.
operator-cancelled-posts = Posts cancelled
operator-cancelled-mails = Emails cancelled
operator-cancelled-jobs = Audits and analyses cancelled
operator-cancelled-approvals = Approvals cancelled
operator-cancelled-schedules = Schedules deleted
operator-sending-posts = Posts already being sent
operator-sending-mails = Emails already being sent
operator-sending-jobs = Audits and analyses that are being stopped

operator-reason-rate_limited = More than 60 requests in a minute
operator-reason-mcp_inactive = MCP is not active on the plan
operator-reason-key_paused = The key is paused
operator-reason-address_not_allowed = It came from outside the key's networks
operator-reason-brand_suspended = The brand is suspended
operator-reason-key_revoked = The key is revoked
operator-reason-key_expired = The key has expired
operator-reason-queued_work_kept = Queued work goes on
operator-reason-owner_removed = Its creator was removed from the brand
operator-reason-insufficient_scope = The key is not allowed to use this tool
operator-reason-key_owner_removed = The key's creator is no longer a member
operator-reason-invalid_arguments = The arguments did not fit the tool
operator-reason-not_key_creator = Only the key's creator can show it
operator-reason-awaiting_approval = Waits for approval
operator-reason-key_not_revealable = The key's secret is not kept
operator-reason-old_secret_ended = The old secret of a rotated key
operator-reason-cancelled_by_operator = An operator cancelled it
operator-reason-jobs_held = It was too late when the jobs were resumed
operator-reason-in_14_days = In 14 days
operator-reason-in_3_days = In 3 days
operator-reason-in_1_day = In one day
