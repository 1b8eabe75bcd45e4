# Texts of the activity view.

activity-title = Activity
activity-calls = Calls a day
activity-calls-table = Calls a day, as a table
activity-period = Period
activity-days = { $count ->
        [one] { $count } day
       *[other] { $count } days
    }
activity-usage-not-loaded = The usage could not be loaded.
activity-allowed = Allowed
activity-refused = Refused
activity-failed = Failed
activity-allowed-failed = Allowed, but failed
activity-chart = { $calls ->
        [one] { $calls } call allowed
       *[other] { $calls } calls allowed
    }, { $denied } refused in { $days ->
        [one] { $days } day
       *[other] { $days } days
    }.
activity-day = { $day }: { $calls } allowed, { $denied } refused
activity-no-calls = No calls in this period. Once an assistant uses a key, its calls are drawn here.
activity-as-table = Show as a table
activity-column-day = Day
activity-column-tool = Tool
activity-tools = Most used tools
activity-no-tools = No tool was used in this period.
activity-listing = Listing the tools
activity-refused-before = Refused before a tool ran
activity-limits = Rate limit, last hour
activity-limits-what = The most requests that each key made in one minute. Beyond the limit a call is refused, and the assistant has to wait a moment.
activity-no-requests = No key made a request in the last hour. Each may make 60 in a minute.
activity-at-limit = At the limit
activity-of-limit = { $most } of { $limit }

## Events

activity-recent = Recent events
activity-events = Events
activity-filter-event = Event
activity-filter-result = Result
activity-filter-key = Key
activity-all = All
activity-any = Any
activity-all-keys = All keys
activity-kind-created = Created
activity-kind-revealed = Secret shown
activity-kind-updated = Changed
activity-kind-paused = Paused
activity-kind-resumed = Resumed
activity-kind-revoked = Revoked
activity-kind-cancelled = Work cancelled
activity-kind-call = Calls
activity-kind-approved = Approved
activity-kind-rejected = Rejected
activity-kind-list = Tool lists
activity-kind-post = Posts
activity-kind-audit = Audits
activity-kind-rotated = Rotated
activity-kind-rotation_finished = Old secret ended
activity-kind-leaked = Leaked
activity-kind-expiring = Expires soon
activity-outcome-ok = Allowed or done
activity-outcome-denied = Refused
activity-outcome-error = Failed
activity-result-ok = Allowed
activity-result-done = Done
activity-result-error = Failed
activity-result-denied = Refused
activity-column-what = What happened
activity-column-result = Result
activity-column-took = Took
activity-column-when = When
activity-took = { $duration } ms
activity-nothing = Nothing has happened yet.
activity-nothing-fits = No event fits these filters.
activity-events-not-loaded = The events could not be loaded.
activity-older-not-loaded = The older events could not be loaded.
activity-show-older = Show older events
activity-left-out = { $count ->
        [one] { $count } more allowed call in this time: counted above, but not listed, because there were too many at once.
       *[other] { $count } more allowed calls in this time: counted above, but not listed, because there were too many at once.
    }

## What happened. `$who` is `you` for the signed-in person, else `$person` is the name.

activity-did-created = { $who ->
        [you] You created { $key }
       *[other] { $person } created { $key }
    }
activity-did-revealed = { $who ->
        [you] You showed the secret of { $key }
       *[other] { $person } showed the secret of { $key }
    }
activity-did-not-reveal = { $who ->
        [you] You tried to show the secret of { $key }
       *[other] { $person } tried to show the secret of { $key }
    }
activity-did-updated = { $who ->
        [you] You changed { $key }
       *[other] { $person } changed { $key }
    }
activity-did-approved = { $who ->
        [you] You approved a call of { $key }: { $tool }
       *[other] { $person } approved a call of { $key }: { $tool }
    }
activity-did-approved-unknown = { $who ->
        [you] You approved a call of { $key }
       *[other] { $person } approved a call of { $key }
    }
activity-did-rejected = { $who ->
        [you] You rejected a call of { $key }: { $tool }
       *[other] { $person } rejected a call of { $key }: { $tool }
    }
