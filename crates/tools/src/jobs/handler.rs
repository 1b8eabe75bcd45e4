//! The code that does a job, and what it gets to work with.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use svc_mcp_access::{Clock, Entropy, StoreError, decision::Denial, key::SealingKeys};

use super::{
    job::{Job, JobKind},
    records::JobDecision,
    waits::JobWaits,
};
use crate::{Change, CpuPool, Records, net::Outbound, report::mail::Mailer};

#[async_trait]
pub trait JobHandler: Send + Sync + 'static {
    fn kind(&self) -> JobKind;

    /// After this many attempts the job has failed.
    fn max_attempts(&self) -> u32 {
        5
    }

    /// Does the work. The returned changes commit together with the end of the job, if the lease is still valid.
    ///
    /// The future may be dropped at any await, and the job then starts again. Before it sends anything that people outside
    /// see, the handler calls [`JobContext::begin_attempt`].
    async fn run(&self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError>;

    /// The changes to commit when the job has failed for good. The reason is shown to the brand's users.
    fn failed(&self, job: &Job, context: &JobContext, reason: &str) -> Vec<Change>;
}

#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// Try again after a delay.
    #[error("{reason}")]
    Retry { after: Duration, reason: String, changes: Vec<Change> },
    /// Another attempt would fail too.
    #[error("{0}")]
    Failed(String),
    /// The same, with changes that say more than [`JobHandler::failed`] does.
    #[error("{reason}")]
    FailedWith { reason: String, changes: Vec<Change> },
    /// The job stays and is leased again.
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("another worker has the job")]
    LeaseLost,
    /// The operator holds all jobs. Nothing was sent.
    #[error("all jobs are held")]
    AllHeld,
    /// The key that ordered the job may not act now. Nothing was sent.
    #[error("{}", .0.reason())]
    Denied(Denial),
}

/// What the service provides to job handlers.
#[derive(Clone)]
pub struct JobContext {
    pub records: Arc<dyn Records>,
    pub outbound: Outbound,
    /// Runs work that would block the async threads.
    pub cpu: CpuPool,
    pub clock: Arc<dyn Clock>,
    pub entropy: Entropy,
    /// `None`: sealed secrets cannot be opened.
    pub sealing: Option<Arc<SealingKeys>>,
    /// The public address of the service, without a trailing slash.
    pub public_url: Arc<str>,
    /// `None`: the operator configured no mail server.
    pub mailer: Option<Arc<Mailer>>,
    /// The calls to wake up when a job ends.
    pub waits: Arc<JobWaits>,
}

impl JobContext {
    /// Commits the start of an attempt to send something, if the key that ordered the job may still act.
    pub async fn begin_attempt(&self, job: &Job, changes: &[Change]) -> Result<(), JobError> {
        match self.records.authorize_job(job, Some(changes), self.clock.now()).await? {
            JobDecision::Allowed => Ok(()),
            JobDecision::Denied(denial) => Err(JobError::Denied(denial)),
            JobDecision::LeaseLost => Err(JobError::LeaseLost),
            JobDecision::AllHeld => Err(JobError::AllHeld),
        }
    }

    /// Commits changes while the job is running.
    pub async fn commit_progress(&self, job: &Job, changes: &[Change]) -> Result<(), JobError> {
        let is_leased = self.records.commit_progress(job, changes, self.clock.now()).await?;
        if is_leased { Ok(()) } else { Err(JobError::LeaseLost) }
    }
}

impl fmt::Debug for JobContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobContext").field("public_url", &self.public_url).finish_non_exhaustive()
    }
}
