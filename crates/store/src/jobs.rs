//! The queue of jobs. A worker holds a lease on the job that it runs.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp};
use svc_mcp_tools::{
    jobs::{Job, JobKind, NewJob},
    trace,
};

use crate::{
    Store,
    engine::{Tx, query, transaction, within},
    job_hold::NOT_HELD,
    parse_column,
    queued_work::find_ordering_keys,
    write_generations::WriteScope,
};

#[derive(FromRow)]
struct JobRow {
    job_id: String,
    brand_id: String,
    kind: String,
    subject: String,
    key_id: Option<String>,
    first_due_at: i64,
    attempts: i64,
    traceparent: Option<String>,
}

pub(crate) async fn add_job(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: Option<&KeyId>,
    job: &NewJob,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    // Each run of a schedule is a trace of its own: in one trace with the run before, it would never end.
    let traceparent = if job.kind == JobKind::Schedule { None } else { trace::traceparent() };
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO jobs (job_id, brand_id, kind, subject, lane, status, due_at, attempts, created_at, key_id, traceparent) \
         VALUES ($1, $2, $3, $4, $5, 'waiting', $6, 0, $7, $8, $9)",
    )
    .bind(&job.job_id)
    .bind(brand.as_str())
    .bind(job.kind.as_str())
    .bind(&job.subject)
    .bind(&job.concurrency_key)
    .bind(job.due.millis())
    .bind(now.millis())
    .bind(key.map_or("", KeyId::as_str))
    .bind(&traceparent)
    .execute(db)
    .await
    .map(|_| ())
    })
}

/// Jobs that have not ended.
const OPEN: &str = "status IN ('waiting', 'running')";

/// Jobs that are due and may run now. A running job is due again when its lease has expired. `$1` is the time.
const READY: &str = "status IN ('waiting', 'running') AND due_at <= $1 AND (lane IS NULL OR status = 'running' \
     OR NOT EXISTS (SELECT 1 FROM jobs other WHERE other.lane = jobs.lane AND other.status = 'running'))";

/// How often a worker looks for another job if other processes take the job that it chose.
const MAX_LEASE_ATTEMPTS: usize = 8;

