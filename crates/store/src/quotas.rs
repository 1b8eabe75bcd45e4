//! Quotas, checked inside the transaction that uses them up, so that concurrent requests cannot exceed them.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
    time::Instant,
};

use svc_mcp_access::{BrandId, KeyId, Quota, Quotas, StoreError, Timestamp, quota::QuotaCounts};
use svc_mcp_tools::{
    Change,
    analysis::AnalysisChange,
    approvals::{Approval, ApprovalChange},
    audit::AuditChange,
    jobs::JobKind,
    keywords::KeywordChange,
    posts::{Post, Target, TargetStatus},
    records::CommitError,
    report::ReportChange,
    schedules::ScheduleChange,
    tool::ToolFailure,
};

use crate::{
    Store,
    approvals::count_pending,
    engine::{Tx, query, within},
    error::Abort,
    parse_column, parse_quotas_column,
    quota_count_cache::{BrandCounts, ReadState},
    reports::{REPORT_EMAILS_OF_DAY, count_report_emails},
};

/// The active keys of a brand at `$2`, and when the first of them expires.
pub(crate) const ACTIVE_KEYS: &str = "SELECT COUNT(*) AS used, MIN(expires_at) AS frees_at FROM keys WHERE brand_id = $1 \
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";

const READ_LIMITS: &str =
    "SELECT p.quotas FROM brands b JOIN plans p ON p.plan_id = b.plan_id WHERE b.brand_id = $1";
const READ_COUNT: &str = "SELECT used FROM quota_counts WHERE brand_id = $1 AND quota = $2 AND day = $3";

/// Reads the limits of a brand. Until the commit, other transactions that count something of the same brand wait. SQLite
/// has only one writer anyway. The lock is not the brand's row: that is also locked by long imports, and calls that wait
/// for it would keep their connections from other brands.
pub(crate) async fn lock_limits(tx: &mut Tx<'_>, brand: &BrandId) -> Result<Quotas, sqlx::Error> {
    if let Tx::Postgres(connection) = tx {
        sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('quotas of ' || $1, 0))")
            .bind(brand.as_str())
            .execute(&mut **connection)
            .await?;
    }
    let row: Option<(Option<String>,)> =
        within!(tx, |db| sqlx::query_as(READ_LIMITS).bind(brand.as_str()).fetch_optional(db).await)?;
    parse_quotas_column(row.and_then(|(quotas,)| quotas).as_deref())
}

/// Refuses the changes of a call if they need more of a quota than the brand has left, and counts them.
pub(crate) async fn use_quotas(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    changes: &[Change],
    now: Timestamp,
) -> Result<(), Abort<CommitError>> {
    let needed = needed(changes, now);
    if needed.is_empty() && requested(changes).next().is_none() {
        return Ok(());
    }
    let limits = lock_limits(tx, brand).await?;
    check_pending_approvals(tx, brand, &limits, changes, now).await?;
    for (quota, wanted) in needed {
        let (used, frees_at) = usage(tx, brand, quota, now).await?;
        limits.check(quota, used, wanted, frees_at).map_err(|reached| {
            Abort::Refused(CommitError::Refused(ToolFailure::quota_reached(reached, wanted)))
        })?;
        if is_counted(quota) {
            add_to_count(tx, brand, quota, wanted, now).await?;
        }
    }
    Ok(())
}

fn requested(changes: &[Change]) -> impl Iterator<Item = &Approval> {
    changes.iter().filter_map(|change| match change {
        Change::Approvals(ApprovalChange::Request(new)) => Some(&new.approval),
        _ => None,
    })
}

/// The only quota that counts for each key.
async fn check_pending_approvals(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    limits: &Quotas,
    changes: &[Change],
    now: Timestamp,
) -> Result<(), Abort<CommitError>> {
    for approval in requested(changes) {
        let (used, expires) = count_pending(tx, brand, &approval.key_id, now).await?;
        let frees_at = expires.map(Timestamp::from_millis);
        limits.check(Quota::PendingApprovals, number(used), 1, frees_at).map_err(|reached| {
            Abort::Refused(CommitError::Refused(ToolFailure::quota_reached(reached, 1)))
        })?;
    }
    Ok(())
}

