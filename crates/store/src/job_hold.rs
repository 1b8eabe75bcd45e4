//! The operator holds all jobs, of all brands and on all instances. A restore does it too, because what was sent after the
//! backup would be sent again.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp, UserId};
use svc_mcp_tools::jobs::{JobKind, MAX_HOLD};

use crate::{
    EventKind, EventOutcome, NewEvent, Store,
    activity::insert_folded_event,
    audit_log::{AuditAction, Fields, NewAuditRecord},
    cancelled_work::cancel_records,
    engine::{Tx, query, transaction, within},
    parse_column,
};

/// How many overdue jobs are cancelled in one transaction.
const CANCELLED_AT_ONCE: i64 = 200;
const CANCELLED: &str =
    "Cancelled: this was due while all background work was held, and was too late when it went on.";
/// The reason of the event in the activity.
const CANCEL_REASON: &str = "jobs_held";
/// The target of the audit records.
const ALL_JOBS: &str = "all";

/// A condition: jobs may run.
pub(crate) const NOT_HELD: &str = "NOT EXISTS (SELECT 1 FROM job_hold)";

/// Why no worker begins a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobHold {
    pub since: Timestamp,
    pub cause: HoldCause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldCause {
    /// Somebody has asked for it.
    Operator,
    /// The database is restored from a backup of this time.
    Restore { backup_at: Timestamp },
}

impl HoldCause {
    pub const NAMES: [&'static str; 2] = ["operator", "restore"];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Restore { .. } => "restore",
        }
    }

    pub fn backup_at(self) -> Option<Timestamp> {
        match self {
            Self::Operator => None,
            Self::Restore { backup_at } => Some(backup_at),
        }
    }
}

/// The jobs are held now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldJobs {
    /// The hold that counts: an earlier one stays.
    pub hold: JobHold,
    /// How many jobs workers had begun before. They end by themselves.
    pub begun: u32,
}

/// Who lets the jobs go on, and which of them.
#[derive(Debug, Clone)]
pub struct ResumeJobs {
    pub actor: UserId,
    pub at: Timestamp,
    /// The ids of the events start with this.
    pub event_prefix: String,
    /// Cancel all that was due before the hold began. After a restore, it may have gone out already.
    pub cancel_due_before_hold: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResumedJobs {
    /// The hold that has ended. `None`: there was none.
    pub hold: Option<JobHold>,
    /// How many overdue jobs were cancelled.
    pub cancelled: u32,
}

/// The hold as this process has last read it.
#[derive(Debug, Default)]
pub(crate) struct KnownHold(Mutex<Option<JobHold>>);

#[derive(FromRow)]
struct HoldRow {
    since: i64,
    backup_at: Option<i64>,
}

impl From<HoldRow> for JobHold {
    fn from(row: HoldRow) -> Self {
        let cause = row
            .backup_at
            .map_or(HoldCause::Operator, |at| HoldCause::Restore { backup_at: Timestamp::from_millis(at) });
        Self { since: Timestamp::from_millis(row.since), cause }
    }
}

#[derive(FromRow)]
struct OverdueRow {
    brand_id: String,
    key_id: Option<String>,
    kind: String,
    subject: String,
}

const SELECT_HOLD: &str = "SELECT since, backup_at FROM job_hold";

/// Whether all jobs are held. Until the commit no hold begins, so a worker that finds none has begun before the hold.
/// SQLite needs no lock: it has one writer at a time.
pub(crate) async fn worker_finds_hold(tx: &mut Tx<'_>) -> Result<bool, sqlx::Error> {
    const LOCK: &str = "SELECT pg_advisory_xact_lock_shared(hashtextextended('all jobs', 0))";
    if let Tx::Postgres(connection) = tx {
        sqlx::query(LOCK).execute(&mut **connection).await?;
    }
    Ok(find_hold(tx).await?.is_some())
}

async fn lock_hold(tx: &mut Tx<'_>) -> Result<(), sqlx::Error> {
    const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended('all jobs', 0))";
    if let Tx::Postgres(connection) = tx {
        sqlx::query(LOCK).execute(&mut **connection).await?;
    }
    Ok(())
}

async fn find_hold(tx: &mut Tx<'_>) -> Result<Option<JobHold>, sqlx::Error> {
    let row: Option<HoldRow> = within!(tx, |db| sqlx::query_as(SELECT_HOLD).fetch_optional(db).await)?;
    Ok(row.map(JobHold::from))
}

