//! Quotas, checked inside the transaction that uses them up, so that concurrent requests cannot exceed them.

use std::collections::BTreeMap;

use svc_mcp_access::{BrandId, Quota, Quotas, StoreError, Timestamp};
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
    tool::ToolFailure,
};

use crate::{
    Store,
    approvals::count_pending,
    engine::{Tx, query, within},
    error::Abort,
    parse_quotas_column,
    reports::count_report_emails,
};

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
            Change::Keywords(KeywordChange::AddSearch { .. }) => add(Quota::KeywordSearchesPerDay, 1),
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
    quota.is_daily() && quota != Quota::ReportEmailsPerDay
}

/// How much is used, and when some of it becomes free by itself.
async fn usage(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    quota: Quota,
    now: Timestamp,
) -> Result<(u32, Option<Timestamp>), sqlx::Error> {
    let sql = match quota {
        Quota::OpenLongJobs => {
            "SELECT COUNT(*), CAST(NULL AS BIGINT) FROM jobs WHERE brand_id = $1 AND kind IN ('audit', 'analysis') \
             AND status IN ('waiting', 'running')"
        }
        Quota::QueuedTargets => {
            "SELECT (SELECT COUNT(*) FROM post_targets WHERE brand_id = $1 AND status IN ('scheduled', 'publishing')), \
             (SELECT MIN(due_at) FROM jobs WHERE brand_id = $1 AND kind = 'publish' AND status IN ('waiting', 'running'))"
        }
        Quota::Drafts => {
            "SELECT COUNT(DISTINCT post_id), CAST(NULL AS BIGINT) FROM post_targets WHERE brand_id = $1 \
             AND status = 'draft'"
        }
        daily => {
            let used = if is_counted(daily) {
                let count: Option<(i64,)> = within!(tx, |db| sqlx::query_as(READ_COUNT)
                    .bind(brand.as_str())
                    .bind(daily.as_str())
                    .bind(now.day())
                    .fetch_optional(db)
                    .await)?;
                count.map_or(0, |(used,)| used)
            } else {
                count_report_emails(tx, brand, now).await?
            };
            return Ok((number(used), Some(now.next_midnight())));
        }
    };
    let (used, frees_at): (i64, Option<i64>) =
        within!(tx, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_one(db).await)?;
    // A job that is late is done as soon as possible.
    let frees_at = frees_at.map(|at| Timestamp::from_millis(at).max(now));
    Ok((number(used), frees_at))
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
    .bind(now.day())
    .bind(i64::from(wanted))
    .execute(db)
    .await
    .map(|_| ()))
}

fn number(count: i64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Store {
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
                .bind(now.day())
                .fetch_optional(db)
                .await)?;
            Ok(number(count.map_or(0, |(used,)| used)))
        })
        .await
    }
}
