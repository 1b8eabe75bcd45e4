//! Tells approvers by email that calls wait. A brand orders such emails at most once in ten minutes. What an email lists is
//! read when it is sent, so that it contains every call that waits by then.

use std::time::Duration;

use async_trait::async_trait;
use svc_mcp_access::{BrandId, StoreError, Timestamp, id};

use super::ApprovalChange;
use crate::{
    Change,
    jobs::{Job, JobContext, JobError, JobHandler, JobKind, NewJob},
    report::{EmailAddress, NewEmail},
};

/// The emails of a brand are at least this far apart.
const EMAIL_INTERVAL: Duration = Duration::from_mins(10);
/// Agents often make several calls one after the other. They are listed in one email.
const COLLECTION_TIME: Duration = Duration::from_secs(15);
/// An email lists at most this many calls, and the number of the others.
pub const MAX_LISTED: u32 = 20;

/// Whom to tell that calls wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalNotice {
    /// Members who want emails, may decide a call that waits, and have no email in the queue.
    pub recipients: Vec<EmailAddress>,
    /// When emails to the brand's approvers were last ordered or sent.
    pub last_mailed_at: Option<Timestamp>,
}

/// The calls that a person may decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingApprovals {
    /// The oldest, at most [`MAX_LISTED`].
    pub listed: Vec<WaitingApproval>,
    pub total: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingApproval {
    pub tool: String,
    pub key_label: String,
    pub requested_at: Timestamp,
    pub expires_at: Timestamp,
}

#[async_trait]
pub trait ApprovalNoticeRecords: Send + Sync {
    /// `None`: nothing waits, or nobody is to be told.
    async fn approval_notice(
        &self,
        brand: &BrandId,
        now: Timestamp,
    ) -> Result<Option<ApprovalNotice>, StoreError>;

    /// `None`: nothing waits that a member with this address may decide, or they do not want emails.
    async fn approval_notice_for(
        &self,
        brand: &BrandId,
        recipient: &EmailAddress,
        now: Timestamp,
    ) -> Result<Option<WaitingApprovals>, StoreError>;
}

/// The job that is added when a call begins to wait. Two of them could order the same emails, so they do not run at the
/// same time.
pub fn notice_job(
    brand: &BrandId,
    job_id: &str,
    last_mailed_at: Option<Timestamp>,
    now: Timestamp,
) -> NewJob {
    let collected = now.plus(COLLECTION_TIME);
    NewJob {
        job_id: job_id.to_owned(),
        kind: JobKind::ApprovalNotice,
        subject: "approvals".to_owned(),
        concurrency_key: Some(format!("approvals of {brand}")),
        due: last_mailed_at.map_or(collected, |last| collected.max(last.plus(EMAIL_INTERVAL))),
    }
}

impl ApprovalNotice {
    /// How long the brand's next emails must wait.
    fn delay(&self, now: Timestamp) -> Option<Duration> {
        let earliest = self.last_mailed_at?.plus(EMAIL_INTERVAL);
        let millis = u64::try_from(earliest.millis().saturating_sub(now.millis())).ok()?;
        (millis > 0).then(|| Duration::from_millis(millis))
    }
}

/// Orders one email for each approver.
#[derive(Debug)]
pub struct ApprovalNoticeJob;

#[async_trait]
impl JobHandler for ApprovalNoticeJob {
    fn kind(&self) -> JobKind {
        JobKind::ApprovalNotice
    }

    /// An email that the mail server accepted late delays the next ones, and the job is tried again after that.
    fn max_attempts(&self) -> u32 {
        100
    }

    async fn run(&self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        if context.mailer.is_none() {
            return Ok(Vec::new());
        }
        let now = context.clock.now();
        let Some(notice) = context.records.approval_notice(&job.brand_id, now).await? else {
            return Ok(Vec::new());
        };
        if let Some(after) = notice.delay(now) {
            let reason = "The last emails were sent less than ten minutes ago.".to_owned();
            return Err(JobError::Retry { after, reason, changes: Vec::new() });
        }
        let mut random = context.entropy.clone();
        let (mut emails, mut changes) = (Vec::new(), Vec::new());
        for recipient in notice.recipients {
            let email_id = id::fresh("mail", &mut random);
            let job = NewJob::new(JobKind::ReportEmail, &email_id, now, &mut random);
            emails.push(NewEmail { email_id, recipient });
            changes.push(Change::AddJob(job));
        }
        changes.push(Change::Approvals(ApprovalChange::Mailed { emails }));
        Ok(changes)
    }

    /// The calls still wait, and people see them on the page.
    fn failed(&self, _: &Job, _: &JobContext, _: &str) -> Vec<Change> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn job_is_due_after_15_seconds_and_10_minutes_after_the_last_emails() {
        for (last_mailed_at, due) in [
            (None, NOW.plus(seconds(15))),
            (Some(NOW.minus(seconds(3_600))), NOW.plus(seconds(15))),
            (Some(NOW.minus(seconds(595))), NOW.plus(seconds(15))),
            (Some(NOW.minus(seconds(60))), NOW.plus(seconds(540))),
        ] {
            let job = notice_job(&"acme".parse().unwrap(), "job_1", last_mailed_at, NOW);
            assert_eq!(job.due, due, "{last_mailed_at:?}");
        }
    }

    #[test]
    fn emails_wait_until_ten_minutes_after_the_last_ones() {
        for (last_mailed_at, delay) in [
            (None, None),
            (Some(NOW.minus(seconds(600))), None),
            (Some(NOW.minus(seconds(599))), Some(seconds(1))),
            (Some(NOW), Some(seconds(600))),
        ] {
            let notice = ApprovalNotice { recipients: Vec::new(), last_mailed_at };
            assert_eq!(notice.delay(NOW), delay, "{last_mailed_at:?}");
        }
    }
}
