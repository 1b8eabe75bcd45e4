//! Cancels what a key has queued: its jobs, and the posts, mails, audits and analyses that they work on.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::AddAssign,
};

use sqlx::QueryBuilder;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, KeyId, Timestamp, UserId, decision::Denial};
use svc_mcp_tools::{
    jobs::{JobKind, cancel_reason},
    posts::uncertain_reason,
};

use crate::{
    EventKind, EventOutcome, NewEvent,
    activity::insert_folded_event,
    approvals::cancel_approvals,
    engine::{Tx, within},
    parse_column,
    queued_work::{find_ordering_keys, lock_jobs},
    schedules::delete_schedules,
};

const ROWS_PER_STATEMENT: usize = 200;

/// What became of the work that a key had queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoppedWork {
    /// Nothing of it goes out any more.
    pub cancelled: WorkCounts,
    /// A worker had begun it before. A post or mail that is being sent cannot be called back. An audit or analysis is
    /// stopped within seconds, and its result is discarded.
    pub already_sending: WorkCounts,
}

/// A post counts once, whatever the number of its channels is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkCounts {
    pub posts: u32,
    pub mails: u32,
    /// Audits and analyses.
    pub jobs: u32,
    /// Calls that waited for approval.
    pub approvals: u32,
    pub schedules: u32,
}

impl AddAssign for StoppedWork {
    fn add_assign(&mut self, other: Self) {
        self.cancelled += other.cancelled;
        self.already_sending += other.already_sending;
    }
}

impl AddAssign for WorkCounts {
    fn add_assign(&mut self, other: Self) {
        let Self { posts, mails, jobs, approvals, schedules } = other;
        self.posts += posts;
        self.mails += mails;
        self.jobs += jobs;
        self.approvals += approvals;
        self.schedules += schedules;
    }
}

/// Whose work is cancelled.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OrderedBy<'a> {
    Key(&'a KeyId),
    /// All keys that this user has created.
    Creator(&'a UserId),
}

/// Why work is cancelled, and by whom.
#[derive(Debug)]
pub(crate) struct Cancellation<'a> {
    pub(crate) denial: Denial,
    pub(crate) actor: &'a UserId,
    pub(crate) at: Timestamp,
    /// The ids of the events start with this.
    pub(crate) event_prefix: &'a str,
}

#[derive(FromRow)]
struct JobRow {
    key_id: String,
    kind: String,
    subject: String,
    begun_at: Option<i64>,
}

impl OrderedBy<'_> {
    /// A condition on `jobs` or `approvals` with the brand as `$1` and [`id`](Self::id) as `$2`.
    pub(crate) fn condition(self) -> &'static str {
        match self {
            Self::Key(_) => "brand_id = $1 AND key_id = $2",
            Self::Creator(_) => {
                "brand_id = $1 AND key_id IN (SELECT key_id FROM keys WHERE brand_id = $1 AND created_by = $2)"
            }
        }
    }

    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Key(key) => key.as_str(),
            Self::Creator(user) => user.as_str(),
        }
    }
}