/// How much of each quota the changes need.
fn needed(changes: &[Change], now: Timestamp) -> BTreeMap<Quota, u32> {
    let mut needed = BTreeMap::new();
    let mut add = |quota, wanted: usize| {
        if wanted > 0 {
            *needed.entry(quota).or_insert(0u32) += u32::try_from(wanted).unwrap_or(u32::MAX);
        }
    };
    for change in changes {
        match change {
            Change::AddPost(post) => {
                let is_draft = |target: &Target| target.status == TargetStatus::Draft;
                add(Quota::PostsPerDay, 1);
                add(Quota::Drafts, usize::from(post.targets.iter().any(is_draft)));
                add(Quota::QueuedTargets, queued_targets(post));
            }
            Change::EditPost(edit) => {
                let Some(after) = &edit.after else { continue };
                add(Quota::QueuedTargets, queued_targets(after).saturating_sub(queued_targets(&edit.before)));
                // On the day of its creation the post is counted already.
                let is_counted = edit.before.created_at.day() == now.day();
                add(Quota::PostsPerDay, usize::from(!is_counted && edit.publishes()));
            }
            Change::AddJob(job) if JobKind::LONG.contains(&job.kind) => add(Quota::OpenLongJobs, 1),
            Change::Audits(AuditChange::Add(_)) => add(Quota::AuditsPerDay, 1),
            Change::Analyses(AnalysisChange::Add(_)) => add(Quota::AnalysesPerDay, 1),
            Change::Schedules(ScheduleChange::Add(_)) => add(Quota::Schedules, 1),
            Change::Keywords(KeywordChange::AddSearch { .. }) => add(Quota::KeywordSearchesPerDay, 1),
            Change::ConnectionTest(_) => add(Quota::ConnectionTestsPerHour, 1),
            Change::Reports(ReportChange::Order { emails, .. }) => {
                add(Quota::ReportEmailsPerDay, emails.len());
            }
            _ => {}
        }
    }
    needed
}

fn queued_targets(post: &Post) -> usize {
    post.targets.iter().filter(|target| target.is_queued()).count()
}

/// Whether the quota is counted in `quota_counts`. Report emails are not: their own rows are counted.
fn is_counted(quota: Quota) -> bool {
    (quota.is_daily() || quota == Quota::ConnectionTestsPerHour) && quota != Quota::ReportEmailsPerDay
}

/// The day or the hour that is counted, as the column `day` has it.
fn period(quota: Quota, now: Timestamp) -> String {
    if quota.is_daily() { now.day() } else { now.hour() }
}

/// The query of a quota that counts rows of the brand as they are: how many there are, and when one becomes free by itself.
fn counted_rows(quota: Quota) -> Option<&'static str> {
    Some(match quota {
        Quota::OpenLongJobs => {
            "SELECT COUNT(*) AS used, CAST(NULL AS BIGINT) AS frees_at FROM jobs WHERE brand_id = $1 \
             AND kind IN ('audit', 'analysis') AND status IN ('waiting', 'running')"
        }
        Quota::QueuedTargets => {
            "SELECT (SELECT COUNT(*) FROM post_targets WHERE brand_id = $1 AND status IN ('scheduled', 'publishing')) AS used, \
             (SELECT MIN(due_at) FROM jobs WHERE brand_id = $1 AND kind = 'publish' AND status IN ('waiting', 'running')) \
             AS frees_at"
        }
        Quota::Drafts => {
            "SELECT COUNT(DISTINCT post_id) AS used, CAST(NULL AS BIGINT) AS frees_at FROM post_targets \
             WHERE brand_id = $1 AND status = 'draft'"
        }
        Quota::Schedules => {
            "SELECT COUNT(*) AS used, CAST(NULL AS BIGINT) AS frees_at FROM schedules WHERE brand_id = $1"
        }
        Quota::StoredAnalyses => {
            "SELECT COUNT(*) AS used, CAST(NULL AS BIGINT) AS frees_at FROM analyses WHERE brand_id = $1"
        }
        Quota::StoredAudits => {
            "SELECT COUNT(*) AS used, CAST(NULL AS BIGINT) AS frees_at FROM audits WHERE brand_id = $1"
        }
        _ => return None,
    })
}

/// The calls of each key that wait for approval at `$2`.
const PENDING_APPROVALS: &str = "SELECT 'pending_approvals' AS quota, key_id, COUNT(*) AS used, MIN(expires_at) AS frees_at \
    FROM approvals WHERE brand_id = $1 AND status = 'pending' AND expires_at > $2 GROUP BY key_id";
/// What is counted for the day `$3` and the hour `$4`.
const COUNTS_OF_PERIODS: &str = "SELECT quota, '' AS key_id, used, CAST(NULL AS BIGINT) AS frees_at FROM quota_counts \
    WHERE brand_id = $1 AND day IN ($3, $4)";

