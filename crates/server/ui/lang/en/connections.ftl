# Texts of the connections view: channels, report recipients, keyword lists, event endpoints.

connections-document-title = Connections · { $brand }
connections-title = Connections
connections-lead = Where the posts of { $brand } go, who gets its reports, and which systems learn what happens.
connections-admins-only = Only administrators see connections
connections-admins-only-next = Connections hold credentials of other services. Ask one of these people if something has to be added or changed:
connections-admins = Administrators

connections-name = Name
    .title = 1 to 64 letters, digits, hyphens and underscores
connections-name-taken = This name is in use. Choose another one, or change the entry that has it.
connections-save = Save
connections-add = Add
connections-change = Change
connections-change-of = Change { $name }
connections-remove-of = Remove { $name }
connections-counting = Counting what is still to be published…
# $message comes from the service, such as "is required".
connections-fault = { $field } { $message }

connections-test = Send a test
connections-test-of = Send a test to { $name }
connections-test-good = The test was successful
connections-test-bad = The test failed
connections-test-not-run = The test could not be sent.
connections-test-status = HTTP status of the answer: { $status }

connections-secret-keep = One is set, and it cannot be shown. Leave this empty to keep it, or type a new one to replace it.
connections-secret-placeholder = Set
connections-secret-title = Copy the signing secret now
connections-secret-once = With this secret, the receiver of “{ $name }” checks that a message is genuine. It is shown only now.
connections-secret-use = Messages are signed as Standard Webhooks. Store the secret where the receiver can read it, and nowhere else.
connections-secret-copy = Copy
    .label = Copy the signing secret
connections-secret-copied = Copied
connections-secret-selected = The secret is selected. Press Ctrl+C or ⌘C to copy it.
connections-secret-done = Done
connections-secret-close-anyway = Close without copying
connections-secret-not-copied = The secret was not copied yet
connections-secret-not-copied-next = It cannot be shown again. Copy it first, or close this without copying.
connections-secret-lost-title = Saved, without its secret
connections-secret-lost = “{ $name }” was saved, but its signing secret did not arrive

## Channels

connections-channels = Channels
connections-channels-lead = Where posts are published. Secrets are stored encrypted and never shown again.
connections-channels-failed = The channels could not be loaded.
connections-channel-add = Add channel
connections-channel-add-title = Add a channel
connections-channel-change-title = Change the channel
connections-channel-kind = Kind
connections-channel-name =
    .hint = Assistants choose the channel by this name. It cannot be changed later.
connections-channel-account = { $account } on { $server }
connections-channel-limits =
    { $media ->
        [one] Texts of up to { $text } characters, one picture.
       *[other] Texts of up to { $text } characters, { $media } pictures.
    }
connections-channel-added = “{ $name }” was added. Send a test to see whether it works.
connections-channel-changed = “{ $name }” was changed.
connections-channel-not-saved = The channel could not be saved.
connections-channel-secret-lost = The connection broke while it was saved. Open “Change” and type a signing secret of your own.
connections-channel-remove = Remove channel
connections-channel-remove-title = Remove this channel?
connections-channel-removed = “{ $name }” was removed.
connections-channel-not-removed = The channel could not be removed.
connections-channel-loses-posts =
    { $count ->
        [0] No scheduled post is lost.
        [one] One post that is scheduled for it is cancelled there.
       *[other] { $count } posts that are scheduled for it are cancelled there.
    }
connections-channel-loses-posts-unknown = Posts that are scheduled for it are cancelled there. Their number could not be loaded.
connections-channel-loses-secret = Its stored secret is deleted. You need it to add the channel again.
connections-channel-keeps = What was published there stays public.

connections-kind-feed = Feed
connections-kind-webhook = Webhook
connections-kind-mastodon = Mastodon
connections-kind-bluesky = Bluesky
connections-secret-set-webhook = Signing secret: set
connections-secret-set-mastodon = Access token: set
connections-secret-set-bluesky = App password: set

connections-webhook-url = Address
    .hint = Each post is sent to this http or https address.
connections-webhook-secret = Signing secret
    .hint = Leave this empty: a secret is generated and shown once. Your own one is “whsec_” and 24 to 64 bytes in base64.
connections-mastodon-server = Server
    .hint = The https address of the server, such as https://mastodon.social
connections-mastodon-access_token = Access token
    .hint = From Preferences → Development of the account, with the scopes write:statuses and write:media.
connections-mastodon-visibility = Who sees the posts
    .hint = As Mastodon names it.
connections-mastodon-visibility-public = Everybody
connections-mastodon-visibility-unlisted = Everybody, but not in public timelines
connections-mastodon-visibility-private = Only followers
connections-mastodon-max_characters = Longest post
    .hint = The number of characters that the server allows. Empty: 500.
