//! Workers lease jobs, renew the leases while the handlers run, and record the outcomes.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt,
    panic::AssertUnwindSafe,
    time::Duration,
};

use futures_util::FutureExt;
use svc_mcp_access::{BrandId, KeyId, StoreError, decision::Denial};
use tokio::{sync::Mutex, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{
    cancel::outcome_of,
    handler::{JobContext, JobError, JobHandler},
    job::{Job, JobKind},
    records::{JobDecision, JobOutcome},
};
use crate::{
    Change,
    log_text::without_addresses,
    trace::{self, NewSpan},
};

/// How often a worker looks for due jobs and for jobs that other processes added.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// A job that runs when the service stops has this long to end. Then it is released to another worker.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);
/// How often a worker tries to record an outcome. After that the lease expires and the job runs again.
const MAX_FINISH_ATTEMPTS: u32 = 20;
const FINISH_RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// After this many failed renewals the lease counts as lost.
const MAX_FAILED_RENEWALS: u32 = 3;

/// The workers of this process for one group of kinds.
pub struct WorkerPool {
    handlers: HashMap<JobKind, Box<dyn JobHandler>>,
    kinds: Vec<JobKind>,
    context: JobContext,
    lease: Duration,
    /// How many jobs of one brand may run at the same time.
    max_per_brand: usize,
    /// The number of running jobs of each brand. It is locked while a worker leases a job, so that two workers do not
    /// both take a brand's last place.
    running: Mutex<HashMap<BrandId, usize>>,
}

impl WorkerPool {
    /// A brand may use at most half of the workers: its slow jobs must leave workers to the other brands.
    pub fn new(
        handlers: Vec<Box<dyn JobHandler>>,
        workers: u32,
        context: JobContext,
        lease: Duration,
    ) -> Self {
        let handlers: HashMap<JobKind, _> =
            handlers.into_iter().map(|handler| (handler.kind(), handler)).collect();
        let kinds = handlers.keys().copied().collect();
        let max_per_brand = usize::try_from(workers / 2).unwrap_or(usize::MAX).max(1);
        Self { handlers, kinds, context, lease, max_per_brand, running: Mutex::default() }
    }

    /// Runs one worker until the service stops.
    pub async fn run_worker(&self, shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            if matches!(self.run_next(&shutdown).await, Ok(true)) {
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
    async fn run_next(&self, shutdown: &CancellationToken) -> Result<bool, StoreError> {
        let Some(job) = self.lease_next().await? else { return Ok(false) };
        self.run_leased(&job, shutdown).await;
        let mut running = self.running.lock().await;
        if let Entry::Occupied(mut count) = running.entry(job.brand_id) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
        Ok(true)
    }

    async fn lease_next(&self) -> Result<Option<Job>, StoreError> {
        let mut running = self.running.lock().await;
        let full = running.iter().filter(|(_, count)| **count >= self.max_per_brand);
        let full: Vec<BrandId> = full.map(|(brand, _)| brand.clone()).collect();
        let now = self.context.clock.now();
        let job = self.context.records.lease_job(&self.kinds, &full, now, self.lease).await?;
        if let Some(job) = &job {
            *running.entry(job.brand_id.clone()).or_default() += 1;
        }
        Ok(job)
    }

    /// The span of a run belongs to the trace of the call that queued the job.
    async fn run_leased(&self, job: &Job, shutdown: &CancellationToken) {
        let parent = job.traceparent.as_deref().and_then(trace::parse_traceparent);
        let span = trace::start(parent, || {
            NewSpan::consumer(format!("job {}", job.kind.as_str()))
                .with("svc_mcp.job_id", job.job_id.clone())
                .with("svc_mcp.job_kind", job.kind.as_str())
                .with("svc_mcp.job_attempt", i64::from(job.attempt))
                .with("svc_mcp.brand_id", job.brand_id.as_str().to_owned())
                .with("svc_mcp.key_id", job.key_id.as_ref().map_or("", KeyId::as_str).to_owned())
        });
        trace::run_in(span, self.run_and_record(job, shutdown)).await;
    }

    async fn run_and_record(&self, job: &Job, shutdown: &CancellationToken) {
        let Some(handler) = self.handlers.get(&job.kind) else { return };
        let clock = &self.context.clock;
        let started = clock.ticks();
        let (outcome, changes) = self.run_job(&**handler, job, shutdown).await;
        let label = match &outcome {
            None => "lost",
            Some(JobOutcome::Done) => "done",
            Some(JobOutcome::Failed { .. }) => "failed",
            Some(JobOutcome::Retry { .. }) => "later",
            Some(JobOutcome::Released) => "released",
            Some(JobOutcome::Held { .. }) => "held",
            Some(JobOutcome::Cancelled { .. }) => "cancelled",
        };
        let kind = job.kind.as_str();
        metrics::counter!("svc_mcp_jobs_total", "kind" => kind, "outcome" => label).increment(1);
        metrics::histogram!("svc_mcp_job_seconds", "kind" => kind)
            .record(clock.ticks().since(started).as_secs_f64());
        log_run(job, label, outcome.as_ref());
        trace::note("svc_mcp.outcome", label);
        if matches!(outcome, None | Some(JobOutcome::Failed { .. })) {
            trace::fail(label);
        }
        if let Some(outcome) = outcome {
            self.finish(job, &outcome, &changes).await;
        }
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
        // An audit or analysis begins here. Handlers of posts and emails ask again before they send.
        let begins_with = JobKind::LONG.contains(&job.kind).then_some(&[][..]);
        match self.context.records.authorize_job(job, begins_with, self.context.clock.now()).await {
            Ok(JobDecision::Allowed) => {}
            Ok(JobDecision::Denied(denial)) => return self.denied(job, denial),
            Ok(JobDecision::AllHeld) => return (Some(JobOutcome::Released), Vec::new()),
            Ok(JobDecision::LeaseLost) | Err(_) => return (None, Vec::new()),
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
            Ok(Err(JobError::FailedWith { reason, changes })) => {
                (Some(JobOutcome::Failed { reason }), changes)
            }
            Ok(Err(JobError::Denied(denial))) => self.denied(job, denial),
            Ok(Err(JobError::AllHeld)) => (Some(JobOutcome::Released), Vec::new()),
            // The lease expires, and another worker leases the job.
            Ok(Err(JobError::Store(_) | JobError::LeaseLost)) => (None, Vec::new()),
            Err(_) => fail("An internal error occurred."),
        }
    }

    fn denied(&self, job: &Job, denial: Denial) -> (Option<JobOutcome>, Vec<Change>) {
        (Some(outcome_of(denial, job, self.context.clock.now())), Vec::new())
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
                Ok(_) => {
                    self.context.waits.job_ended(job.record_id());
                    return;
                }
                Err(_) => sleep(FINISH_RETRY_INTERVAL).await,
            }
        }
    }
}

/// A failure is a warning with its reason. Everything else is what usually happens.
fn log_run(job: &Job, label: &'static str, outcome: Option<&JobOutcome>) {
    let (kind, attempt) = (job.kind.as_str(), job.attempt);
    if let Some(JobOutcome::Failed { reason }) = outcome {
        let reason = without_addresses(reason);
        tracing::warn!(job = job.job_id, brand = %job.brand_id, kind, attempt, outcome = label, reason, "job failed");
    } else {
        tracing::info!(job = job.job_id, brand = %job.brand_id, kind, attempt, outcome = label, "job");
    }
}

async fn grace_period_over(shutdown: &CancellationToken) {
    shutdown.cancelled().await;
    sleep(SHUTDOWN_GRACE).await;
}

impl fmt::Debug for WorkerPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerPool").field("kinds", &self.kinds).finish_non_exhaustive()
    }
}
