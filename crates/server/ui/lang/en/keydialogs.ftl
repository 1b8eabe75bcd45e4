# Texts of the dialogs of the keys view. They are loaded with the first dialog.

## States and rules

keys-rule-not-changed = The rule was not changed.
keys-scope-read-means = The assistant can look things up. It cannot change, publish or send anything.
keys-scope-write-means = The assistant can also act for the brand: publish posts, run analyses and audits, email reports, search for keywords.
keys-minimum-outward = All keys of this brand ask before anything goes out.
keys-minimum-all = All keys of this brand ask before every change.
keys-saved = Saved.

## The form

keys-create-title = Create a key
keys-creating = Creating…
keys-label = Label
keys-label-hint = Name the assistant and where it runs, so that you recognise it later.
keys-what-it-can = What it can do
keys-opens-tools = { $count ->
        [one] Opens { $count } tool
       *[other] Opens { $count } tools
    }
keys-ask-first = Ask first
keys-tools = Tools
keys-only-some = Only some of these tools
keys-writes = writes
keys-expiry = Expires
keys-expiry-hint = After that the key stops working by itself.
keys-expiry-date = Expiry date
keys-lifetime-0 = Never
keys-lifetime-7 = In 7 days
keys-lifetime-30 = In 30 days
keys-lifetime-90 = In 90 days
keys-lifetime-365 = In a year
keys-lifetime-date = On a date…
keys-lifetime-keep = Unchanged: { $date }
keys-lifetime-keep-never = Unchanged: never
keys-networks = Networks
keys-networks-hint = One in each line, such as 203.0.113.0/24. From elsewhere the key is refused. Empty: it works from everywhere.
keys-can-reveal = I can show the secret again later
keys-can-reveal-hint = Off is stricter: only a fingerprint is kept, and a lost key has to be replaced.
keys-field-fault = { $field } { $fault }.
keys-not-created = The key was not created.
keys-limit-reached = This brand has as many active keys as it can have
keys-see-keys = See the keys
keys-edit-title = Edit “{ $label }”
keys-edit-others = { $owner } created this key, so you can make it only stricter: fewer tools, an earlier expiry, more questions, fewer networks.
keys-scope-narrow = A key can only lose access. For more access, create a new key.
keys-save = Save
keys-saving = Saving…
keys-not-saved = The key was not changed.
keys-not-saved-unknown = It is not known whether the key was changed. You can safely save again.
keys-changed = “{ $label }” was changed. It holds from its next call on.
keys-nothing-changed = Nothing was changed.

## A new secret

keys-ready = “{ $label }” is ready
keys-copy-key = Copy the key
keys-done = Done
keys-close-uncopied = Close without copying
keys-not-copied = You have not copied the key yet
keys-not-copied-means = It cannot be shown again. Copy it now, or close once more if you do not need it.
keys-copy-or-later = Copy it now, or show it again later
keys-copy-or-later-means = Only you can show it again, with “Show” in the list of keys. Do not share it: with it, anyone can act as this assistant.
keys-copy-now = Copy it now: it will not be shown again
keys-copy-now-means = The service keeps only a fingerprint of it. If you lose it, revoke this key and create a new one.

## After a broken connection

keys-show-its-secret = Show its secret
keys-lost = The connection broke
keys-lost-looking = There was no answer, so it is not known yet whether “{ $label }” was created. Looking at the list of keys…
keys-lost-unknown = It is not known whether “{ $label }” was created
keys-lost-unknown-means = The list of keys cannot be loaded either. Check your connection, then look again.
keys-lost-none = No key “{ $label }” was created
keys-lost-none-means = The list has no such key, so you can safely try again. Your entries are kept.
keys-lost-created = “{ $label }” was created, but its secret did not arrive
keys-lost-created-when = Created { $when }, with the prefix { $prefix }.
keys-lost-show = Show its secret now and go on, or revoke it and try again.
keys-lost-secret = It was created without the right to show it again, so its secret is lost. Revoke it and try again.
keys-look-again = Look again
keys-revoke-and-retry = Revoke it and try again
keys-not-shown = The secret could not be shown.
keys-not-revoked = “{ $label }” could not be revoked.

## The secret

