//! The operator holds all jobs, of all brands and on all instances. A restore does it too, because what was sent after the
//! backup would be sent again.

use parking_lot::Mutex;
use sqlx_macros::FromRow;
use svc_mcp_access::{StoreError, Timestamp};

use crate::{
    Store,
    audit_log::{AuditAction, Fields, NewAuditRecord},
    engine::{Tx, query, transaction, within},
};

/// The target of the audit records.
pub(crate) const ALL_JOBS: &str = "all";

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

pub(crate) async fn lock_hold(tx: &mut Tx<'_>) -> Result<(), sqlx::Error> {
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
    pub(crate) fn set(&self, hold: Option<JobHold>) {
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
