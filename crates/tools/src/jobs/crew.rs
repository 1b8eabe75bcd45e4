//! Workers: they take jobs, keep their leases while the work goes on, and record how it ended.

use std::{collections::HashMap, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use svc_mcp_access::{Clock, Entropy};
use tokio::{sync::watch, time::sleep};

use super::{Ending, Job, JobKind, Setback, Work};
use crate::{Change, Records, net::Outbound};

/// Jobs of other instances, and those whose time comes, are looked for this often.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// While the store does not answer, it is asked this often.
const ASK_AGAIN: Duration = Duration::from_secs(1);
/// What is under way when the service stops has this long to end by itself; then it is somebody else's.
const STOP_GRACE: Duration = Duration::from_secs(5);
/// How often an end that could not be written is tried again, before the lease decides.
const END_TRIES: u32 = 20;

/// What work is done with.
#[derive(Clone)]
pub struct Workplace {
    pub records: Arc<dyn Records>,
    pub outbound: Outbound,
    pub clock: Arc<dyn Clock>,
    pub entropy: Entropy,
    /// Where the service is reached from outside, without a trailing slash.
    pub public_url: Arc<str>,
}

impl Workplace {
    /// Commits changes in the middle of the work, as long as the job is still this worker's.
    pub async fn note(&self, job: &Job, changes: &[Change]) -> Result<(), Setback> {
        let held = self.records.note(job, changes, self.clock.now()).await?;
        if held { Ok(()) } else { Err(Setback::LeaseLost) }
    }
}

impl std::fmt::Debug for Workplace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workplace").field("public_url", &self.public_url).finish_non_exhaustive()
    }
}

/// All the work there is, and who does it.
pub struct Crew {
    works: HashMap<JobKind, Box<dyn Work>>,
    at: Workplace,
    lease: Duration,
}

impl Crew {
    pub fn new(works: Vec<Box<dyn Work>>, at: Workplace, lease: Duration) -> Self {
        Self { works: works.into_iter().map(|work| (work.kind(), work)).collect(), at, lease }
    }

    /// One worker: does jobs of these kinds until it is told to stop.
    pub async fn work(&self, kinds: &[JobKind], mut stopped: watch::Receiver<bool>) {
        while !*stopped.borrow() {
            if matches!(self.do_next(kinds, &stopped).await, Ok(true)) {
                continue;
            }
            tokio::select! {
                () = self.at.records.job_added() => {}
                () = sleep(LOOK_EVERY) => {}
                _ = stopped.wait_for(|stopped| *stopped) => {}
            }
        }
    }

    /// Takes one job, if there is one, and sees it through. False: there was none.
    async fn do_next(
        &self,
        kinds: &[JobKind],
        stopped: &watch::Receiver<bool>,
    ) -> Result<bool, svc_mcp_access::decision::Unavailable> {
        let kinds: Vec<JobKind> =
            kinds.iter().copied().filter(|kind| self.works.contains_key(kind)).collect();
        let taken = self.at.records.take_job(&kinds, self.at.clock.now(), self.lease).await?;
        let Some(job) = taken else { return Ok(false) };
        let Some(work) = self.works.get(&job.kind) else { return Ok(false) };
        let started = self.at.clock.ticks();
        let (ending, changes) = self.see_through(&**work, &job, stopped.clone()).await;
        let outcome = match &ending {
            None => "lost",
            Some(Ending::Done) => "done",
            Some(Ending::Failed { .. }) => "failed",
            Some(Ending::Later { .. }) => "later",
            Some(Ending::Released) => "released",
        };
        let kind = job.kind.as_str();
        metrics::counter!("svc_mcp_jobs_total", "kind" => kind, "outcome" => outcome).increment(1);
        metrics::histogram!("svc_mcp_job_seconds", "kind" => kind)
            .record(self.at.clock.ticks().since(started).as_secs_f64());
        tracing::info!(job = job.job_id, brand = %job.brand_id, kind, attempt = job.attempt, outcome, "job");
        if let Some(ending) = ending {
            self.end(&job, &ending, &changes).await;
        }
        Ok(true)
    }

    async fn see_through(
        &self,
        work: &dyn Work,
        job: &Job,
        stopped: watch::Receiver<bool>,
    ) -> (Option<Ending>, Vec<Change>) {
        let fail = |reason: &str| {
            (Some(Ending::Failed { reason: reason.to_owned() }), work.failed(job, &self.at, reason))
        };
        if job.attempt > work.most_attempts() {
            return fail(&format!("It was begun {} times and never came to its end.", job.attempt - 1));
        }
        let ran = tokio::select! {
            ran = AssertUnwindSafe(work.run(job, &self.at)).catch_unwind() => ran,
            () = self.keep(job) => return (None, Vec::new()),
            () = called_off(stopped) => return (Some(Ending::Released), Vec::new()),
        };
        match ran {
            Ok(Ok(changes)) => (Some(Ending::Done), changes),
            Ok(Err(Setback::Later { after, reason, changes })) => {
                (Some(Ending::Later { due: self.at.clock.now().plus(after), reason }), changes)
            }
            Ok(Err(Setback::Failed(reason))) => fail(&reason),
            // The lease runs out, and whoever is well then takes the job up.
            Ok(Err(Setback::Unavailable | Setback::LeaseLost)) => (None, Vec::new()),
            Err(_) => fail("Something went wrong inside the service."),
        }
    }

    /// Keeps the lease for as long as this is polled. Returns when it is lost.
    async fn keep(&self, job: &Job) {
        let mut unanswered = 0;
        while unanswered < 3 {
            sleep(self.lease / 4).await;
            match self.at.records.keep_job(job, self.at.clock.now().plus(self.lease)).await {
                Ok(true) => unanswered = 0,
                Ok(false) => return,
                Err(_) => unanswered += 1,
            }
        }
    }

    async fn end(&self, job: &Job, ending: &Ending, changes: &[Change]) {
        for _ in 0..END_TRIES {
            match self.at.records.end_job(job, ending, changes, self.at.clock.now()).await {
                Ok(_) => return,
                Err(_) => sleep(ASK_AGAIN).await,
            }
        }
    }
}

async fn called_off(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
    sleep(STOP_GRACE).await;
}

impl std::fmt::Debug for Crew {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crew").field("kinds", &self.works.keys()).finish_non_exhaustive()
    }
}
