//! Work that outlives a request. A job is a row: it commits together with what it belongs to, is leased to one worker
//! at a time, and is taken up again when its worker is gone.

mod crew;
mod started;

use std::{str::FromStr, time::Duration};

use async_trait::async_trait;
pub use crew::{Crew, Workplace};
use rand::CryptoRng;
pub use started::{LONGEST_WAIT, Started, WorkStatus};
use svc_mcp_access::{BrandId, Timestamp, decision::Unavailable, id};

use crate::Change;

/// Which room a job's work is done in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobKind {
    Audit,
    Analysis,
    Publish,
    ReportEmail,
}

impl JobKind {
    pub const ALL: [Self; 4] = [Self::Audit, Self::Analysis, Self::Publish, Self::ReportEmail];
    /// Minutes of crawling must not keep a post or a mail waiting, so each of the two has its own workers.
    pub const LONG: [Self; 2] = [Self::Audit, Self::Analysis];
    pub const SHORT: [Self; 2] = [Self::Publish, Self::ReportEmail];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::Analysis => "analysis",
            Self::Publish => "publish",
            Self::ReportEmail => "report_email",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such kind of job")]
pub struct UnknownKind;

impl FromStr for JobKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(UnknownKind)
    }
}

/// A job that is to be done, as a [`Change`] of the call or job that asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    pub job_id: String,
    pub kind: JobKind,
    /// What it is about, in the words of its room: the id of an audit, a post and its channel.
    pub subject: String,
    /// No two jobs of one lane run at the same time.
    pub lane: Option<String>,
    pub due: Timestamp,
}

impl NewJob {
    pub fn new(kind: JobKind, subject: &str, due: Timestamp, random: &mut impl CryptoRng) -> Self {
        Self { job_id: id::fresh("job", random), kind, subject: subject.to_owned(), lane: None, due }
    }

    #[must_use]
    pub fn in_lane(self, lane: &str) -> Self {
        Self { lane: Some(lane.to_owned()), ..self }
    }
}

/// A job in the hands of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub job_id: String,
    pub brand_id: BrandId,
    pub kind: JobKind,
    pub subject: String,
    /// How often it has been taken up, this time included.
    pub attempt: u32,
    /// Proves that it is this worker's. Whoever takes the job over makes it void.
    pub lease: String,
}

/// The work of one room.
#[async_trait]
pub trait Work: Send + Sync + 'static {
    fn kind(&self) -> JobKind;

    /// How often it is taken up before it counts as failed.
    fn most_attempts(&self) -> u32 {
        5
    }

    /// Does the work. What it returns commits together with the end of the job, if the lease still holds. It may be cut
    /// off at any await, and then begins anew: what must not happen twice is noted beforehand with [`Workplace::note`].
    async fn run(&self, job: &Job, at: &Workplace) -> Result<Vec<Change>, Setback>;

    /// What is to be true once the job has failed for good. The reason is for the brand's people.
    fn failed(&self, job: &Job, at: &Workplace, reason: &str) -> Vec<Change>;
}

/// Why a piece of work did not end well.
#[derive(Debug)]
pub enum Setback {
    /// It is worth another try after a while.
    Later { after: Duration, reason: String, changes: Vec<Change> },
    /// It is not.
    Failed(String),
    /// The store does not answer. The job stays, and is taken up again.
    Unavailable,
    /// Another worker has it now.
    LeaseLost,
}

impl From<Unavailable> for Setback {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

/// How a worker lets go of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Done,
    Failed {
        reason: String,
    },
    Later {
        due: Timestamp,
        reason: String,
    },
    /// Untouched, for somebody else: this process stops.
    Released,
}

#[async_trait]
pub trait JobRecords: Send + Sync {
    /// Takes a job whose time has come, of whatever brand: one that waits, or one whose worker is gone.
    async fn take_job(
        &self,
        kinds: &[JobKind],
        now: Timestamp,
        lease: Duration,
    ) -> Result<Option<Job>, Unavailable>;

    /// Makes the lease longer. False: another worker has it now.
    async fn keep_job(&self, job: &Job, until: Timestamp) -> Result<bool, Unavailable>;

    /// Commits changes in the middle of the work. False: another worker has the job now, and nothing was changed.
    async fn note(&self, job: &Job, changes: &[Change], now: Timestamp) -> Result<bool, Unavailable>;

    /// Lets go of a job, together with what is true from then on. False as above.
    async fn end_job(
        &self,
        job: &Job,
        ending: &Ending,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, Unavailable>;

    /// Returns when this process has added a job. Those of others are found by looking now and then.
    async fn job_added(&self);
}
