//! Jobs as their workers use them.

use std::time::Duration;

use async_trait::async_trait;
use svc_mcp_access::{BrandId, StoreError, Timestamp, id};
use svc_mcp_tools::{
    Change,
    jobs::{Job, JobKind, JobOutcome, JobRecords},
};

use crate::{
    ToolRecords,
    engine::{Tx, transaction, within},
    tool_records::apply,
};

#[async_trait]
impl JobRecords for ToolRecords {
    async fn lease_job(
        &self,
        kinds: &[JobKind],
        excluded: &[BrandId],
        now: Timestamp,
        lease: Duration,
    ) -> Result<Option<Job>, StoreError> {
        let ticket = id::fresh("lease", &mut self.entropy.clone());
        self.store.lease_job(kinds, excluded, now, now.plus(lease), ticket).await
    }

    async fn renew_lease(&self, job: &Job, until: Timestamp) -> Result<bool, StoreError> {
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

    async fn commit_progress(
        &self,
        job: &Job,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write_if_leased("note", job, None, changes, now).await
    }

    async fn finish_job(
        &self,
        job: &Job,
        ending: &JobOutcome,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write_if_leased("end_job", job, Some(ending), changes, now).await
    }

    async fn job_added(&self) {
        self.store.job_added.notified().await;
    }
}

impl ToolRecords {
    /// Writes the changes of a job and its ending, if this worker still holds the lease. Returns whether it does.
    async fn write_if_leased(
        &self,
        name: &'static str,
        job: &Job,
        ending: Option<&JobOutcome>,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let written = self
            .store
            .run_patiently(name, async {
                transaction!(&self.store.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let is_leased = write_ending(&mut tx, job, ending, now).await?;
                    if is_leased {
                        apply(&mut tx, &job.brand_id, changes, now).await?;
                    }
                    is_leased
                })
            })
            .await?;
        if written {
            self.store.after_commit(changes);
        }
        Ok(written)
    }
}

/// Writes how a job ended, or only locks its row. Returns false if another worker has the job now.
async fn write_ending(
    tx: &mut Tx<'_>,
    job: &Job,
    ending: Option<&JobOutcome>,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let (status, due, reason) = match ending {
        None => ("running", None, None),
        Some(JobOutcome::Done) => ("done", None, None),
        Some(JobOutcome::Failed { reason }) => ("failed", None, Some(reason)),
        Some(JobOutcome::Retry { due, reason }) => ("waiting", Some(*due), Some(reason)),
        Some(JobOutcome::Released) => ("waiting", Some(now), None),
    };
    let ended_at = matches!(status, "done" | "failed").then(|| now.millis());
    // A released job was not tried, so the attempt is subtracted again.
    let released = i64::from(ending == Some(&JobOutcome::Released));
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
    .bind(released)
    .execute(db)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(changed == 1)
}