keys-show-again = Show again
keys-shown-announced = The secret is shown for { $seconds } seconds.
keys-hidden-announced = The secret is hidden.
keys-hides-in = It hides itself in { $seconds } s, and when you leave this tab.
keys-hidden = Hidden. Each time it is shown is noted in the activity.
keys-gone-means = Its secret does not work any more. The list of keys is up to date now. Create a new key to go on.
keys-create-new = Create a new key
keys-no-secret = The secret of this key cannot be shown
keys-no-secret-why = It was created without the right to show it again, so the service keeps only a fingerprint of it. It cannot be brought back.
keys-no-secret-next = If you still have it, just go on using it. If it is lost, give the key a new secret, or revoke it and create a new one with the same settings.
keys-revoke-and-create = Revoke and create a new one

## Revoking

keys-revoke-title = Revoke this key?
keys-revoke-means = The assistant that uses it loses access at once. This cannot be undone, but a new key can be created at any time.
keys-revoke-cancels = What it has queued, such as scheduled posts and report emails, is cancelled, and so are its approvals that wait.
keys-revoke-keeps = What it has queued, such as scheduled posts and report emails, still goes out. Repeating schedules and approvals that wait end.
keys-keep-queued = Let what it has queued go out
keys-keep-it = Keep it
keys-revoke-confirm = Revoke key
keys-revoking = Revoking…
keys-revoked = “{ $label }” was revoked. Its next call is refused.
keys-revoked-title = “{ $label }” was revoked
keys-revoked-means = Its next call is refused.
keys-cancelled = Cancelled: { $work }.
keys-already-sending = Already on its way, so it could not be stopped: { $work }.
keys-work-posts = { $count ->
        [one] { $count } post
       *[other] { $count } posts
    }
keys-work-mails = { $count ->
        [one] { $count } report email
       *[other] { $count } report emails
    }
keys-work-jobs = { $count ->
        [one] { $count } audit or analysis
       *[other] { $count } audits and analyses
    }
keys-work-approvals = { $count ->
        [one] { $count } approval
       *[other] { $count } approvals
    }
keys-work-schedules = { $count ->
        [one] { $count } schedule
       *[other] { $count } schedules
    }

## Details

keys-show-secret = Show the secret
keys-belongs-to = This key belongs to { $owner }
keys-belongs-admin = Only { $owner } can show its secret. As an administrator you can revoke it.
keys-belongs-member = Only { $owner } can show its secret, and only { $owner } or an administrator can revoke it.
keys-fact-state = State
keys-fact-prefix = Prefix
keys-fact-access = Access
keys-fact-created-by = Created by
keys-fact-created = Created
keys-fact-used = Last used
keys-fact-used-from = Last used from
keys-fact-used-by = Last used by
keys-fact-networks = Works only from
keys-fact-expires = Expires
keys-fact-revoked = Revoked
keys-fact-secret = Secret
keys-secret-mine = You can show it again
keys-secret-others = Only its creator can show it again
keys-secret-never = Cannot be shown again: only a fingerprint of it is kept
keys-tools-title = Tools it may use
keys-tools-few = Tools it may use, a chosen few
keys-activity = Latest activity
keys-activity-not-loaded = The activity could not be loaded.
keys-soon-title = It expires { $when }
keys-soon-mine = Set a later expiry if it is still needed. Its secret and its settings stay.
keys-soon-others = Only { $owner } can set a later expiry.
keys-idle-title = It was not used since { $date }
keys-idle-means = Revoke it if it is not needed any more. Nobody may notice if a forgotten key is misused.
keys-pause = Pause
keys-resume = Resume
keys-not-paused = “{ $label }” could not be paused.
keys-not-resumed = “{ $label }” could not be resumed.
keys-is-paused = “{ $label }” is paused. Its next call is refused.
keys-is-resumed = “{ $label }” works again.
keys-edit = Edit
keys-new-secret = New secret…
keys-revoke-ask = Revoke…

## Rotating

