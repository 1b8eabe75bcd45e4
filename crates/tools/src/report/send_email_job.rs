//! The job that sends one email, at most once.

use std::time::Duration;

use async_trait::async_trait;
use svc_mcp_access::StoreError;

use super::{
    EmailPurpose, EmailStatus, LinkToken, OutgoingEmail, ReportChange, ReportContent,
    compose::compose,
    confirmation::confirmation,
    mail::{EmailMessage, EmailMessageError, MailError, Mailer},
    test_email::test_email,
};
use crate::{
    Change,
    approvals::{ApprovalChange, WaitingApprovals, approvals_email},
    events::{EndpointNotice, endpoint_notice_email},
    jobs::{Job, JobContext, JobError, JobHandler, JobKind},
    key_notices::{KeyNotice, key_notice_email},
};

/// The delay after each failed attempt: almost ten hours in total.
const RETRY_DELAYS_MINUTES: [u64; 13] = [1, 2, 5, 10, 20, 30, 60, 60, 60, 60, 90, 90, 90];

#[derive(Debug)]
pub struct SendEmailJob;

/// What an email says.
enum Content<'a> {
    Report(&'a ReportContent),
    Confirmation,
    Test,
    Approvals(WaitingApprovals),
    Key(KeyNotice),
    Endpoint(EndpointNotice),
}

