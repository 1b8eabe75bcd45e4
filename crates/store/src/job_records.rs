//! Jobs as their workers use them.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use svc_mcp_access::{BrandId, StoreError, Timestamp, UserId, decision::Denial, id};
use svc_mcp_tools::{
    Change,
    events::EventType,
    jobs::{Job, JobDecision, JobKind, JobOutcome, JobRecords, cancel_reason},
    records::CommitError,
};

use crate::{
    ToolRecords,
    activity::insert_event,
    cancelled_work::{Cancellation, cancel_records, cancelled_event},
    engine::{Tx, transaction, within},
    error::Abort,
    job_hold::worker_finds_hold,
    outbox::{NewOutboxEvent, add_event},
    parse_column,
    queued_work::{authorize, authorize_work_of_people},
    quotas::use_quotas,
    tool_records::apply,
    write_generations::WriteScope,
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
                transaction!(&self.store.engine, WriteScope::Brand(&job.brand_id), |tx| {
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

    async fn authorize_job(
        &self,
        job: &Job,
        begins_with: Option<&[Change]>,
        now: Timestamp,
    ) -> Result<JobDecision, StoreError> {
        let decision = self.store.run_patiently("authorize_job", async {
            transaction!(&self.store.engine, WriteScope::Brand(&job.brand_id), |tx| {
                let mut tx = Tx::from(&mut *tx);
                decide(&mut tx, job, begins_with, now).await?
            })
        });
        let decision = decision.await?;
        if decision == JobDecision::Allowed {
            self.store.after_commit(begins_with.unwrap_or_default());
        }
        Ok(decision)
    }

    async fn commit_progress(
        &self,
        job: &Job,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write_if_leased("note", job, None, changes, now).await
    }

    async fn commit_within_quotas(
        &self,
        job: &Job,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, CommitError> {
        let written = self.store.run_for_or_refuse(&job.brand_id, "commit_within_quotas", async {
            transaction!(&self.store.engine, WriteScope::Brand(&job.brand_id), |tx| {
                let mut tx = Tx::from(&mut *tx);
                let is_leased = write_ending(&mut tx, job, None, now).await?;
                if is_leased {
                    use_quotas(&mut tx, &job.brand_id, changes, now).await?;
                    apply(&mut tx, &job.brand_id, job.key_id.as_ref(), changes, now).await?;
                }
                is_leased
            })
        });
        let written = written.await?;
        if written {
            self.store.after_commit(changes);
        }
        Ok(written)
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

    fn all_jobs_are_held(&self) -> bool {
        self.store.known_job_hold().is_some()
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
                transaction!(&self.store.engine, WriteScope::Brand(&job.brand_id), |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let is_leased = write_ending(&mut tx, job, ending, now).await?;
                    if is_leased {
                        apply(&mut tx, &job.brand_id, job.key_id.as_ref(), changes, now).await?;
                    }
                    if is_leased && let Some(JobOutcome::Cancelled { denial }) = ending {
                        let event_id = id::fresh("evt", &mut self.entropy.clone());
                        cancel_work_of(&mut tx, job, denial, event_id, now).await?;
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

/// Asks the decision, and records the start of an attempt.
async fn decide(
    tx: &mut Tx<'_>,
    job: &Job,
    begins_with: Option<&[Change]>,
    now: Timestamp,
) -> Result<JobDecision, sqlx::Error> {
    if worker_finds_hold(tx).await? {
        return Ok(JobDecision::AllHeld);
    }
    let decision = match &job.key_id {
        Some(key) => authorize(tx, &job.brand_id, key, now).await,
        None => authorize_work_of_people(tx, &job.brand_id).await,
    };
    match decision {
        Ok(()) => {}
        Err(Abort::Refused(denial)) => return Ok(JobDecision::Denied(denial)),
        Err(Abort::Database(error)) => return Err(error),
    }
    let Some(changes) = begins_with else { return Ok(JobDecision::Allowed) };
    let sql = "UPDATE jobs SET begun_at = $3 WHERE job_id = $1 AND lease = $2 AND status = 'running'";
    let begun = within!(tx, |db| sqlx::query(sql)
        .bind(&job.job_id)
        .bind(&job.lease)
        .bind(now.millis())
        .execute(db)
        .await
        .map(|done| done.rows_affected()))?;
    if begun == 0 {
        return Ok(JobDecision::LeaseLost);
    }
    apply(tx, &job.brand_id, job.key_id.as_ref(), changes, now).await?;
    Ok(JobDecision::Allowed)
}

/// Ends what the job works on, and records why.
async fn cancel_work_of(
    tx: &mut Tx<'_>,
    job: &Job,
    denial: &Denial,
    event_id: String,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    cancel_records(tx, &job.brand_id, job.kind, &[&job.subject], cancel_reason(denial), now).await?;
    let Some(key) = &job.key_id else { return Ok(()) };
    let sql = "SELECT created_by FROM keys WHERE brand_id = $1 AND key_id = $2";
    let creator: Option<String> = within!(tx, |db| sqlx::query_scalar(sql)
        .bind(job.brand_id.as_str())
        .bind(key.as_str())
        .fetch_optional(db)
        .await)?;
    let Some(creator) = creator else { return Ok(()) };
    let creator: UserId = parse_column(&creator, "user id")?;
    let cancellation = Cancellation { denial: denial.clone(), actor: &creator, at: now, event_prefix: "" };
    let event = cancelled_event(event_id, key.clone(), job.kind, &cancellation);
    insert_event(tx, &job.brand_id, &event).await
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
        Some(JobOutcome::Failed { reason }) => ("failed", None, Some(reason.as_str())),
        Some(JobOutcome::Retry { due, reason }) => ("waiting", Some(*due), Some(reason.as_str())),
        Some(JobOutcome::Released) => ("waiting", Some(now), None),
        Some(JobOutcome::Held { due, denial }) => ("waiting", Some(*due), Some(denial.reason())),
        Some(JobOutcome::Cancelled { denial }) => ("cancelled", None, Some(cancel_reason(denial))),
    };
    let ended_at = matches!(status, "done" | "failed" | "cancelled").then(|| now.millis());
    let is_held = matches!(ending, Some(JobOutcome::Held { .. }));
    // A released or held job was not tried, so the attempt is subtracted again.
    let untried = i64::from(is_held || ending == Some(&JobOutcome::Released));
    let changed = within!(tx, |db| {
        sqlx::query(
        "UPDATE jobs SET status = $3, due_at = COALESCE($4, due_at), reason = COALESCE($5, reason), ended_at = $6, \
         attempts = attempts - $7, held_at = $8, begun_at = CASE WHEN $3 = 'running' THEN begun_at END WHERE job_id = $1 AND lease = $2 AND status = 'running'",
    )
    .bind(&job.job_id)
    .bind(&job.lease)
    .bind(status)
    .bind(due.map(Timestamp::millis))
    .bind(reason)
    .bind(ended_at)
    .bind(untried)
    .bind(is_held.then(|| now.millis()))
    .execute(db)
    .await
    .map(|done| done.rows_affected())
    })?;
    if changed == 1 && status == "failed" {
        add_failed_event(tx, job, now).await?;
    }
    Ok(changed == 1)
}

/// Without the reason, which may quote the answer of another server.
async fn add_failed_event(tx: &mut Tx<'_>, job: &Job, now: Timestamp) -> Result<(), sqlx::Error> {
    let mut data = json!({
        "brand_id": job.brand_id,
        "job_id": job.job_id,
        "kind": job.kind.as_str(),
        "subject": job.subject,
        "attempts": job.attempt,
    });
    if let Some(key) = &job.key_id {
        data["key_id"] = json!(key);
    }
    let new = NewOutboxEvent {
        event: EventType::JobFailed,
        brand: Some(&job.brand_id),
        key: job.key_id.as_ref(),
        at: now,
        unique: &job.lease,
        data,
    };
    add_event(tx, new).await
}