keys-rotate-title = Give “{ $label }” a new secret
keys-rotate-means = The key keeps its name, rights and history. Put the new secret into your assistant while the old one still works.
keys-grace = The old secret works for
keys-grace-hint = Choose “Not at all” if the old secret may be known to others. The assistant is refused then until it has the new one.
keys-grace-0 = Not at all
keys-grace-3600 = 1 hour
keys-grace-86400 = 1 day
keys-grace-259200 = 3 days
keys-grace-604800 = 7 days
keys-rotate = Create the new secret
keys-rotating = Creating…
keys-not-rotated = The key keeps its secret.
keys-rotated = “{ $label }” has a new secret
keys-rotated-old = The old secret works until { $when }. Replace it in the assistant before then.
keys-rotated-at-once = The old secret is refused from now on.
keys-rotate-lost = It is not known whether the key has a new secret
keys-rotate-lost-means = There was no answer, and the key cannot be loaded. Check your connection, then look again.
keys-rotate-lost-none = The key has no new secret
keys-rotate-lost-none-means = You can safely try again.
keys-rotate-lost-made = The key has a new secret, but it did not arrive
keys-rotate-lost-show = Show it now and put it into your assistant.
keys-rotate-lost-again = It cannot be shown again. End the old secret and create another new one. The assistant is refused until it has that one.
keys-finish-and-rotate = End the old one and create another
keys-old-title = The old secret works until { $when }
keys-old-used = It was last used { $when }, so an assistant has not changed to the new one yet.
keys-old-unused = It was not used since the new one was created.
keys-finish = End the old secret…
keys-finish-title = End the old secret?
keys-finish-used = The old secret was last used { $when }. An assistant that still has it is refused at once.
keys-finish-unused = The old secret was not used since the new one was created. An assistant that still has it is refused at once.
keys-finish-confirm = End the old secret
keys-finishing = Ending…
keys-not-finished = The old secret still works.
keys-finished = The old secret of “{ $label }” has ended.

## Connecting

keys-connect = Connect an assistant
keys-assistant = Your assistant
keys-choose-assistant = Choose your assistant
keys-system = System
keys-install-bridge = Install the bridge
keys-bridge = A small script that your assistant starts. It needs Python 3.8 or newer, nothing else.
keys-extension = Download the extension
keys-extension-how = Open it with Claude Desktop and press “Install”. It asks for the key. The address must be { $url }.
keys-or-line = Or use this line:
keys-install-line = Install line
keys-copy-line = Copy the line
keys-run-shell = Run it in a terminal. It asks for the key: copy the key and paste it there. Then start { $client } again.
keys-run-powershell = Run it in PowerShell. It asks for the key: copy the key and paste it there. Then start { $client } again.
keys-by-hand = Or add it by hand
keys-checksum = SHA-256 checksum
keys-checksum-of = SHA-256 checksum of { $file }
keys-script = Where you saved it
keys-script-hint = The whole path. Replace “you” with the name of your own folder.
keys-add-to = Add to { $client }
keys-cursor-next = Then replace “{ $placeholder }” with the key. Or do both by hand:
keys-vscode-next = VS Code asks for the key. Or add it to a project by hand:
keys-put-into = Put this into { $file }. If the file lists other servers already, add only the “svc” part.
keys-run-in-project = Run this line in the folder of your project:
keys-configuration = Configuration
keys-copy-configuration = Copy the configuration
keys-next-claude-desktop = Then quit Claude Desktop and start it again.
keys-next-claude-code = Then start Claude Code again; /mcp lists the server. Your shell may keep this line, and the key in it, in its history.
keys-next-cursor = Then turn “svc” on in Cursor’s settings, under MCP.
keys-next-vscode = Then press “Start” above the entry. VS Code asks for the key once and keeps it safe: paste the key there, not into the file.
keys-next-windsurf = Then press refresh in Windsurf’s MCP settings.
keys-next-codex = Then start Codex again; /mcp lists the server.
keys-next-gemini-cli = Then start Gemini CLI again; /mcp lists the server.
keys-next-zed = Zed reads the file again by itself. A green dot beside “svc” in its agent settings means that it works.

## The test of the connection

keys-test = Test the connection
keys-test-how = Start the test, then your assistant: it asks for its tools by itself, and this page sees it.
keys-test-waiting = Waiting for the first call of this key…
keys-test-unreachable = The service cannot be reached at the moment. Still trying…
keys-test-stop = Stop
keys-test-connected = Connected
keys-test-used = { $client } used this key { $when }. You can close this window.
keys-test-your-assistant = Your assistant
keys-test-dead = No call can succeed with it. Close this window and create a new key.
keys-test-nothing = No call in five minutes
keys-test-check-path = Is the path of the script right, and is the entry saved?
keys-test-check-start = Did you start the assistant again after saving?
keys-test-check-script = Run the script with { $flag } and the same variables: it says what is wrong.
keys-test-plan = MCP is not active on the brand’s plan at the moment, so calls are refused.
keys-test-again = Wait again
