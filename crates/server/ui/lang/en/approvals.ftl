# Texts of the approvals view.

approvals-title = Approvals
approvals-lead = { $count ->
    [0] An assistant whose key asks first waits here for a person.
    [one] { $count } action waits for a decision. Nothing of this has happened yet.
   *[other] { $count } actions wait for a decision. Nothing of this has happened yet.
}

# What waits
approvals-waiting = Waiting for approval
approvals-nothing-waits = Nothing waits for approval
approvals-nothing-waits-help = When an assistant wants to do something that needs your decision, it appears here by itself.
approvals-behind = The list could not be refreshed. It is tried again in a few seconds.
approvals-asked-by = { $title }, asked by { $label }
approvals-times = Requested { $requested }, expires { $expires }
approvals-open = Read and decide
    .aria-label = Read and decide: { $title }, asked by { $label }
approvals-open-only = Read
    .aria-label = Read: { $title }, asked by { $label }
approvals-older = Show older actions
approvals-older-not-loaded = The older actions could not be loaded.
approvals-shortcuts = Use keyboard shortcuts
approvals-shortcuts-help = J and K, or the arrow keys in the list, move between actions. Enter opens one. In an open one, A approves and R rejects.

# One action
approvals-not-loaded = It could not be loaded.
approvals-key = Key
approvals-person = Key created by
approvals-requested = Requested
approvals-expires = Expires
approvals-when = When
approvals-notes = Notes
approvals-stays-draft = Not yet: it stays a draft
approvals-at-once = As soon as it is approved
approvals-target = { $status ->
    [draft] { $channel } (then a draft)
    [scheduled] { $channel } (then scheduled)
    [publishing] { $channel } (then published)
    [published] { $channel } (then published)
    [withdrawing] { $channel } (then withdrawn)
    [withdrawn] { $channel } (then withdrawn)
    [cancelled] { $channel } (then cancelled)
    [failed] { $channel } (has failed)
   *[other] { $channel }
}
approvals-show-arguments = Show what the assistant sent
approvals-arguments = Arguments
approvals-none = None
approvals-argument-text = Text
approvals-argument-title = Title
approvals-argument-link = Link
approvals-argument-media = Media
approvals-argument-channels = Channels
approvals-argument-mode = Mode
approvals-mode = { $mode ->
    [draft] Keep it as a draft
    [schedule] Publish it at its time
   *[now] Publish it now
}
approvals-argument-scheduled-at = Time
approvals-argument-post-id = Post
approvals-argument-subject = Subject
approvals-argument-recipients = Recipients
approvals-only-admins = Only an administrator can decide on it.
approvals-only-creator = Only { $person } or an administrator can decide on it.
approvals-would-fail = It would fail now
approvals-would-fail-help = Look again once this is solved, or reject it.
approvals-changed = It has changed since you looked at it
approvals-changed-help = Nothing was done. Below is what it would do now. Read it, then decide again.

# The decision
approvals-approve = Approve
approvals-approve-changed = Approve with changes
approvals-edit = Edit…
approvals-edit-title = Edit: { $title }
approvals-reject = Reject…
approvals-reject-now = Reject
approvals-reject-title = Reject: { $title }
approvals-look-again = Look again
approvals-back = Back
approvals-note = Note (optional)
approvals-note-hint = The assistant reads it if you approve.
approvals-reason = Reason
approvals-reason-hint = The assistant reads it. Say what should be different.
approvals-reason-missing = Write a reason, so that the assistant can do better.
approvals-changes = Your changes
approvals-no-changes = Nothing is changed yet.
approvals-with-changes = { $count ->
    [one] You have changed { $count } argument
   *[other] You have changed { $count } arguments
}
approvals-with-changes-help = The preview shows what the assistant asked for. If you approve, it runs with your changes.
approvals-your-zone = In your time zone: { $zone }.
approvals-json = As JSON.
approvals-not-json = Nothing was decided: a value is not valid JSON.
approvals-approved = “{ $title }” was approved and has run.
approvals-rejected = “{ $title }” was rejected. The assistant reads your reason.
approvals-not-decided = Nothing was decided.
approvals-outcome-unknown = It is not known whether your decision arrived. You can safely try again.

# What was decided
approvals-decided = Decided
approvals-decided-not-loaded = What was decided could not be loaded.
approvals-none-decided = Nothing was decided yet.
approvals-none-fits = Nothing has this result.
approvals-older-decided = Show older decisions
approvals-filter = Result
approvals-status-all = All
approvals-status = { $status ->
    [done] Approved
    [approved] Approved
    [failed] Failed
    [rejected] Rejected
    [expired] Expired
    [cancelled] Cancelled
   *[other] Waiting
}
approvals-head-what = Action
approvals-head-result = Result
approvals-head-by = By
approvals-head-at = When
approvals-end = { $status ->
    [done] { $who ->
        [me] You approved it, and it has run
       *[other] { $person } approved it, and it has run
    }
    [failed] { $who ->
        [me] You approved it, but it failed
       *[other] { $person } approved it, but it failed
    }
    [rejected] { $who ->
        [me] You rejected it, so it did not run
       *[other] { $person } rejected it, so it did not run
    }
    [cancelled] { $who ->
        [me] You took the access of its key away, so it did not run
       *[other] { $person } took the access of its key away, so it did not run
    }
   *[expired] It has expired, so it did not run
}
approvals-with-reason = Reason: { $reason }
approvals-with-note = Note: { $note }
approvals-changes-made = What the approver changed

# Settings
approvals-settings = When keys ask first
approvals-settings-help = A key that asks first waits until a person approves. Without a decision within 72 hours, nothing happens.
approvals-emails = Email me when something waits for my approval
approvals-minimum = All keys ask first
approvals-rule = { $rule ->
    [none] Never
    [outward] Before anything goes out
   *[all] Before every change
}
approvals-approvers = Who decides
approvals-approver = { $who ->
    [admins] Only administrators
   *[members] The person who created the key, and administrators
}
approvals-saved = Saved.
approvals-not-saved = This was not saved.
