//! The queue of jobs. A worker holds a lease on the job that it runs.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_tools::jobs::{Job, JobKind, NewJob};

use crate::{
    Store,
    engine::{Tx, query, transaction, within},
    parse_column,
};

#[derive(FromRow)]
struct JobRow {
    job_id: String,
    brand_id: String,
    kind: String,
    subject: String,
    attempts: i64,
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
    .bind(&job.concurrency_key)
    .bind(job.due.millis())
    .bind(now.millis())
    .execute(db)
    .await
    .map(|_| ()))
}

/// Jobs that are due and may run now. A running job is due again when its lease has expired.
const READY: &str = "status IN ('waiting', 'running') AND due_at <= $1 AND $2 LIKE '%,' || kind || ',%' \
     AND (lane IS NULL OR status = 'running' \
       OR NOT EXISTS (SELECT 1 FROM jobs other WHERE other.lane = jobs.lane AND other.status = 'running'))";

impl Store {
    pub(crate) async fn lease_job(
        &self,
        kinds: &[JobKind],
        now: Timestamp,
        until: Timestamp,
        lease: String,
    ) -> Result<Option<Job>, StoreError> {
        let kinds = kinds.iter().fold(",".to_owned(), |list, kind| list + kind.as_str() + ",");
        self.run_patiently("take_job", async {
            // Reading first saves a write for every poll while there is nothing to do.
            let sql = format!("SELECT job_id FROM jobs WHERE {READY} ORDER BY due_at LIMIT 1");
            let ready: Option<(String,)> = query!(&self.engine, |db| {
                sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(now.millis())
                    .bind(&kinds)
                    .fetch_optional(db)
                    .await
            })?;
            let Some((job_id,)) = ready else { return Ok(None) };
            // The condition is repeated, because another worker may have taken the job meanwhile.
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
                // A job of the same lane was started at the same time.
                Err(sqlx::Error::Database(error)) if error.is_unique_violation() => None,
                other => other?,
            };
            taken.map(|row| decode_job(row, lease)).transpose()
        })
        .await
    }
}

fn decode_job(row: JobRow, lease: String) -> Result<Job, sqlx::Error> {
    Ok(Job {
        job_id: row.job_id,
        brand_id: parse_column(&row.brand_id, "brand id")?,
        kind: parse_column(&row.kind, "kind of job")?,
        subject: row.subject,
        attempt: u32::try_from(row.attempts).unwrap_or(u32::MAX),
        lease,
    })
}
