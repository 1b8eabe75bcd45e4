//! Lets held jobs go on, and cancels what is too late by then.

use std::collections::BTreeMap;

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp, UserId};
use svc_mcp_tools::jobs::{JobKind, MAX_HOLD};

use crate::{
    EventKind, EventOutcome, NewEvent, Store,
    activity::insert_folded_event,
    audit_log::{AuditAction, Fields, NewAuditRecord},
    cancelled_work::cancel_records,
    engine::{Tx, transaction, within},
    job_hold::{ALL_JOBS, JobHold, lock_hold},
    parse_column,
};

/// How many overdue jobs are cancelled in one transaction.
const CANCELLED_AT_ONCE: i64 = 200;
const CANCELLED: &str =
    "Cancelled: this was due while all background work was held, and was too late when it went on.";
/// The reason of the event in the activity.
const CANCEL_REASON: &str = "jobs_held";

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

#[derive(FromRow)]
struct OverdueRow {
    brand_id: String,
    key_id: Option<String>,
    kind: String,
    subject: String,
}

impl Store {
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