connections-bluesky-identifier = Account
    .hint = The handle or DID, such as northwind.bsky.social
connections-bluesky-app_password = App password
    .hint = From Settings → Privacy and security → App passwords. Not the password of the account.
connections-bluesky-server = Server
    .hint = Empty: https://bsky.social
connections-bluesky-langs = Languages of the posts
    .hint = At most three, such as: en, de

## Report recipients

connections-recipients = Report recipients
connections-recipients-lead = They get the reports by email, once they have confirmed their address.
connections-recipients-failed = The recipients could not be loaded.
connections-recipients-none = No recipients yet. Add an address: the person gets an email and confirms it.
connections-recipients-add = Add recipients
connections-recipients-add-title = Add report recipients
connections-recipients-addresses = Email addresses
    .hint = Several are separated by commas, spaces or lines.
connections-recipients-asked = Each person gets an email with a link, and gets reports only after confirming with it.
connections-recipients-empty = Type at least one address.
connections-recipients-known = All of these addresses are on the list already.
connections-recipients-wrong =
    { $count ->
        [one] This is not an email address: { $addresses }
       *[other] These are not email addresses: { $addresses }
    }
connections-recipients-added =
    { $count ->
        [one] One address was added.
       *[other] { $count } addresses were added.
    }
connections-recipients-not-added = Nothing was added.
connections-recipients-test =
    .label =
        { $count ->
            [one] Send a test mail to the confirmed recipient
           *[other] Send a test mail to the { $count } confirmed recipients
        }
connections-recipient-pending = Not confirmed yet
    .next = Gets no reports before the person confirms with the link in the email. Asked: { $when }
connections-recipient-confirmed = Confirmed
    .next = Confirmed: { $when }
connections-recipient-suppressed = Unsubscribed
    .next = Gets no reports. Only the person can subscribe again, with the link in the confirmation email. Unsubscribed: { $when }
connections-recipient-remove = Remove recipient
connections-recipient-remove-title = Remove this recipient?
connections-recipient-removed = { $email } was removed.
connections-recipient-not-removed = The recipient could not be removed.
connections-recipient-loses-pending = The person gets no reports, and the link in the confirmation email adds nothing.
connections-recipient-loses-confirmed = The person gets no more reports. Reports that were sent already are not affected.
connections-recipient-loses-suppressed = The person gets no reports now either. If you add the address again, it is still unsubscribed.

## Keyword lists

connections-keywords = Keyword lists
connections-keywords-lead = Exports of keyword tools. Keyword research uses their figures.
connections-keywords-failed = The keyword lists could not be loaded.
connections-keywords-none = No list yet. Upload an export to have search volumes in keyword research.
connections-keywords-how = A CSV file as Google Keyword Planner, Google Search Console, Ahrefs or Semrush exports it, with English column names. At most 5 MiB and 50,000 rows.
connections-keywords-upload = Upload a file
connections-keywords-uploading = Uploading…
connections-keywords-too-large = The file is larger than 5 MiB. Export fewer keywords or fewer columns.
connections-keywords-not-imported = “{ $file }” was not imported
connections-keywords-imported = “{ $file }” was recognised as an export of { $tool }
connections-keywords-rows =
    { $count ->
        [one] One keyword was imported.
       *[other] { $count } keywords were imported.
    }
connections-keywords-skipped =
    { $count ->
        [one] One row was skipped.
       *[other] { $count } rows were skipped.
    }
connections-keywords-skipped-why =
    { $count ->
        [one] One row was skipped:
       *[other] { $count } rows were skipped:
    }
connections-keywords-problem = Line { $line }: { $message }
connections-keywords-more =
    { $count ->
        [one] One more row has a problem that is not listed.
       *[other] { $count } more rows have problems that are not listed.
    }
connections-keywords-replaced = The same file was imported before. This import replaces that one.
connections-keywords-name = { $tool }, { $at }
connections-keywords-remove = Remove list
connections-keywords-remove-title = Remove this keyword list?
connections-keywords-removed = The list “{ $name }” was removed.
connections-keywords-not-removed = The list could not be removed.
connections-keywords-loses =
    { $count ->
        [one] Its keyword and figures are deleted. To have them back, upload the file again.
       *[other] Its { $count } keywords and their figures are deleted. To have them back, upload the file again.
    }
connections-tool-keyword_planner = Google Keyword Planner
connections-tool-search_console = Google Search Console
connections-tool-ahrefs = Ahrefs
connections-tool-semrush = Semrush

## Event endpoints

