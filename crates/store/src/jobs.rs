//! Jobs: rows with a lease.

use std::time::Duration;

use async_trait::async_trait;
use sqlx::FromRow;
use svc_mcp_access::{BrandId, Timestamp, decision::Unavailable, id};
use svc_mcp_tools::{
    Change,
    jobs::{Ending, Job, JobKind, JobRecords, NewJob},
};

use crate::{
    Store, ToolRecords,
    engine::{Tx, query, transaction, within},
    records::apply,
    stored,
};

#[derive(FromRow)]
struct JobRow {
    job_id: String,
    brand_id: String,
    kind: String,
    subject: String,
    attempts: i64,
}

#[async_trait]
impl JobRecords for ToolRecords {
    async fn take_job(
        &self,
        kinds: &[JobKind],
        now: Timestamp,
        lease: Duration,
    ) -> Result<Option<Job>, Unavailable> {
        let ticket = id::fresh("lease", &mut self.entropy.clone());
        self.store.take_job(kinds, now, now.plus(lease), ticket).await
    }

    async fn keep_job(&self, job: &Job, until: Timestamp) -> Result<bool, Unavailable> {
        self.store
            .run_patiently("keep_job", async {
                transaction!(&self.store.engine, |tx| {
                    let sql =
                        "UPDATE jobs SET due_at = $3 WHERE job_id = $1 AND lease = $2 AND status = 'running'";
                    sqlx::query(sql)
                        .bind(&job.job_id)
                        .bind(&job.lease)
                        .bind(until.millis())
                        .execute(&mut *tx)
                        .await?
                        .rows_affected()
                        == 1
                })
            })
            .await
    }

    async fn note(&self, job: &Job, changes: &[Change], now: Timestamp) -> Result<bool, Unavailable> {
        self.while_held("note", job, None, changes, now).await
    }

    async fn end_job(
        &self,
        job: &Job,
        ending: &Ending,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, Unavailable> {
        self.while_held("end_job", job, Some(ending), changes, now).await
    }

    async fn job_added(&self) {
        self.store.job_added.notified().await;
    }
}

impl ToolRecords {
    /// Changes things in the name of a job, and only while it is in the hands of the one who asks.
    async fn while_held(
        &self,
        name: &'static str,
        job: &Job,
        ending: Option<&Ending>,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, Unavailable> {
        let held = self
            .store
            .run_patiently(name, async {
                transaction!(&self.store.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let held = write_ending(&mut tx, job, ending, now).await?;
                    if held {
                        let refused = apply(&mut tx, &job.brand_id, changes, now).await?;
                        // Work does what calls have ordered, and nothing that may be refused.
                        if let Some(why) = refused {
                            return Err(sqlx::Error::Protocol(why.message));
                        }
                    }
                    held
                })
            })
            .await?;
        if held {
            self.store.tell_of_jobs(changes);
        }
        Ok(held)
    }
}

/// Writes how a job ended, or nothing but the lock on its row. False: it is another's now.
async fn write_ending(
    tx: &mut Tx<'_>,
    job: &Job,
    ending: Option<&Ending>,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let (status, due, reason) = match ending {
        None => ("running", None, None),
        Some(Ending::Done) => ("done", None, None),
        Some(Ending::Failed { reason }) => ("failed", None, Some(reason)),
        Some(Ending::Later { due, reason }) => ("waiting", Some(*due), Some(reason)),
        Some(Ending::Released) => ("waiting", Some(now), None),
    };
    let ended_at = matches!(status, "done" | "failed").then(|| now.millis());
    // A release is nobody's failure, so it does not count as a try.
    let given_back = i64::from(ending == Some(&Ending::Released));
    let changed = within!(tx, |db| {
        sqlx::query(
        "UPDATE jobs SET status = $3, due_at = COALESCE($4, due_at), reason = COALESCE($5, reason), ended_at = $6, \
         attempts = attempts - $7 WHERE job_id = $1 AND lease = $2 AND status = 'running'",
    )
    .bind(&job.job_id)
    .bind(&job.lease)
    .bind(status)
    .bind(due.map(Timestamp::millis))
    .bind(reason)
    .bind(ended_at)
    .bind(given_back)
    .execute(db)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(changed == 1)
}

pub(crate) async fn add_job(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    job: &NewJob,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "INSERT INTO jobs (job_id, brand_id, kind, subject, lane, status, due_at, attempts, created_at) \
         VALUES ($1, $2, $3, $4, $5, 'waiting', $6, 0, $7)",
    )
    .bind(&job.job_id)
    .bind(brand.as_str())
    .bind(job.kind.as_str())
    .bind(&job.subject)
    .bind(&job.lane)
    .bind(job.due.millis())
    .bind(now.millis())
    .execute(db)
    .await
    .map(|_| ()))
}

/// Those whose time has come, and who may run now. A running one is among them when its lease has run out.
const READY: &str = "status IN ('waiting', 'running') AND due_at <= $1 AND $2 LIKE '%,' || kind || ',%' \
     AND (lane IS NULL OR status = 'running' \
       OR NOT EXISTS (SELECT 1 FROM jobs other WHERE other.lane = jobs.lane AND other.status = 'running'))";

impl Store {
    async fn take_job(
        &self,
        kinds: &[JobKind],
        now: Timestamp,
        until: Timestamp,
        lease: String,
    ) -> Result<Option<Job>, Unavailable> {
        let kinds = kinds.iter().fold(",".to_owned(), |list, kind| list + kind.as_str() + ",");
        self.run_patiently("take_job", async {
            // Looking first spares the engine a write a second while there is nothing to do.
            let sql = format!("SELECT job_id FROM jobs WHERE {READY} ORDER BY due_at LIMIT 1");
            let ready: Option<(String,)> = query!(&self.engine, |db| {
                sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(now.millis())
                    .bind(&kinds)
                    .fetch_optional(db)
                    .await
            })?;
            let Some((job_id,)) = ready else { return Ok(None) };
            // The condition again: of two who saw the same job, the second finds it changed.
            let sql = format!(
                "UPDATE jobs SET status = 'running', lease = $4, due_at = $5, attempts = attempts + 1 \
                 WHERE job_id = $3 AND {READY} RETURNING job_id, brand_id, kind, subject, attempts"
            );
            let taken: Result<Option<JobRow>, sqlx::Error> = transaction!(&self.engine, |tx| {
                sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(now.millis())
                    .bind(&kinds)
                    .bind(&job_id)
                    .bind(&lease)
                    .bind(until.millis())
                    .fetch_optional(&mut *tx)
                    .await?
            });
            let taken = match taken {
                // Two of one lane were taken at once: the other one has it.
                Err(sqlx::Error::Database(error)) if error.is_unique_violation() => None,
                other => other?,
            };
            taken.map(|row| job_of(row, lease)).transpose()
        })
        .await
    }

    /// Wakes the workers of this process if there is something for them.
    pub(crate) fn tell_of_jobs(&self, changes: &[Change]) {
        if changes.iter().any(|change| matches!(change, Change::AddJob(_))) {
            self.job_added.notify_waiters();
        }
    }
}

fn job_of(row: JobRow, lease: String) -> Result<Job, sqlx::Error> {
    Ok(Job {
        job_id: row.job_id,
        brand_id: stored(&row.brand_id, "brand id")?,
        kind: stored(&row.kind, "kind of job")?,
        subject: row.subject,
        attempt: u32::try_from(row.attempts).unwrap_or(u32::MAX),
        lease,
    })
}