impl Store {
    /// Leases the next job. Brands take turns: first the brand with the fewest running jobs, then the brand whose last
    /// job was taken the longest time ago, then the oldest job.
    pub(crate) async fn lease_job(
        &self,
        kinds: &[JobKind],
        excluded: &[BrandId],
        now: Timestamp,
        until: Timestamp,
        lease: String,
    ) -> Result<Option<Job>, StoreError> {
        let kind_list =
            kinds.iter().map(|kind| format!("'{}'", kind.as_str())).collect::<Vec<_>>().join(", ");
        let is_due = format!(
            "SELECT 1 FROM jobs WHERE {OPEN} AND kind IN ({kind_list}) AND due_at <= $1 AND {NOT_HELD} LIMIT 1"
        );
        let next = next_job_statement(kinds, &kind_list, excluded.len());
        for _ in 0..MAX_LEASE_ATTEMPTS {
            let chosen: Option<(String, String)> = self
                .run_patiently("next_job", async {
                    // Most polls find nothing that is due. This is their only query.
                    let due: Option<(i32,)> =
                        query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(is_due.as_str()))
                            .bind(now.millis())
                            .fetch_optional(db)
                            .await)?;
                    if due.is_none() {
                        return Ok(None);
                    }
                    query!(&self.engine, |db| {
                        let mut statement =
                            sqlx::query_as(sqlx::AssertSqlSafe(next.as_str())).bind(now.millis());
                        for brand in excluded {
                            statement = statement.bind(brand.as_str());
                        }
                        statement.fetch_optional(db).await
                    })
                })
                .await?;
            let Some((brand, job_id)) = chosen else { return Ok(None) };
            if let Some(row) = self.take_job(&brand, &job_id, now, until, &lease).await? {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    /// `None`: meanwhile another worker has taken the job, or a job with the same concurrency key.
    async fn take_job(
        &self,
        brand: &str,
        job_id: &str,
        now: Timestamp,
        until: Timestamp,
        lease: &str,
    ) -> Result<Option<Job>, StoreError> {
        self.run_patiently("take_job", async {
            let sql = format!(
                "UPDATE jobs SET status = 'running', lease = $3, due_at = $4, attempts = attempts + 1, \
                 first_due_at = COALESCE(first_due_at, due_at), begun_at = NULL, held_at = NULL \
                 WHERE job_id = $2 AND {READY} AND {NOT_HELD} \
                 RETURNING job_id, brand_id, kind, subject, key_id, first_due_at, attempts, traceparent"
            );
            let brand: Option<BrandId> = brand.parse().ok();
            let scope = brand.as_ref().map_or(WriteScope::AllBrands, WriteScope::Brand);
            let take = async {
                transaction!(&self.engine, scope, |tx| {
                    let mut row: Option<JobRow> = sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                        .bind(now.millis())
                        .bind(job_id)
                        .bind(lease)
                        .bind(until.millis())
                        .fetch_optional(&mut *tx)
                        .await?;
                    if let Some(row) = &mut row {
                        sqlx::query(
                            "INSERT INTO job_turns (brand_id, kind, taken_at) VALUES ($1, $2, $3) \
                             ON CONFLICT (brand_id, kind) DO UPDATE SET taken_at = excluded.taken_at",
                        )
                        .bind(&row.brand_id)
                        .bind(&row.kind)
                        .bind(now.millis())
                        .execute(&mut *tx)
                        .await?;
                        row.find_key(&mut Tx::from(&mut *tx)).await?;
                    }
                    row
                })
            };
            let taken: Result<Option<JobRow>, sqlx::Error> = take.await;
            let taken = match taken {
                // A job with the same concurrency key was started at the same time.
                Err(sqlx::Error::Database(error)) if error.is_unique_violation() => None,
                other => other?,
            };
            taken.map(|row| decode_job(row, lease.to_owned())).transpose()
        })
        .await
    }
}

/// Finds the next job. It costs a few index lookups for each brand with open jobs, however many jobs a brand has: the
/// recursion jumps from brand to brand. `$2` and following are the excluded brands.
fn next_job_statement(kinds: &[JobKind], kind_list: &str, excluded: usize) -> String {
    let each_kind = kinds.iter().map(|kind| format!("SELECT '{}' AS kind", kind.as_str()));
    let each_kind = each_kind.collect::<Vec<_>>().join(" UNION ALL ");
    let excluded = (0..excluded).map(|index| format!("${}", index + 2)).collect::<Vec<_>>().join(", ");
    let excluded = if excluded.is_empty() { excluded } else { format!("AND brand_id NOT IN ({excluded})") };
    format!(
        "WITH RECURSIVE queues (kind, brand_id) AS ( \
           SELECT kinds.kind, (SELECT jobs.brand_id FROM jobs WHERE {OPEN} AND jobs.kind = kinds.kind \
             ORDER BY jobs.brand_id LIMIT 1) FROM ({each_kind}) AS kinds \
           UNION ALL \
           SELECT queues.kind, (SELECT jobs.brand_id FROM jobs WHERE {OPEN} AND jobs.kind = queues.kind \
             AND jobs.brand_id > queues.brand_id ORDER BY jobs.brand_id LIMIT 1) \
           FROM queues WHERE queues.brand_id IS NOT NULL) \
         SELECT brand_id, job_id FROM ( \
           SELECT queues.brand_id, (SELECT jobs.job_id FROM jobs WHERE {READY} AND jobs.kind = queues.kind \
             AND jobs.brand_id = queues.brand_id ORDER BY jobs.due_at LIMIT 1) AS job_id \
           FROM queues WHERE queues.brand_id IS NOT NULL) AS ready \
         WHERE job_id IS NOT NULL {excluded} ORDER BY \
           (SELECT COUNT(*) FROM jobs WHERE jobs.status = 'running' AND jobs.due_at > $1 \
             AND jobs.kind IN ({kind_list}) AND jobs.brand_id = ready.brand_id), \
           (SELECT COALESCE(MAX(taken_at), 0) FROM job_turns WHERE job_turns.kind IN ({kind_list}) \
             AND job_turns.brand_id = ready.brand_id), \
           (SELECT jobs.due_at FROM jobs WHERE jobs.job_id = ready.job_id) LIMIT 1"
    )
}

impl JobRow {
    /// Jobs of older versions do not say who ordered them.
    async fn find_key(&mut self, tx: &mut Tx<'_>) -> Result<(), sqlx::Error> {
        if self.key_id.is_none() {
            find_ordering_keys(tx, &self.brand_id, Some(&self.job_id)).await?;
            let sql = "SELECT key_id FROM jobs WHERE job_id = $1";
            self.key_id = within!(tx, |db| sqlx::query_scalar(sql).bind(&self.job_id).fetch_one(db).await)?;
        }
        Ok(())
    }
}

fn decode_job(row: JobRow, lease: String) -> Result<Job, sqlx::Error> {
    // Empty: a person ordered it.
    let key_id = row.key_id.filter(|key| !key.is_empty());
    Ok(Job {
        job_id: row.job_id,
        brand_id: parse_column(&row.brand_id, "brand id")?,
        kind: parse_column(&row.kind, "kind of job")?,
        subject: row.subject,
        key_id: key_id.map(|key| parse_column(&key, "key id")).transpose()?,
        first_due: Timestamp::from_millis(row.first_due_at),
        attempt: u32::try_from(row.attempts).unwrap_or(u32::MAX),
        traceparent: row.traceparent,
        lease,
    })
}
