# The operator's console: background work.

operator-jobs-title = Jobs
operator-jobs-lead = The background work of all brands, newest first.
operator-jobs-filters = Filter the jobs
operator-jobs-job = Job
operator-jobs-kind = Kind
operator-jobs-kind-audit = Audit
operator-jobs-kind-analysis = Analysis
operator-jobs-kind-publish = Publish a post
operator-jobs-kind-withdraw = Withdraw a post
operator-jobs-kind-report_email = Report email
operator-jobs-kind-approval_notice = Notice of approvals
operator-jobs-kind-schedule = Schedule
operator-jobs-reason = Reason
operator-jobs-attempts = Attempts
operator-jobs-when = Time
operator-jobs-ended = Ended { $when }
operator-jobs-due = Due { $when }
operator-jobs-held-one = Held for now
operator-jobs-empty = No jobs
operator-jobs-empty-hint = Posts, audits, analyses, emails and schedules that agents and people order are listed here.

operator-jobs-retry = Retry…
operator-jobs-retry-of = Retry the job for { $subject }
operator-jobs-retry-title = Try this job again?
operator-jobs-retry-means = It is due at once. It is refused if what it works on is not failed any more, or if it may have gone out: nothing is sent twice.
operator-jobs-retry-action = Try again now
operator-jobs-retry-done = The job is tried again.
operator-jobs-cancel = Cancel…
operator-jobs-cancel-of = Cancel the job for { $subject }
operator-jobs-cancel-title = Cancel this job?
operator-jobs-cancel-means = Its post, email, audit or analysis is cancelled, too. Cancelling the job of a schedule deletes the schedule. This cannot be undone.
operator-jobs-cancel-action = Cancel job
operator-jobs-cancel-done = The job is cancelled.
operator-jobs-change-failed = The job was not changed.

operator-jobs-hold = Hold all jobs…
operator-jobs-hold-title = Hold all jobs of all brands?
operator-jobs-hold-means = No instance begins another job. What has begun ends by itself, and what is ordered waits.
operator-jobs-hold-undo = You can resume all jobs at any time. Work that is then more than 24 hours late is cancelled.
operator-jobs-hold-action = Hold all jobs
operator-jobs-hold-failed = The jobs are not held.
operator-jobs-hold-done = { $count ->
    [0] All jobs are held. No job was running.
    [one] All jobs are held. One job had begun and ends by itself.
   *[other] All jobs are held. { $count } jobs had begun and end by themselves.
}
operator-jobs-held = All jobs are held
operator-jobs-held-operator = An operator has held them since { $since }. Nothing is published, sent or audited until they are resumed.
operator-jobs-held-restore = The database was restored from a backup, so all jobs are held since { $since }. Nothing is published, sent or audited until they are resumed.
operator-jobs-held-backup = The backup was made on { $at }.
operator-jobs-resume = Resume all jobs…
operator-jobs-resume-title = Resume all jobs?
operator-jobs-resume-means = The jobs of all brands run again. Those that were due more than 24 hours ago are cancelled.
operator-jobs-resume-cancel = Also cancel everything that was due before the hold began
operator-jobs-resume-cancel-hint = After a restore, such work may have gone out already.
operator-jobs-resume-action = Resume all jobs
operator-jobs-resume-failed = The jobs are still held.
operator-jobs-resume-done = { $count ->
    [0] All jobs run again. No job was too late.
    [one] All jobs run again. One job was too late and is cancelled.
   *[other] All jobs run again. { $count } jobs were too late and are cancelled.
}
