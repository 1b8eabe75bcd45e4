# Texts that every view needs.

page-views = Views
page-view-keys = Keys
page-view-activity = Activity
page-view-not-loaded = This view could not be loaded.
page-operator = Operator console
page-unknown-view = There is no such view

loading = Loading…
try-again = Try again
close = Close
cancel = Cancel
unexpected-error = Something unexpected went wrong in this page. Try again, or reload it.
support-number = If it keeps happening, give your support this number:
in-a-moment = in less than a minute
just-now = just now
never = Never