connections-endpoints = Event endpoints
connections-endpoints-lead = Your own systems get a signed message when something happens, such as a leaked key or a failed post.
connections-endpoints-failed = The event endpoints could not be loaded.
connections-endpoints-none = No endpoint yet. Add the address of a system that should learn what happens here.
connections-endpoint-add = Add endpoint
connections-endpoint-add-title = Add an event endpoint
connections-endpoint-change-title = Change the event endpoint
connections-endpoint-name =
    .hint = For you, to tell endpoints apart. It cannot be changed later.
connections-endpoint-url = Address
    .hint = The http or https address of a public server.
connections-endpoint-events = Which events it gets
connections-endpoint-all-types = All events
connections-endpoint-some-types = Only some events
connections-endpoint-types =
    { $count ->
        [one] One kind of event
       *[other] { $count } kinds of events
    }
connections-endpoint-no-types = Choose at least one event, or all events.
connections-endpoint-enabled = It gets events
    .hint = While this is off, no events are kept for it.
connections-endpoint-rotate = Replace the signing secret
    .hint = The new secret is shown once. The old one ends at once.
connections-endpoint-active = Active
connections-endpoint-failing = Failing
connections-endpoint-stopped = Stopped
connections-endpoint-disabled = Switched off
connections-endpoint-failing-since = Every try has failed. First failure: { $when }
connections-endpoint-dropped =
    { $count ->
        [one] One event was given up, because too many waited.
       *[other] { $count } events were given up, because too many waited.
    }
connections-endpoint-off-title = The service has switched this endpoint off, because it failed for 3 days
connections-endpoint-off-reason = The last error: { $reason }
connections-endpoint-off-next = Repair the receiver, then switch the endpoint on. Events that happened meanwhile were not kept for it.
connections-endpoint-switch-on = Switch on
connections-endpoint-on = “{ $name }” is on again.
connections-endpoint-changed = “{ $name }” was changed.
connections-endpoint-not-saved = The endpoint could not be saved.
connections-endpoint-remove = Remove endpoint
connections-endpoint-remove-title = Remove this event endpoint?
connections-endpoint-removed = “{ $name }” was removed.
connections-endpoint-not-removed = The endpoint could not be removed.
connections-endpoint-loses-events = Nothing more is sent to { $url }, also not what waits.
connections-endpoint-loses-deliveries = The list of its deliveries is deleted.
connections-endpoint-loses-secret = Its signing secret is deleted. A new endpoint gets another one.

connections-events-key = Keys
connections-events-approval = Approvals
connections-events-post = Posts
connections-events-work = Audits and background work
connections-events-brand = Brand and members
connections-event-key-created = Key created
connections-event-key-updated = Key changed
connections-event-key-revealed = Secret of a key shown
connections-event-key-rotated = Key has a new secret
connections-event-key-paused = Key paused
connections-event-key-resumed = Key resumed
connections-event-key-revoked = Key revoked
connections-event-key-expiring = Key expires soon
connections-event-key-leaked = Key leaked
connections-event-approval-requested = Approval needed
connections-event-approval-decided = Approval decided
connections-event-post-published = Post published
connections-event-post-failed = Post failed
connections-event-post-withdrawn = Post withdrawn
connections-event-job-failed = Background work failed
connections-event-audit-new_errors = Audit found new errors
connections-event-brand-updated = Brand changed
connections-event-brand-suspended = Brand suspended
connections-event-brand-resumed = Brand resumed
connections-event-member-added = Member added
connections-event-member-removed = Member removed

connections-deliveries = Deliveries
connections-deliveries-of = Deliveries to { $name }
connections-deliveries-title = Deliveries to “{ $name }”
connections-deliveries-lead = What was sent in the last 30 days, newest first. A failed delivery is tried 8 times over a day.
connections-deliveries-failed = The deliveries could not be loaded.
connections-deliveries-none = Nothing was sent yet. Send a test, or wait for the first event.
connections-deliveries-no-match = No delivery has this state.
connections-deliveries-state = State
connections-deliveries-refresh = Refresh
connections-deliveries-fresh = Up to date.
connections-deliveries-older = Show older deliveries
connections-deliveries-event = Event
connections-deliveries-result = Result
connections-deliveries-when = When
connections-delivery-any = Any
connections-delivery-pending = Waiting
connections-delivery-delivered = Delivered
connections-delivery-failed = Failed
connections-delivery-answer = Answer { $status }
connections-delivery-attempts =
    { $count ->
        [one] one try
       *[other] { $count } tries
    }
connections-delivery-next = Next try: { $when }
connections-delivery-resend = Send again
    .label = Send again: { $event }
connections-delivery-resent = It is being sent again.
connections-delivery-not-resent = It could not be sent again.
