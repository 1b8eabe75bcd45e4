//! The job that withdraws one published post from one channel.

use async_trait::async_trait;
use rand::CryptoRng;
use svc_mcp_access::{BrandId, Timestamp};

use super::{
    Delivery, PublishError,
    backoff::{MAX_ATTEMPTS, backoff},
    post_target::{PostTarget, concurrency_key, open_secret},
};
use crate::{
    Change,
    jobs::{Job, JobContext, JobError, JobHandler, JobKind, NewJob},
    posts::{Target, TargetStatus, TargetStep},
};

#[derive(Debug)]
pub struct WithdrawJob;

pub(in crate::posts) fn withdraw_job(
    brand: &BrandId,
    post_id: &str,
    channel: &str,
    due: Timestamp,
    random: &mut impl CryptoRng,
) -> NewJob {
    NewJob::new(JobKind::Withdraw, &format!("{post_id}/{channel}"), due, random)
        .with_concurrency_key(&concurrency_key(brand, channel))
}

#[async_trait]
impl JobHandler for WithdrawJob {
    fn kind(&self) -> JobKind {
        JobKind::Withdraw
    }

    /// More than `MAX_ATTEMPTS`: a worker that was killed used an attempt of the job but perhaps none of the target.
    fn max_attempts(&self) -> u32 {
        3 * MAX_ATTEMPTS
    }

    async fn run(&self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        match PostTarget::from_job(job) {
            Some(target) => target.withdraw(job, context).await,
            None => Ok(Vec::new()),
        }
    }

    fn failed(&self, job: &Job, _: &JobContext, reason: &str) -> Vec<Change> {
        let failed = TargetStep::NotWithdrawn { reason: reason.to_owned() };
        PostTarget::from_job(job).map(|target| target.change(failed)).unwrap_or_default()
    }
}

impl PostTarget<'_> {
    async fn withdraw(self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        let brand = &job.brand_id;
        let Some(stored) = self.stored_channel(job, context).await? else {
            return Err(JobError::Failed(
                "The post was not withdrawn, because the channel was removed. Delete it by hand on the account.".into(),
            ));
        };
        context.begin_attempt(job, &self.change(TargetStep::WithdrawBegun)).await?;
        let Some(post) = context.records.post(brand, self.post_id).await? else { return Ok(Vec::new()) };
        let is_withdrawing = |target: &&Target| target.status == TargetStatus::Withdrawing;
        let Some(target) = self.find_in(&post).filter(is_withdrawing) else { return Ok(Vec::new()) };
        let delivery = Delivery {
            brand_id: brand,
            channel_id: &stored.channel.channel_id,
            post: &post,
            now: context.clock.now(),
            outbound: &context.outbound,
        };
        let result = match open_secret(brand, &stored, context.sealing.as_deref()) {
            Ok(secret) => delivery.withdraw(target, &stored.channel, &secret).await,
            Err(error) => Err(error),
        };
        match result {
            Ok(()) => Ok(self.change(TargetStep::Withdrawn)),
            Err(error) => Err(self.withdraw_again(target, context, error)),
        }
    }

    fn withdraw_again(self, target: &Target, context: &JobContext, error: PublishError) -> JobError {
        let (reason, requested) = match error {
            PublishError::Failed(reason) => {
                return JobError::Failed(format!("The post was not withdrawn. {reason}"));
            }
            PublishError::Retry { reason, after, .. } => (reason, after),
        };
        if target.attempts >= MAX_ATTEMPTS {
            return JobError::Failed(format!(
                "Withdrawing was tried {} times. The last error: {reason} Withdraw it again when the other server works.",
                target.attempts
            ));
        }
        let after = backoff(target.attempts, requested, &mut context.entropy.clone());
        let next = context.clock.now().plus(after);
        let changes = self.change(TargetStep::WithdrawPostponed { reason: reason.clone(), next });
        JobError::Retry { after, reason, changes }
    }
}
