# Texts of the site view: audits, what to fix, schedules.

site-document-title = Site · { $brand }
site-title = Site
site-lead = How well the website of { $brand } works for visitors and search engines, and what to fix first.
site-run = Run an audit now
site-running = An audit is running
site-queued = An audit waits for its turn
site-started = The audit has started.
site-not-started = The audit could not be started.
site-failed = The audits could not be loaded.
site-done = The audit is done. The score is { $score }.
site-ended =
    { $status ->
        [cancelled] The audit was cancelled.
       *[other] The audit failed.
    }
site-empty = No audit yet
site-empty-next = An audit reads the pages of the website, finds what is broken or missing, and says what to fix first. Run one now, or let it repeat every week.
site-progress = Progress of the audit
site-stage-none = It begins in a moment.
site-stage-pages =
    { $visited ->
        [one] One page was read, { $waiting } more are known.
       *[other] { $visited } pages were read, { $waiting } more are known.
    }
site-stage-other_links = All pages were read. Links to other sites and pictures are checked now.

site-score = Score
site-score-of = On a scale from 0 to 100. 100 means that no page has an error.
site-score-words =
    { $count ->
        [one] The score of one audit: { $last }.
       *[other] The scores of { $count } audits, from { $first } in the oldest to { $last } in the newest.
    }
site-score-table = Scores of the audits
site-as-table = Show as a table
site-point = { $when }: { $score }
site-better =
    { $points ->
        [one] One point better than the audit before
       *[other] { $points } points better than the audit before
    }
site-worse =
    { $points ->
        [one] One point worse than the audit before
       *[other] { $points } points worse than the audit before
    }
site-same = The same as in the audit before
site-pages = Pages
site-errors = Errors
site-warnings = Warnings

site-fixes = What to fix
site-fixes-newest = From the newest audit, { $when }. The most important comes first.
site-fixes-older = From an older audit, { $when }.
site-fixes-show-newest = Show the newest
site-fixes-failed = What to fix could not be loaded.
site-fixes-all = Show all { $count } causes
site-fixes-cover = These causes cover { $covered } of { $found } issues. The others matter less.
site-no-fixes = Nothing to fix was found
site-partial = This audit did not read the whole site
site-partial-next =
    { $count ->
        [0] Its score is only that of the pages that were read.
        [one] One known page was not read. The score is only that of the pages that were read.
       *[other] { $count } known pages were not read. The score is only that of the pages that were read.
    }
site-partial-short = Part of the site
site-severity-error = Error
site-severity-warning = Warning
site-severity-notice = Notice
site-gain =
    { $points ->
        [one] The score rises by one point
       *[other] The score rises by { $points } points
    }
site-fix-issues =
    { $count ->
        [one] Found once.
       *[other] Found { $count } times.
    }
site-fix-pages =
    { $count ->
        [one] One page is affected.
       *[other] { $count } pages are affected.
    }
site-fix-show =
    { $count ->
        [one] Show what leads to it
       *[other] Show all of them
    }
site-fix-more =
    { $count ->
        [one] One more page is not listed.
       *[other] { $count } more pages are not listed.
    }
site-fix-linked-from = These lead to it:

site-audits = Last audits
site-when = When
site-state = State
site-found = Found
site-by = Started by
site-by-schedule = A schedule
site-counts = Pages: { $pages }, errors: { $errors }, warnings: { $warnings }
site-status-queued = Waiting
site-status-running = Running
site-status-done = Done
site-status-failed = Failed
site-status-cancelled = Cancelled
site-show = Show
    .label = Show what to fix of the audit of { $when }
site-shown = Shown
site-older = Show older audits

site-schedules = Schedules
site-schedules-lead = Audits and reports that repeat by themselves.
site-schedules-failed = The schedules could not be loaded.
site-schedules-none = Nothing repeats yet. Add a schedule to have the site audited, or a report mailed, every week or month.
site-schedules-none-member = Nothing repeats yet. Administrators can add a schedule.
site-schedule-add = Add schedule
site-schedule-add-title = Add a schedule
site-schedule-save = Add
site-schedule-kind = What repeats
site-schedule-audit = Audit of the site
    .hint = Reads the whole site, at most 1,000 pages.
site-schedule-report = Report by email
    .hint = Covers the week or month before, for all recipients who have confirmed.
site-schedule-every = How often
site-every-week = Every week
site-every-month = Every month
site-schedule-weekday = Day of the week
site-schedule-day = Day of the month
    .hint = A month with fewer days has it on its last day.
site-schedule-at = Time of day
    .hint = In the time zone of the brand: { $zone }
site-monday = Monday
site-tuesday = Tuesday
site-wednesday = Wednesday
site-thursday = Thursday
site-friday = Friday
site-saturday = Saturday
site-sunday = Sunday
site-schedule-week =
    { $weekday ->
        [monday] Every Monday at { $at } ({ $zone })
        [tuesday] Every Tuesday at { $at } ({ $zone })
        [wednesday] Every Wednesday at { $at } ({ $zone })
        [thursday] Every Thursday at { $at } ({ $zone })
        [friday] Every Friday at { $at } ({ $zone })
        [saturday] Every Saturday at { $at } ({ $zone })
       *[sunday] Every Sunday at { $at } ({ $zone })
    }
site-schedule-month = Every month on day { $day } at { $at } ({ $zone })
site-schedule-name = { $kind }: { $when }
site-schedule-next = Next: { $at }
site-schedule-last = Last run: { $when }
site-schedule-failure = The last run started nothing: { $reason }
site-schedule-key = Made with the key { $key }. It ends when the key is revoked.
site-schedule-notes = Please note
site-schedule-added = The schedule was added.
site-schedule-known = There was an equal schedule already.
site-schedule-not-added = The schedule could not be added.
site-schedule-remove = Remove schedule
site-schedule-remove-of = Remove: { $name }
site-schedule-remove-title = Remove this schedule?
site-schedule-removed = The schedule was removed.
site-schedule-not-removed = The schedule could not be removed.
site-schedule-loses-audit = The audit of { $at } and all later ones do not run. An audit that runs now goes on, and past audits stay.
site-schedule-loses-report = The report of { $at } and all later ones are not sent. Emails that wait are still sent.
