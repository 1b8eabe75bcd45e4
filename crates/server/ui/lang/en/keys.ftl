# Texts of the keys view.

keys-title = MCP keys
keys-refresh = Refresh
keys-refreshed = Up to date.
keys-not-refreshed = Not refreshed. { $problem }
keys-create = Create key
keys-connect-brand = Connect an assistant such as Claude or Cursor to { $brand }.
keys-none-active = No active key for { $brand }.
keys-summary = { $keys ->
        [one] { $keys } active key
       *[other] { $keys } active keys
    } for { $brand }, { $writing ->
        [0] none can write
       *[other] { $writing } can write
    }, held by { $people ->
        [one] { $people } person
       *[other] { $people } people
    }.
keys-paused-count = { $count ->
        [one] { $count } key is paused.
       *[other] { $count } keys are paused.
    }
keys-plan-inactive = MCP is not active on the plan “{ $plan }”
keys-plan-means = Every key is kept, but each call with one is refused (403) until MCP is active again. A key created now starts to work then, too.
keys-plan-admin = What to do: move { $brand } to a plan that includes MCP. The keys then work at once, and nothing has to be set up again.
keys-plan-member = What to do: ask an administrator of { $brand } for a plan that includes MCP. The keys then work at once, and nothing has to be set up again.
keys-approvals-wait = { $count ->
        [one] { $count } action waits for approval
       *[other] { $count } actions wait for approval
    }

## The list

keys-search = Search keys
    .placeholder = Label, prefix or person
keys-filter-state = State
keys-filter-access = Access
keys-filter-owner = Created by
keys-any = Any
keys-anyone = Anyone
keys-others = Others
keys-sort = Sort
keys-sort-newest = Newest first
keys-sort-oldest = Oldest first
keys-sort-label = Label, A to Z
keys-sort-used = Last used, latest first
keys-sort-unused = Last used, never first
keys-sort-access = Most access first
keys-sort-expiry = Expires soonest
keys-show-current = Not revoked
keys-show-active = Active
keys-show-paused = Paused
keys-show-expiring = Expires soon
keys-show-idle = Not used for 90 days
keys-show-expired = Expired
keys-show-revoked = Revoked
keys-show-all = All
keys-count = { $count ->
        [one] { $count } key
       *[other] { $count } keys
    }
keys-count-shown = { $count ->
        [one] { $shown } of { $count } key
       *[other] { $shown } of { $count } keys
    }
keys-nothing-fits = No key fits these filters
keys-show-every = Show every key
keys-table = Keys
keys-column-key = Key
keys-column-access = Access
keys-column-created = Created
keys-column-used = Last used
keys-column-expires = Expires
keys-column-state = State
keys-column-actions = Actions
keys-scope-full = scope “full”
keys-chosen-tools = { $count ->
        [one] only { $count } chosen tool
       *[other] only { $count } chosen tools
    }
keys-asks-first = Asks first
keys-idle = Not used since { $date }
keys-expires = Expires { $when }
keys-badge-expiring = Expires soon
keys-badge-idle = Not used
keys-badge-rotating = New secret
keys-attention-expiring = { $count ->
        [one] { $count } key expires within 14 days.
       *[other] { $count } keys expire within 14 days.
    }
keys-attention-idle = { $count ->
        [one] { $count } key was not used for 90 days. Revoke it if it is not needed.
       *[other] { $count } keys were not used for 90 days. Revoke those that are not needed.
    }
keys-attention-show = { $count ->
        [one] Show it
       *[other] Show them
    }
keys-show = Show
keys-show-secret-of = Show the secret of { $label }
keys-revoke = Revoke
keys-revoke-key = Revoke { $label }
keys-first = No keys yet
keys-first-what = A key lets one assistant work for { $brand }, as far as you allow. Give each assistant its own, so that you can end one without touching the others.
keys-first-step-1 = Create a key
keys-first-step-2 = Paste one entry into your assistant
keys-first-step-3 = See it connect, right here
keys-first-create = Create the first key

## States and rules

keys-state-active = Active
keys-state-paused = Paused
keys-state-expired = Expired
keys-state-revoked = Revoked
keys-because-revoked = It can never be used again.
keys-because-leaked = Its secret was reported as public. It can never be used again.
keys-because-expired = Its time is over. Create a new key to go on, or give it a later expiry.
keys-because-plan = MCP is not active on the brand’s plan.
keys-because-owner-gone = The person who created it is no longer a member of the brand.
keys-because-owner-removed = Its creator was removed from the brand and came back. They or an administrator can resume it.
keys-because-paused = It is refused until its creator or an administrator resumes it.
keys-has-expired = This key has expired
keys-was-revoked = This key was revoked meanwhile
keys-scope-read = Can read
keys-scope-write = Can read and write
keys-rule-none = Never
keys-rule-outward = Before anything goes out
keys-rule-all = Before every change
keys-rule-none-means = It acts at once, without asking.
keys-rule-outward-means = A person approves what people outside would notice: posts that it publishes, schedules or withdraws, and reports that it emails.
keys-rule-all-means = A person approves everything it does, except reading.