#[derive(Debug, thiserror::Error)]
enum SendError {
    #[error(transparent)]
    Job(#[from] JobError),
    #[error(transparent)]
    Message(#[from] EmailMessageError),
    #[error(transparent)]
    Mail(#[from] MailError),
}

#[async_trait]
impl JobHandler for SendEmailJob {
    fn kind(&self) -> JobKind {
        JobKind::ReportEmail
    }

    /// More than the retries: a worker that died before it sent the email used an attempt of the job but none of the email.
    fn max_attempts(&self) -> u32 {
        40
    }

    async fn run(&self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        let Some(outgoing) = context.records.outgoing_email(&job.brand_id, &job.subject).await? else {
            return Ok(Vec::new());
        };
        match outgoing.email.status {
            EmailStatus::Queued => attempt(job, context, &outgoing).await,
            // An earlier worker committed that it was about to send the email, and then died.
            EmailStatus::Sending => Ok(ended(
                &outgoing,
                outgoing.email.attempts,
                EmailStatus::Uncertain,
                "The service stopped while it was sending the email. It may have arrived, so it is not sent again.",
            )),
            EmailStatus::Sent | EmailStatus::Failed | EmailStatus::Cancelled | EmailStatus::Uncertain => {
                Ok(Vec::new())
            }
        }
    }

    fn failed(&self, job: &Job, _: &JobContext, reason: &str) -> Vec<Change> {
        let change = ReportChange::GiveUp { email_id: job.subject.clone(), reason: reason.to_owned() };
        vec![Change::Reports(change)]
    }
}

async fn attempt(job: &Job, context: &JobContext, outgoing: &OutgoingEmail) -> Result<Vec<Change>, JobError> {
    let content = match content(job, context, outgoing).await {
        Ok(content) => content,
        Err(NotSent::Outdated(reason)) => {
            return Ok(ended(outgoing, outgoing.email.attempts, EmailStatus::Failed, reason));
        }
        Err(NotSent::Job(error)) => return Err(error),
    };
    let attempts = outgoing.email.attempts + 1;
    let sent = match &context.mailer {
        Some(mailer) => send(job, context, mailer, outgoing, &content, attempts).await,
        None => Err(MailError::Retry("the service has no mail server (SVC_SMTP_URL)".to_owned()).into()),
    };
    let (status, answer) = match sent {
        Ok(answer) => (EmailStatus::Sent, answer),
        Err(SendError::Job(error)) => return Err(error),
        Err(SendError::Message(error)) => (EmailStatus::Failed, error.to_string()),
        Err(SendError::Mail(MailError::Refused(answer))) => (EmailStatus::Failed, answer),
        Err(SendError::Mail(MailError::Unknown(answer))) => (EmailStatus::Uncertain, answer),
        Err(SendError::Mail(MailError::Retry(answer))) => {
            match RETRY_DELAYS_MINUTES.get(outgoing.email.attempts as usize) {
                Some(minutes) => return Err(retry(outgoing, attempts, answer, *minutes)),
                None => (EmailStatus::Failed, answer),
            }
        }
    };
    let changes = ended(outgoing, attempts, status, &answer);
    if status == EmailStatus::Sent {
        return Ok(changes);
    }
    Err(JobError::FailedWith { reason: answer, changes })
}

/// Why there is nothing to send.
enum NotSent {
    /// What the email would say is not true any more, or the recipient does not want it.
    Outdated(&'static str),
    Job(JobError),
}

impl From<StoreError> for NotSent {
    fn from(error: StoreError) -> Self {
        Self::Job(error.into())
    }
}

/// What the email says.
async fn content<'a>(
    job: &Job,
    context: &JobContext,
    outgoing: &'a OutgoingEmail,
) -> Result<Content<'a>, NotSent> {
    let email = &outgoing.email;
    if email.purpose == EmailPurpose::Approvals {
        let now = context.clock.now();
        let waiting = context.records.approval_notice_for(&job.brand_id, &email.recipient, now).await?;
        return waiting.map(Content::Approvals).ok_or(NotSent::Outdated(
            "Nothing waits for the recipient's approval any more, or they do not want these emails.",
        ));
    }
    if matches!(email.purpose, EmailPurpose::KeyExpiring | EmailPurpose::KeyLeaked) {
        let notice = context.records.key_notice(&job.brand_id, &email.email_id, context.clock.now()).await?;
        return notice.map(Content::Key).ok_or(NotSent::Outdated(
            "The key or the membership of the recipient has changed, so this is no longer true.",
        ));
    }
    if email.purpose == EmailPurpose::EndpointOff {
        let notice = context.records.endpoint_notice(&job.brand_id, &email.email_id).await?;
        return notice.map(Content::Endpoint).ok_or(NotSent::Outdated(
            "The endpoint is on again or deleted, or the recipient is no longer an administrator.",
        ));
    }
    if !outgoing.is_wanted() {
        return Err(NotSent::Outdated("The recipient is no longer on the list, or does not want it."));
    }
    if email.purpose == EmailPurpose::Test {
        return Ok(Content::Test);
    }
    Ok(outgoing.content.as_ref().map_or(Content::Confirmation, Content::Report))
}

/// Sends the email and returns the response of the mail server.
async fn send(
    job: &Job,
    context: &JobContext,
    mailer: &Mailer,
    outgoing: &OutgoingEmail,
    content: &Content<'_>,
    attempts: u32,
) -> Result<String, SendError> {
    let token = LinkToken::generate(&mut context.entropy.clone());
    let message = message(job, context, outgoing, content, &token).await?;
    let prepared = mailer.prepare(&message).await?;
    let email_id = outgoing.email.email_id.clone();
    let is_for_approver = matches!(content, Content::Approvals(_));
    let has_own_link = matches!(content, Content::Report(_) | Content::Confirmation | Content::Test);
    let link = has_own_link.then(|| token.digest());
    let mut changes = vec![Change::Reports(ReportChange::MarkSending { email_id, attempts, link })];
    if is_for_approver {
        // The mail server may have been away for hours. The next emails wait from now on.
        changes.push(Change::Approvals(ApprovalChange::Mailed { emails: Vec::new() }));
    }
    context.begin_attempt(job, &changes).await?;
    Ok(prepared.send().await?)
}

async fn message(
    job: &Job,
    context: &JobContext,
    outgoing: &OutgoingEmail,
    content: &Content<'_>,
    token: &LinkToken,
) -> Result<EmailMessage, SendError> {
    let email = &outgoing.email;
    let message =
        |composed| EmailMessage::new(&email.email_id, email.recipient.clone(), composed, email.created_at);
    let profile = || context.records.profile(&job.brand_id);
    Ok(match content {
        Content::Report(content) => {
            let link = token.unsubscribe_url(&context.public_url, &job.brand_id);
            message(compose(content, &link))?.with_unsubscribe(&link)?
        }
        Content::Confirmation => {
            let link = token.confirm_url(&context.public_url, &job.brand_id);
            let profile = profile().await.map_err(JobError::Store)?;
            message(confirmation(&profile.brand.name, &link))?
        }
        Content::Test => {
            let link = token.unsubscribe_url(&context.public_url, &job.brand_id);
            let profile = profile().await.map_err(JobError::Store)?;
            message(test_email(&profile.brand.name, &link))?.with_unsubscribe(&link)?
        }
        Content::Approvals(waiting) => {
            let profile = profile().await.map_err(JobError::Store)?;
            message(approvals_email(&profile.brand, waiting, &context.public_url))?
        }
        Content::Endpoint(notice) => {
            let profile = profile().await.map_err(JobError::Store)?;
            message(endpoint_notice_email(&profile.brand, notice, &context.public_url))?
        }
        Content::Key(notice) => {
            let profile = profile().await.map_err(JobError::Store)?;
            message(key_notice_email(&profile.brand, notice, &context.public_url, context.clock.now()))?
        }
    })
}

fn retry(outgoing: &OutgoingEmail, attempts: u32, answer: String, minutes: u64) -> JobError {
    let email_id = outgoing.email.email_id.clone();
    let requeue = ReportChange::Requeue { email_id, attempts, answer: answer.clone() };
    let after = Duration::from_mins(minutes);
    JobError::Retry { after, reason: answer, changes: vec![Change::Reports(requeue)] }
}

fn ended(outgoing: &OutgoingEmail, attempts: u32, status: EmailStatus, answer: &str) -> Vec<Change> {
    let email_id = outgoing.email.email_id.clone();
    vec![Change::Reports(ReportChange::Ended { email_id, attempts, status, answer: answer.to_owned() })]
}
