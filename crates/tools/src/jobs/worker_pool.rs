//! Workers lease jobs, renew the leases while the handlers run, and record the outcomes.

use std::{collections::HashMap, fmt, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use svc_mcp_access::StoreError;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{
    handler::{JobContext, JobError, JobHandler},
    job::{Job, JobKind},
    records::JobOutcome,
};
use crate::Change;

/// How often a worker looks for due jobs and for jobs that other processes added.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// A job that runs when the service stops has this long to end. Then it is released to another worker.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);
/// How often a worker tries to record an outcome. After that the lease expires and the job runs again.
const MAX_FINISH_ATTEMPTS: u32 = 20;
const FINISH_RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// After this many failed renewals the lease counts as lost.
const MAX_FAILED_RENEWALS: u32 = 3;

pub struct WorkerPool {
    handlers: HashMap<JobKind, Box<dyn JobHandler>>,
    context: JobContext,
    lease: Duration,
}

impl WorkerPool {
    pub fn new(handlers: Vec<Box<dyn JobHandler>>, context: JobContext, lease: Duration) -> Self {
        let handlers = handlers.into_iter().map(|handler| (handler.kind(), handler)).collect();
        Self { handlers, context, lease }
    }

    /// Runs one worker for jobs of these kinds until the service stops.
    pub async fn run_worker(&self, kinds: &[JobKind], shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            if matches!(self.run_next(kinds, &shutdown).await, Ok(true)) {
                continue;
            }
            tokio::select! {
                () = self.context.records.job_added() => {}
                () = sleep(POLL_INTERVAL) => {}
                () = shutdown.cancelled() => {}
            }
        }
    }

    /// Leases and runs one job. False: no job was due.
    async fn run_next(&self, kinds: &[JobKind], shutdown: &CancellationToken) -> Result<bool, StoreError> {
        let kinds: Vec<JobKind> =
            kinds.iter().copied().filter(|kind| self.handlers.contains_key(kind)).collect();
        let clock = &self.context.clock;
        let Some(job) = self.context.records.lease_job(&kinds, clock.now(), self.lease).await? else {
            return Ok(false);
        };
        let Some(handler) = self.handlers.get(&job.kind) else { return Ok(false) };
        let started = clock.ticks();
        let (outcome, changes) = self.run_job(&**handler, &job, shutdown).await;
        let label = match &outcome {
            None => "lost",
            Some(JobOutcome::Done) => "done",
            Some(JobOutcome::Failed { .. }) => "failed",
            Some(JobOutcome::Retry { .. }) => "later",
            Some(JobOutcome::Released) => "released",
        };
        let kind = job.kind.as_str();
        metrics::counter!("svc_mcp_jobs_total", "kind" => kind, "outcome" => label).increment(1);
        metrics::histogram!("svc_mcp_job_seconds", "kind" => kind)
            .record(clock.ticks().since(started).as_secs_f64());
        tracing::info!(job = job.job_id, brand = %job.brand_id, kind, attempt = job.attempt, outcome = label, "job");
        if let Some(outcome) = outcome {
            self.finish(&job, &outcome, &changes).await;
        }
        Ok(true)
    }

    /// `None`: the lease was lost, so there is nothing to record.
    async fn run_job(
        &self,
        handler: &dyn JobHandler,
        job: &Job,
        shutdown: &CancellationToken,
    ) -> (Option<JobOutcome>, Vec<Change>) {
        let fail = |reason: &str| {
            let changes = handler.failed(job, &self.context, reason);
            (Some(JobOutcome::Failed { reason: reason.to_owned() }), changes)
        };
        if job.attempt > handler.max_attempts() {
            return fail(&format!("It was started {} times and never finished.", job.attempt - 1));
        }
        let result = tokio::select! {
            result = AssertUnwindSafe(handler.run(job, &self.context)).catch_unwind() => result,
            () = self.renew_until_lost(job) => return (None, Vec::new()),
            () = grace_period_over(shutdown) => return (Some(JobOutcome::Released), Vec::new()),
        };
        match result {
            Ok(Ok(changes)) => (Some(JobOutcome::Done), changes),
            Ok(Err(JobError::Retry { after, reason, changes })) => {
                (Some(JobOutcome::Retry { due: self.context.clock.now().plus(after), reason }), changes)
            }
            Ok(Err(JobError::Failed(reason))) => fail(&reason),
            // The lease expires, and another worker leases the job.
            Ok(Err(JobError::Store(_) | JobError::LeaseLost)) => (None, Vec::new()),
            Err(_) => fail("An internal error occurred."),
        }
    }

    async fn renew_until_lost(&self, job: &Job) {
        let mut failed = 0;
        while failed < MAX_FAILED_RENEWALS {
            sleep(self.lease / 4).await;
            match self.context.records.renew_lease(job, self.context.clock.now().plus(self.lease)).await {
                Ok(true) => failed = 0,
                Ok(false) => return,
                Err(_) => failed += 1,
            }
        }
    }

    async fn finish(&self, job: &Job, outcome: &JobOutcome, changes: &[Change]) {
        for _ in 0..MAX_FINISH_ATTEMPTS {
            match self.context.records.finish_job(job, outcome, changes, self.context.clock.now()).await {
                Ok(_) => return,
                Err(_) => sleep(FINISH_RETRY_INTERVAL).await,
            }
        }
    }
}

async fn grace_period_over(shutdown: &CancellationToken) {
    shutdown.cancelled().await;
    sleep(SHUTDOWN_GRACE).await;
}

impl fmt::Debug for WorkerPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerPool").field("kinds", &self.handlers.keys()).finish_non_exhaustive()
    }
}