impl Store {
    /// Holds all jobs. After this returns, no worker begins one, and nothing goes out except what has begun. A hold by the
    /// operator changes nothing if the jobs are held already.
    pub async fn hold_jobs(&self, new: &JobHold) -> Result<HeldJobs, StoreError> {
        let held = self
            .run("hold_jobs", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    lock_hold(&mut tx).await?;
                    let known = find_hold(&mut tx).await?;
                    let changes = known.is_none() || matches!(new.cause, HoldCause::Restore { .. });
                    if changes {
                        insert_hold(&mut tx, new).await?;
                    }
                    let sql = "SELECT COUNT(*) FROM jobs WHERE status = 'running' AND begun_at IS NOT NULL \
                               AND due_at > $1";
                    let begun: i64 = within!(&mut tx, |db| sqlx::query_scalar(sql)
                        .bind(new.since.millis())
                        .fetch_one(db)
                        .await)?;
                    let fields = Fields::default()
                        .show("cause", new.cause.as_str())
                        .show("backup_at", new.cause.backup_at());
                    let record =
                        NewAuditRecord::new(AuditAction::JobsHold, None, ALL_JOBS).with_after(&fields);
                    self.add_audit_records(&mut tx, changes.then_some(record)).await?;
                    let hold = known.filter(|_| !changes).unwrap_or(*new);
                    HeldJobs { hold, begun: u32::try_from(begun).unwrap_or(u32::MAX) }
                })
            })
            .await?;
        self.job_hold.set(Some(held.hold));
        Ok(held)
    }

    /// Lets jobs run again. First it cancels what is too late, in small transactions: jobs that were due more than 24 hours
    /// ago, and if asked for, all that were due before the hold. After an error the jobs are still held. Schedules go on, and
    /// so does what takes a post back: doing it twice does no harm.
    pub async fn resume_jobs(&self, resume: &ResumeJobs) -> Result<ResumedJobs, StoreError> {
        let Some(hold) = self.job_hold().await? else {
            return Ok(ResumedJobs { hold: None, cancelled: 0 });
        };
        let mut last_due = resume.at.minus(MAX_HOLD);
        if resume.cancel_due_before_hold {
            last_due = last_due.max(hold.since);
        }
        let mut cancelled = 0;
        for batch in 0u32.. {
            match self.cancel_overdue(resume, last_due, batch).await? {
                0 => break,
                count => cancelled += count,
            }
        }
        let ended = self
            .run("resume_jobs", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    lock_hold(&mut tx).await?;
                    let sql = "DELETE FROM job_hold";
                    let ended = within!(&mut tx, |db| sqlx::query(sql)
                        .execute(db)
                        .await
                        .map(|done| done.rows_affected()))?;
                    let fields = |held: bool| Fields::default().show("held", held);
                    let record = NewAuditRecord::new(AuditAction::JobsResume, None, ALL_JOBS);
                    let after = fields(false).show("cancelled", cancelled);
                    let record = record.with_change(Some(&fields(true)), &after).filter(|_| ended > 0);
                    self.add_audit_records(&mut tx, record).await?;
                    ended
                })
            })
            .await?;
        self.job_hold.set(None);
        self.job_added.notify_waiters();
        Ok(ResumedJobs { hold: (ended > 0).then_some(hold), cancelled })
    }

    /// Cancels some jobs that were due at this time or before, with what they work on. Returns their number.
    async fn cancel_overdue(
        &self,
        resume: &ResumeJobs,
        last_due: Timestamp,
        batch: u32,
    ) -> Result<u32, StoreError> {
        // A job without a living worker may have begun. What it works on then says that it may have gone out.
        let sql = "UPDATE jobs SET status = 'cancelled', reason = $1, ended_at = $2, held_at = NULL \
                   WHERE job_id IN (SELECT job_id FROM jobs WHERE kind NOT IN ('schedule', 'withdraw') \
                     AND (status = 'waiting' OR (status = 'running' AND due_at <= $2)) \
                     AND due_at <= $3 ORDER BY job_id LIMIT $4) \
                   AND status IN ('waiting', 'running') AND EXISTS (SELECT 1 FROM job_hold) \
                   RETURNING brand_id, key_id, kind, subject";
        self.run_patiently("cancel_overdue", async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                let ended: Vec<OverdueRow> = within!(&mut tx, |db| sqlx::query_as(sql)
                    .bind(CANCELLED)
                    .bind(resume.at.millis())
                    .bind(last_due.millis())
                    .bind(CANCELLED_AT_ONCE)
                    .fetch_all(db)
                    .await)?;
                end_work(&mut tx, &ended, resume, batch).await?;
                u32::try_from(ended.len()).unwrap_or(u32::MAX)
            })
        })
        .await
    }

    /// Whether all jobs are held, and why.
    pub async fn job_hold(&self) -> Result<Option<JobHold>, StoreError> {
        let row: Option<HoldRow> = self
            .run_patiently("job_hold", async {
                query!(&self.engine, |db| sqlx::query_as(SELECT_HOLD).fetch_optional(db).await)
            })
            .await?;
        Ok(row.map(JobHold::from))
    }

    /// The hold as [`Self::refresh_job_hold`] has last read it.
    pub fn known_job_hold(&self) -> Option<JobHold> {
        self.job_hold.get()
    }

    /// Reads the hold, which another process may have changed.
    pub async fn refresh_job_hold(&self) -> Result<(), StoreError> {
        let hold = self.job_hold().await?;
        self.job_hold.set(hold);
        Ok(())
    }
}