activity-did-rejected-unknown = { $who ->
        [you] You rejected a call of { $key }
       *[other] { $person } rejected a call of { $key }
    }
activity-did-paused = { $who ->
        [you] You paused { $key }
       *[other] { $person } paused { $key }
    }
activity-did-owner-removed = { $who ->
        [you] You removed the creator of { $key }
       *[other] { $person } removed the creator of { $key }
    }
activity-did-resumed = { $who ->
        [you] You resumed { $key }
       *[other] { $person } resumed { $key }
    }
activity-did-revoked = { $who ->
        [you] You revoked { $key }
       *[other] { $person } revoked { $key }
    }
activity-did-cancelled = { $count ->
        [one] { $count } queued job of { $key } cancelled: { $tool }
       *[other] { $count } queued jobs of { $key } cancelled: { $tool }
    }
activity-did-cancelled-unknown = { $count ->
        [one] { $count } queued job of { $key } cancelled
       *[other] { $count } queued jobs of { $key } cancelled
    }
activity-did-update_post = { $who ->
        [you] You changed a post of { $key }
       *[other] { $person } changed a post of { $key }
    }
activity-did-publish_post = { $who ->
        [you] You published a post of { $key }
       *[other] { $person } published a post of { $key }
    }
activity-did-retry_post = { $who ->
        [you] You published a post of { $key } again
       *[other] { $person } published a post of { $key } again
    }
activity-did-cancel_post = { $who ->
        [you] You cancelled a post of { $key }
       *[other] { $person } cancelled a post of { $key }
    }
activity-did-withdraw_post = { $who ->
        [you] You withdrew a post of { $key }
       *[other] { $person } withdrew a post of { $key }
    }
activity-did-delete_post = { $who ->
        [you] You deleted a post of { $key }
       *[other] { $person } deleted a post of { $key }
    }
activity-did-audit = { $who ->
        [you] You started an audit of the site
       *[other] { $person } started an audit of the site
    }
activity-did-rotated = { $who ->
        [you] You gave a new secret to { $key }
       *[other] { $person } gave a new secret to { $key }
    }
activity-did-rotation_finished = { $who ->
        [you] You ended the old secret of { $key }
       *[other] { $person } ended the old secret of { $key }
    }
activity-did-leaked = { $key } was reported as leaked, and was revoked
activity-did-expiring = { $key } expires soon
activity-did-list = { $times ->
        [1] { $key } listed its tools
       *[other] { $key } listed its tools, { $times } times within a minute
    }
activity-did-call = { $times ->
        [1] { $key } called { $tool }
       *[other] { $key } called { $tool }, { $times } times within a minute
    }
activity-did-call-unknown = { $times ->
        [1] { $key } called a tool
       *[other] { $key } called a tool, { $times } times within a minute
    }

## Why it was refused, or what was changed

activity-because-rate_limited = more than 60 requests in a minute
activity-because-mcp_inactive = MCP is not active on the plan
activity-because-key_paused = the key is paused
activity-because-address_not_allowed = it came from outside the key’s networks
activity-because-brand_suspended = the brand is suspended
activity-because-key_revoked = the key is revoked
activity-because-queued_work_kept = queued work goes on
activity-because-owner_removed = its creator was removed from the brand
activity-because-insufficient_scope = the key is not allowed to use this tool
activity-because-key_owner_removed = the key’s creator is no longer a member
activity-because-invalid_arguments = the arguments did not fit the tool
activity-because-not_key_creator = only the key’s creator can show it
activity-because-awaiting_approval = waits for approval
activity-because-approval = when it asks first
activity-because-key_not_revealable = the key’s secret is not kept
activity-because-old_secret_ended = the old secret of a rotated key
activity-because-key_expired = the key has expired
activity-because-unknown_tool = there is no such tool
activity-because-cancelled_by_operator = the operator cancelled it
activity-because-jobs_held = it was cancelled when the held jobs went on
activity-because-tool_failed = the tool reported an error
activity-because-unavailable = the service was unavailable for a moment
activity-because-internal = an error in the service
