# Texts that every view needs.

page-name = MCP keys
page-settings = Settings
page-skip = Skip to content
page-title = { $waiting ->
        [0] { $view } · { $brand }
       *[other] ({ $waiting }) { $view } · { $brand }
    }
page-not-loaded = Your settings could not be loaded.
page-views = Views
page-waiting = { $count ->
        [one] { $count } action waits
       *[other] { $count } actions wait
    }
page-new-waiting = { $count ->
        [one] A new action waits for approval. { $count } action waits in all.
       *[other] A new action waits for approval. { $count } actions wait in all.
    }
page-view-keys = Keys
page-view-approvals = Approvals
page-view-posts = Posts
page-view-site = Site
page-view-connections = Connections
page-view-usage = Quotas
page-view-activity = Activity
page-view-not-loaded = This view could not be loaded.
page-operator = Operator console
page-unknown-view = There is no such view
page-style-not-loaded = The style of this view could not be loaded.
page-back = Back
page-back-to = Back to { $name }

## The head of the page

page-brand = Brand
page-role-admin = Administrator
page-role-member = Member
page-sign-out = Sign out
page-signed-in-as = Signed in as { $user }
page-still-signed-in = You are still signed in. { $problem }
page-signed-in-again = You are signed in again.

## Signing in

page-link-not-used = You stay signed in: the link that was opened could not be used. { $problem }
page-session-ended = Your sign-in has ended
page-session-ends-soon = Your sign-in ends soon
page-session-ends = It ends { $when }.
page-sign-in-again = { $link }, then go on here. What you have typed stays.
    .link = Sign in again in another tab
page-open-again = Open Settings → MCP from your application in another tab, then go on here. What you have typed stays.

## Everywhere

loading = Loading…
try-again = Try again
close = Close
cancel = Cancel
discard = Discard it
discard-keep = Go on editing
discard-question = What you have typed is not saved
remove = Remove
unexpected-error = Something unexpected went wrong in this page. Try again, or reload it.
support-number = If it keeps happening, give your support this number: { $number }
in-a-moment = in less than a minute
just-now = just now
full-time = { $when } ({ $exact })
never = Never
dismiss = Dismiss this message
you = You
unknown-person = An unknown person
copy = Copy
copied = Copied
copied-announced = Copied to the clipboard.
copy-by-keyboard = Press Ctrl+C
copy-selected = The text is selected. Press Ctrl+C or ⌘C to copy it.
service-unreachable = The service could not be reached. Check your connection, then try again.
answer-unreadable = The answer of the service ({ $status }) could not be read. Try again in a moment.