impl KnownHold {
    fn get(&self) -> Option<JobHold> {
        *self.0.lock()
    }

    /// Shows it in the metrics, and logs a change.
    fn set(&self, hold: Option<JobHold>) {
        metrics::gauge!("svc_mcp_jobs_held").set(if hold.is_some() { 1.0 } else { 0.0 });
        let before = std::mem::replace(&mut *self.0.lock(), hold);
        match hold {
            Some(hold) if before != Some(hold) => tracing::warn!(
                since = %hold.since,
                cause = hold.cause.as_str(),
                "all jobs are held: `svc-mcp admin jobs resume` lets them run"
            ),
            None if before.is_some() => tracing::info!("jobs run again"),
            _ => {}
        }
    }
}

async fn insert_hold(tx: &mut Tx<'_>, hold: &JobHold) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO job_hold (only_row, since, cause, backup_at) VALUES (1, $1, $2, $3) \
               ON CONFLICT (only_row) DO UPDATE SET since = excluded.since, cause = excluded.cause, \
                 backup_at = excluded.backup_at";
    within!(tx, |db| sqlx::query(sql)
        .bind(hold.since.millis())
        .bind(hold.cause.as_str())
        .bind(hold.cause.backup_at().map(Timestamp::millis))
        .execute(db)
        .await
        .map(|_| ()))
}

/// Ends what the cancelled jobs work on, and records one event for each key and kind.
async fn end_work(
    tx: &mut Tx<'_>,
    ended: &[OverdueRow],
    resume: &ResumeJobs,
    batch: u32,
) -> Result<(), sqlx::Error> {
    let mut subjects: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    let mut counts: BTreeMap<(&str, &str, &str), i64> = BTreeMap::new();
    for job in ended {
        subjects.entry((&job.brand_id, &job.kind)).or_default().push(&job.subject);
        // Empty or null: a person ordered it, or an older version added it.
        if let Some(key) = job.key_id.as_deref().filter(|key| !key.is_empty()) {
            *counts.entry((&job.brand_id, key, &job.kind)).or_default() += 1;
        }
    }
    for ((brand, kind), subjects) in subjects {
        let (brand, kind): (BrandId, JobKind) =
            (parse_column(brand, "brand id")?, parse_column(kind, "kind of job")?);
        cancel_records(tx, &brand, kind, &subjects, CANCELLED, resume.at).await?;
    }
    for (number, ((brand, key, kind), count)) in counts.into_iter().enumerate() {
        let kind: JobKind = parse_column(kind, "kind of job")?;
        let event = NewEvent {
            event_id: format!("{}-{batch}-{number}", resume.event_prefix),
            at: resume.at,
            kind: EventKind::Cancelled,
            key_id: parse_column(key, "key id")?,
            actor: resume.actor.clone(),
            tool: Some(kind.tool()),
            outcome: EventOutcome::Ok,
            reason: Some(CANCEL_REASON),
            latency_us: None,
        };
        insert_folded_event(tx, &parse_column(brand, "brand id")?, &event, count).await?;
    }
    Ok(())
}
