//! The job queue as the store provides it.

use std::time::Duration;

use async_trait::async_trait;
use svc_mcp_access::{BrandId, StoreError, Timestamp, decision::Denial};

use super::job::{Job, JobKind};
use crate::{Change, records::CommitError};

/// How a job ended, or why its worker gave it back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobOutcome {
    Done,
    Failed {
        reason: String,
    },
    Retry {
        due: Timestamp,
        reason: String,
    },
    /// This process stops, or all jobs are held, so the job waits for another worker. The attempt does not count.
    Released,
    /// The key that ordered the job may not act for now. The attempt does not count.
    Held {
        due: Timestamp,
        denial: Denial,
    },
    /// The key that ordered the job may not act any more. The store also ends what the job works on.
    Cancelled {
        denial: Denial,
    },
}

/// Whether a worker may go on with a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobDecision {
    Allowed,
    Denied(Denial),
    /// Another worker has the job, or it was cancelled.
    LeaseLost,
    /// The operator holds all jobs.
    AllHeld,
}

#[async_trait]
pub trait JobRecords: Send + Sync {
    /// Leases a job that is due, or whose lease has expired. Brands take turns, whatever their backlogs are. Jobs of the
    /// excluded brands are not leased, and none while the operator holds all jobs.
    async fn lease_job(
        &self,
        kinds: &[JobKind],
        excluded: &[BrandId],
        now: Timestamp,
        lease: Duration,
    ) -> Result<Option<Job>, StoreError>;

    /// Extends the lease. False: another worker has the job.
    async fn renew_lease(&self, job: &Job, until: Timestamp) -> Result<bool, StoreError>;

    /// Asks the access decision for the key or the person that ordered the job.
    ///
    /// With changes, an attempt begins: the changes are committed together with the decision, and a later revoke reports
    /// the job as already sending. Nothing may be sent before that.
    async fn authorize_job(
        &self,
        job: &Job,
        begins_with: Option<&[Change]>,
        now: Timestamp,
    ) -> Result<JobDecision, StoreError>;

    /// Commits changes while the job is running. False: another worker has the job, and nothing was changed.
    async fn commit_progress(
        &self,
        job: &Job,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// The same for changes that use quotas. Nothing is changed if a quota is used up.
    async fn commit_within_quotas(
        &self,
        job: &Job,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, CommitError>;

    /// Ends the job and commits the changes with it. False: another worker has the job, and nothing was changed.
    async fn finish_job(
        &self,
        job: &Job,
        outcome: &JobOutcome,
        changes: &[Change],
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Whether the operator holds all jobs, as this process has last read it.
    fn all_jobs_are_held(&self) -> bool;

    /// Returns when this process has added a job. Jobs of other processes are found by polling.
    async fn job_added(&self);
}