/// Cancels queued work of these kinds, and the calls that wait for approval, in the transaction that takes the access away.
/// The keys must be locked.
pub(crate) async fn cancel_queued(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    ordered_by: OrderedBy<'_>,
    kinds: &[JobKind],
    cancellation: &Cancellation<'_>,
) -> Result<StoppedWork, sqlx::Error> {
    find_ordering_keys(tx, brand.as_str(), None).await?;
    let reason = cancel_reason(&cancellation.denial);
    let kinds = kinds.iter().map(|kind| format!("'{}'", kind.as_str())).collect::<Vec<_>>().join(", ");
    let condition = format!("{} AND kind IN ({kinds})", ordered_by.condition());
    // An attempt to send that has begun ends by itself.
    let stoppable = format!(
        "{condition} AND (status = 'waiting' \
         OR (status = 'running' AND (begun_at IS NULL OR kind IN ('audit', 'analysis'))))"
    );
    lock_jobs(tx, &stoppable, &[brand.as_str(), ordered_by.id()]).await?;
    let sql = format!(
        "UPDATE jobs SET status = 'cancelled', reason = $3, ended_at = $4, held_at = NULL WHERE {stoppable} \
         RETURNING key_id, kind, subject, begun_at"
    );
    let ended: Vec<JobRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .bind(ordered_by.id())
        .bind(reason)
        .bind(cancellation.at.millis())
        .fetch_all(db)
        .await)?;
    let sql =
        format!("SELECT key_id, kind, subject, begun_at FROM jobs WHERE {condition} AND status = 'running'");
    let sending: Vec<JobRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .bind(ordered_by.id())
        .fetch_all(db)
        .await)?;
    for kind in JobKind::ALL {
        let of_kind = ended.iter().filter(|job| job.kind == kind.as_str());
        let subjects: Vec<&str> = of_kind.map(|job| job.subject.as_str()).collect();
        cancel_records(tx, brand, kind, &subjects, reason, cancellation.at).await?;
    }
    record_events(tx, brand, &ended, cancellation).await?;
    let (running, waiting): (Vec<&JobRow>, Vec<&JobRow>) =
        ended.iter().partition(|job| job.begun_at.is_some());
    let approvals = cancel_approvals(tx, brand, ordered_by, cancellation).await?;
    let cancelled = WorkCounts { approvals, ..count(waiting) };
    Ok(StoppedWork { cancelled, already_sending: count(sending.iter().chain(running)) })
}

/// One event for each key and kind, with the number of jobs.
async fn record_events(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    ended: &[JobRow],
    cancellation: &Cancellation<'_>,
) -> Result<(), sqlx::Error> {
    let mut counts: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    for job in ended {
        *counts.entry((&job.key_id, &job.kind)).or_default() += 1;
    }
    for (number, ((key, kind), count)) in counts.into_iter().enumerate() {
        let kind: JobKind = parse_column(kind, "kind of job")?;
        let event_id = format!("{}-c{number}", cancellation.event_prefix);
        let event = cancelled_event(event_id, parse_column(key, "key id")?, kind, cancellation);
        insert_folded_event(tx, brand, &event, count).await?;
    }
    Ok(())
}

pub(crate) fn cancelled_event(
    event_id: String,
    key_id: KeyId,
    kind: JobKind,
    cancellation: &Cancellation<'_>,
) -> NewEvent {
    NewEvent {
        event_id,
        at: cancellation.at,
        kind: EventKind::Cancelled,
        key_id,
        actor: cancellation.actor.clone(),
        tool: Some(kind.tool()),
        outcome: EventOutcome::Ok,
        reason: Some(cancellation.denial.reason()),
        latency_us: None,
    }
}

fn count<'a>(jobs: impl IntoIterator<Item = &'a JobRow>) -> WorkCounts {
    let (mut posts, mut schedules) = (BTreeSet::new(), BTreeSet::new());
    let mut counts = WorkCounts::default();
    for job in jobs {
        if [JobKind::Publish, JobKind::Withdraw].iter().any(|kind| job.kind == kind.as_str()) {
            posts.insert(job.subject.split('/').next());
        } else if job.kind == JobKind::ReportEmail.as_str() {
            counts.mails += 1;
        } else if job.kind == JobKind::Schedule.as_str() {
            // It may have two jobs: one that is ending, and the next.
            schedules.insert(job.subject.as_str());
        } else {
            counts.jobs += 1;
        }
    }
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    WorkCounts { posts: number(posts.len()), schedules: number(schedules.len()), ..counts }
}

/// Ends what the jobs with these subjects work on, unless it has ended already.
pub(crate) async fn cancel_records(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    kind: JobKind,
    subjects: &[&str],
    reason: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    for subjects in subjects.chunks(ROWS_PER_STATEMENT) {
        match kind {
            JobKind::Publish => cancel_targets(tx, brand, subjects, reason).await?,
            JobKind::Withdraw => keep_published(tx, brand, subjects, reason).await?,
            JobKind::ReportEmail => cancel_emails(tx, brand, subjects, reason, now).await?,
            JobKind::Audit => {
                cancel_long(tx, brand, ("audits", "audit_id"), subjects, reason, now).await?;
                delete_pages(tx, brand, subjects).await?;
            }
            JobKind::Analysis => {
                cancel_long(tx, brand, ("analyses", "analysis_id"), subjects, reason, now).await?;
            }
            JobKind::Schedule => delete_schedules(tx, brand, subjects).await?,
            // It belongs to no key, and what waits for approval has its own records.
            JobKind::ApprovalNotice => {}
        }
    }
    Ok(())
}

