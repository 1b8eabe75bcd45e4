//! Sends one mail, once.

use std::time::Duration;

use async_trait::async_trait;

use super::{
    Dispatch, EmailStatus, LinkToken, ReportChange,
    compose::compose,
    confirm::confirmation,
    mail::{Letter, MailFault, UnfitLetter},
};
use crate::{
    Change,
    jobs::{Job, JobKind, Setback, Work, Workplace},
};

#[derive(Debug)]
pub struct SendMail;

/// After each try that a mail server turned away or missed, in minutes: almost ten hours in all.
const PAUSES: [u64; 13] = [1, 2, 5, 10, 20, 30, 60, 60, 60, 60, 90, 90, 90];

#[async_trait]
impl Work for SendMail {
    fn kind(&self) -> JobKind {
        JobKind::ReportEmail
    }

    /// More than there are pauses: a worker that died before it handed the mail over has used up no try.
    fn most_attempts(&self) -> u32 {
        40
    }

    async fn run(&self, job: &Job, at: &Workplace) -> Result<Vec<Change>, Setback> {
        let Some(dispatch) = at.records.dispatch(&job.brand_id, &job.subject).await? else {
            return Ok(Vec::new());
        };
        match dispatch.email.status {
            EmailStatus::Queued => send(job, at, &dispatch).await,
            // Whoever had it wrote that it was about to hand it over, and was not heard of again.
            EmailStatus::Sending => Ok(ended(
                &dispatch,
                dispatch.email.attempts,
                EmailStatus::Uncertain,
                "The service was stopped while it handed the mail over. It may have arrived, so it is not sent again.",
            )),
            EmailStatus::Sent | EmailStatus::Failed | EmailStatus::Uncertain => Ok(Vec::new()),
        }
    }

    fn failed(&self, job: &Job, _: &Workplace, reason: &str) -> Vec<Change> {
        let change = ReportChange::GivenUp { email_id: job.subject.clone(), reason: reason.to_owned() };
        vec![Change::Reports(change)]
    }
}

async fn send(job: &Job, at: &Workplace, dispatch: &Dispatch) -> Result<Vec<Change>, Setback> {
    let attempts = dispatch.email.attempts + 1;
    if !dispatch.is_wanted() {
        let reason = "The recipient is no longer on the list, or does not want it.";
        return Ok(ended(dispatch, dispatch.email.attempts, EmailStatus::Failed, reason));
    }
    let Some(mailer) = &at.mailer else {
        let reason = "the service has no mail server (SVC_SMTP_URL)".to_owned();
        return not_taken(dispatch, attempts, MailFault::Later(reason));
    };
    let token = LinkToken::generate(&mut at.entropy.clone());
    let letter = match letter(job, at, dispatch, &token).await? {
        Ok(letter) => letter,
        Err(unfit) => return Ok(ended(dispatch, attempts, EmailStatus::Failed, &unfit.to_string())),
    };
    let ready = match mailer.prepare(&letter).await {
        Ok(ready) => ready,
        Err(fault) => return not_taken(dispatch, attempts, fault),
    };
    let email_id = dispatch.email.email_id.clone();
    let mark = ReportChange::HandingOver { email_id, attempts, link: token.digest() };
    at.note(job, &[Change::Reports(mark)]).await?;
    match ready.hand_over().await {
        Ok(answer) => Ok(ended(dispatch, attempts, EmailStatus::Sent, &answer)),
        Err(fault) => not_taken(dispatch, attempts, fault),
    }
}

async fn letter(
    job: &Job,
    at: &Workplace,
    dispatch: &Dispatch,
    token: &LinkToken,
) -> Result<Result<Letter, UnfitLetter>, Setback> {
    let email = &dispatch.email;
    let letter = |composed| Letter::new(&email.email_id, email.recipient.clone(), composed, email.created_at);
    if let Some(content) = &dispatch.content {
        let link = token.unsubscribe_url(&at.public_url, &job.brand_id);
        let written = letter(compose(content, &link));
        return Ok(written.and_then(|letter| letter.with_unsubscribe(&link)));
    }
    let profile = at.records.profile(&job.brand_id).await?;
    Ok(letter(confirmation(&profile.brand.name, &token.confirm_url(&at.public_url, &job.brand_id))))
}

/// Later while there are pauses left; refused or unknown is the end of it.
fn not_taken(dispatch: &Dispatch, attempts: u32, fault: MailFault) -> Result<Vec<Change>, Setback> {
    let pause = PAUSES.get(attempts as usize - 1);
    match (fault, pause) {
        (MailFault::Later(answer), Some(minutes)) => {
            let email_id = dispatch.email.email_id.clone();
            let put_back = ReportChange::PutBack { email_id, attempts, answer: answer.clone() };
            Err(Setback::Later {
                after: Duration::from_mins(*minutes),
                reason: answer,
                changes: vec![Change::Reports(put_back)],
            })
        }
        (MailFault::Later(answer) | MailFault::Refused(answer), _) => {
            Ok(ended(dispatch, attempts, EmailStatus::Failed, &answer))
        }
        (MailFault::Unknown(answer), _) => Ok(ended(dispatch, attempts, EmailStatus::Uncertain, &answer)),
    }
}

fn ended(dispatch: &Dispatch, attempts: u32, status: EmailStatus, answer: &str) -> Vec<Change> {
    let email_id = dispatch.email.email_id.clone();
    vec![Change::Reports(ReportChange::Ended { email_id, attempts, status, answer: answer.to_owned() })]
}
