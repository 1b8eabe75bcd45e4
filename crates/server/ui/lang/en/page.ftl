# Texts that every view needs.

page-views = Views
page-view-keys = Keys
page-view-activity = Activity
page-view-not-loaded = This view could not be loaded.
page-unknown-view = There is no such view
page-back = Back
page-back-to = Back to { $name }

embed-title-none = Waiting for your application
embed-title-out = You are signed out
embed-title-ended = Your sign-in has ended
embed-title-link = Your application could not sign you in
embed-explanation = This page is part of your application, which signs you in. Nothing is lost: your keys are kept and go on working.
embed-ask = Sign in again

loading = Loading…
try-again = Try again
close = Close
cancel = Cancel
unexpected-error = Something unexpected went wrong in this page. Try again, or reload it.
support-number = If it keeps happening, give your support this number:
in-a-moment = in less than a minute
just-now = just now
never = Never