/// A target is uncertain if the outcome of an earlier attempt is unknown.
async fn cancel_targets(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    subjects: &[&str],
    reason: &str,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        let mut sql = QueryBuilder::new(
            "UPDATE post_targets SET status = CASE WHEN unknown_since IS NULL THEN 'cancelled' ELSE 'uncertain' END, \
             next_attempt_at = NULL, error = CASE WHEN unknown_since IS NOT NULL THEN ",
        );
        sql.push_bind(uncertain_reason(reason)).push(" WHEN attempts > 0 THEN ");
        sql.push_bind(format!("{reason} An earlier attempt may have reached the channel.")).push(" ELSE ");
        sql.push_bind(reason).push(" END WHERE brand_id = ").push_bind(brand.as_str());
        sql.push(" AND status IN ('scheduled', 'publishing') AND (post_id || '/' || channel) IN (");
        push_list(&mut sql, subjects);
        sql.build().persistent(false).execute(db).await.map(|_| ())
    })
}

/// A post that is not withdrawn stays published.
async fn keep_published(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    subjects: &[&str],
    reason: &str,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        let mut sql = QueryBuilder::new(
            "UPDATE post_targets SET status = 'published', next_attempt_at = NULL, error = ",
        );
        sql.push_bind(format!("The post was not withdrawn. {reason}"));
        sql.push(" WHERE brand_id = ").push_bind(brand.as_str());
        sql.push(" AND status = 'withdrawing' AND (post_id || '/' || channel) IN (");
        push_list(&mut sql, subjects);
        sql.build().persistent(false).execute(db).await.map(|_| ())
    })
}

/// A mail that was being sent when its worker died is uncertain.
async fn cancel_emails(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    subjects: &[&str],
    reason: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        let mut sql = QueryBuilder::new(
            "UPDATE report_emails SET status = CASE WHEN status = 'sending' THEN 'uncertain' ELSE 'cancelled' END, \
             answer = ",
        );
        sql.push_bind(reason).push(", ended_at = ").push_bind(now.millis());
        sql.push(" WHERE brand_id = ").push_bind(brand.as_str());
        sql.push(" AND status IN ('queued', 'sending') AND email_id IN (");
        push_list(&mut sql, subjects);
        sql.build().persistent(false).execute(db).await.map(|_| ())
    })
}

async fn cancel_long(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    (table, id): (&str, &str),
    subjects: &[&str],
    reason: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        let mut sql = QueryBuilder::new(format!("UPDATE {table} SET status = 'cancelled', failure = "));
        sql.push_bind(reason).push(", finished_at = ").push_bind(now.millis());
        sql.push(" WHERE brand_id = ").push_bind(brand.as_str());
        sql.push(format!(" AND status IN ('queued', 'running') AND {id} IN ("));
        push_list(&mut sql, subjects);
        sql.build().persistent(false).execute(db).await.map(|_| ())
    })
}

/// The pages are needed only to continue an interrupted crawl.
async fn delete_pages(tx: &mut Tx<'_>, brand: &BrandId, subjects: &[&str]) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        let mut sql = QueryBuilder::new("DELETE FROM audit_pages WHERE brand_id = ");
        sql.push_bind(brand.as_str()).push(" AND audit_id IN (");
        push_list(&mut sql, subjects);
        sql.build().persistent(false).execute(db).await.map(|_| ())
    })
}

fn push_list<'a, DB>(sql: &mut QueryBuilder<DB>, values: &'a [&'a str])
where
    DB: sqlx::Database,
    &'a str: sqlx::Encode<'a, DB> + sqlx::Type<DB>,
{
    let mut list = sql.separated(", ");
    for value in values {
        list.push_bind(*value);
    }
    list.push_unseparated(")");
}