/// All quotas in one statement. Only pending approvals have a key.
static COUNT_ALL: LazyLock<String> = LazyLock::new(|| {
    let rows = Quota::ALL.iter().filter_map(|quota| Some((*quota, counted_rows(*quota)?)));
    let all = rows.chain([(Quota::Keys, ACTIVE_KEYS), (Quota::ReportEmailsPerDay, REPORT_EMAILS_OF_DAY)]);
    let part = |(quota, sql): (Quota, &str)| {
        format!("SELECT '{}' AS quota, '' AS key_id, used, frees_at FROM ({sql}) AS counted", quota.as_str())
    };
    let parts = all.map(part).chain([PENDING_APPROVALS.to_owned(), COUNTS_OF_PERIODS.to_owned()]);
    parts.collect::<Vec<_>>().join(" UNION ALL ")
});

/// How much is used, and when some of it becomes free by itself.
async fn usage(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    quota: Quota,
    now: Timestamp,
) -> Result<(u32, Option<Timestamp>), sqlx::Error> {
    let Some(sql) = counted_rows(quota) else {
        let used = if is_counted(quota) {
            let count: Option<(i64,)> = within!(tx, |db| sqlx::query_as(READ_COUNT)
                .bind(brand.as_str())
                .bind(quota.as_str())
                .bind(period(quota, now))
                .fetch_optional(db)
                .await)?;
            count.map_or(0, |(used,)| used)
        } else {
            count_report_emails(tx, brand, now).await?
        };
        return Ok((number(used), quota.next_period(now)));
    };
    let (used, frees_at): (i64, Option<i64>) =
        within!(tx, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_one(db).await)?;
    Ok((number(used), frees_at.map(|at| free_time(at, now))))
}

/// A job that is late is done as soon as possible.
fn free_time(at: i64, now: Timestamp) -> Timestamp {
    Timestamp::from_millis(at).max(now)
}

async fn add_to_count(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    quota: Quota,
    wanted: u32,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "INSERT INTO quota_counts (brand_id, quota, day, used) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (brand_id, quota, day) DO UPDATE SET used = quota_counts.used + excluded.used",
    )
    .bind(brand.as_str())
    .bind(quota.as_str())
    .bind(period(quota, now))
    .bind(i64::from(wanted))
    .execute(db)
    .await
    .map(|_| ()))
}

fn number(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Store {
    /// How much of each quota the brand uses, except for the calls that wait. For displays only: it comes from a cache.
    pub(crate) async fn quota_counts(
        &self,
        brand: &BrandId,
        key: Option<&KeyId>,
        now: Timestamp,
    ) -> Result<QuotaCounts, StoreError> {
        let generation = self.engine.write_generation(brand);
        let state = ReadState { generation, now, started: Instant::now() };
        if let Some(counts) = self.quota_counts.get(brand, &state) {
            return Ok(counts.for_key(key, now));
        }
        let counts = Arc::new(self.read_quota_counts(brand, now).await?);
        self.quota_counts.insert(brand, &counts, state);
        Ok(counts.for_key(key, now))
    }

    async fn read_quota_counts(&self, brand: &BrandId, now: Timestamp) -> Result<BrandCounts, StoreError> {
        self.run_for(brand, "quota_counts", async {
            let rows: Vec<(String, String, i64, Option<i64>)> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(COUNT_ALL.as_str()))
                    .bind(brand.as_str())
                    .bind(now.millis())
                    .bind(now.day())
                    .bind(now.hour())
                    .fetch_all(db)
                    .await)?;
            let mut counts = BrandCounts::default();
            for (quota, key, used, frees_at) in rows {
                // A newer version may count more quotas.
                let Ok(quota) = quota.parse::<Quota>() else { continue };
                let frees_at = quota.next_period(now).or(frees_at.map(Timestamp::from_millis));
                if quota == Quota::PendingApprovals {
                    let key = parse_column(&key, "key id")?;
                    counts.pending_approvals.insert(key, (number(used), frees_at));
                } else {
                    counts.counts.insert(quota, (number(used), frees_at));
                }
            }
            Ok(counts)
        })
        .await
    }

    pub(crate) async fn used_today(
        &self,
        brand: &BrandId,
        quota: Quota,
        now: Timestamp,
    ) -> Result<u32, StoreError> {
        if !is_counted(quota) {
            return self.report_emails_today(brand, now).await;
        }
        self.run_for(brand, "used_today", async {
            let count: Option<(i64,)> = query!(&self.engine, |db| sqlx::query_as(READ_COUNT)
                .bind(brand.as_str())
                .bind(quota.as_str())
                .bind(period(quota, now))
                .fetch_optional(db)
                .await)?;
            Ok(number(count.map_or(0, |(used,)| used)))
        })
        .await
    }
}
