# Texts of the view of the quotas.

usage-document-title = Quotas · { $brand }
usage-title = Quotas
usage-lead = What { $brand } may use on the plan “{ $plan }”, and how much of it is used now.
usage-refresh = Refresh
usage-fresh = Up to date.
usage-failed = The quotas could not be loaded.
usage-summary = Summary
usage-enough = There is enough of everything
usage-near =
    { $count ->
        [one] One quota is nearly used up
       *[other] { $count } quotas are nearly used up
    }
usage-full =
    { $count ->
        [one] One quota is used up
       *[other] { $count } quotas are used up
    }
usage-full-next = Calls that need more of it are refused until some of it is free. Wait, remove what is no longer needed, or move to a plan with higher quotas.
usage-full-next-member = Calls that need more of it are refused until some of it is free. Wait, remove what is no longer needed, or ask an administrator for a plan with higher quotas.
usage-used-up = Used up
usage-of = { $used } of { $limit }
usage-frees = Some of it is free again { $when }.
usage-more = How much each key and tool was used, day by day: { $link }

usage-group-period = A day or an hour
    .lead = The daily ones begin again at midnight UTC.
usage-group-now = At the same time
    .lead = What runs or waits now. It frees itself as work ends.
usage-group-stored = Kept
    .lead = What exists now.
usage-group-other = Others

usage-posts_per_day = Posts a day
    .frees = Free again at midnight UTC.
usage-report_emails_per_day = Report emails a day
    .frees = Free again at midnight UTC.
usage-audits_per_day = Audits a day
    .frees = Free again at midnight UTC.
usage-analyses_per_day = Analyses a day
    .frees = Free again at midnight UTC.
usage-keyword_searches_per_day = Keyword searches a day
    .frees = Free again at midnight UTC.
usage-connection_tests_per_hour = Tests of connections an hour
    .frees = Free again at the next full hour.
usage-open_long_jobs = Audits and analyses that have not ended
    .frees = Free again when one of them ends.
usage-concurrent_waits = Calls that wait for a result
    .frees = Free again when one of them ends.
usage-queued_targets = Scheduled posts, counted on each channel
    .frees = Free again when a post is published or cancelled.
usage-pending_approvals = Calls that wait for approval, of the key that has most
    .frees = Free again when a person decides on one of them.
usage-keys = Active keys
    .frees = Revoke a key to free one.
usage-schedules = Schedules
    .frees = Remove a schedule to free one.
usage-drafts = Drafts
    .frees = Publish or delete a draft to free one.
usage-stored_audits = Stored audits
    .frees = Beyond the limit, the oldest are deleted.
usage-stored_analyses = Stored analyses
    .frees = Beyond the limit, the oldest are deleted.
