//! The job that publishes one post on one channel.

use std::time::Duration;

use async_trait::async_trait;
use rand::CryptoRng;
use svc_mcp_access::{BrandId, Timestamp};

use super::{
    Delivery, Publication, PublishError,
    backoff::{MAX_ATTEMPTS, backoff},
    post_target::{PostTarget, concurrency_key, open_secret},
    unknown_outcome::UnknownOutcome,
};
use crate::{
    Change,
    jobs::{Job, JobContext, JobError, JobHandler, JobKind, NewJob},
    posts::{FEED, Post, Target, TargetStatus, TargetStep},
};

#[derive(Debug)]
pub struct PublishJob;

/// Posts of one channel are published one after the other.
pub(in crate::posts) fn publish_job(
    brand: &BrandId,
    post_id: &str,
    channel: &str,
    due: Timestamp,
    random: &mut impl CryptoRng,
) -> NewJob {
    let job = NewJob::new(JobKind::Publish, &format!("{post_id}/{channel}"), due, random);
    if channel == FEED { job } else { job.with_concurrency_key(&concurrency_key(brand, channel)) }
}

#[async_trait]
impl JobHandler for PublishJob {
    fn kind(&self) -> JobKind {
        JobKind::Publish
    }

    /// More than `MAX_ATTEMPTS`: a worker that was killed used an attempt of the job but perhaps none of the target.
    fn max_attempts(&self) -> u32 {
        3 * MAX_ATTEMPTS
    }

    async fn run(&self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        let Some(target) = PostTarget::from_job(job) else { return Ok(Vec::new()) };
        if target.channel != FEED {
            return target.publish(job, context).await;
        }
        target.publish_in_feed(job, context).await
    }

    fn failed(&self, job: &Job, _: &JobContext, reason: &str) -> Vec<Change> {
        let failed = TargetStep::Failed { reason: reason.to_owned() };
        PostTarget::from_job(job).map(|target| target.change(failed)).unwrap_or_default()
    }
}

impl PostTarget<'_> {
    /// Commits the start of an attempt and reads the post again. `None`: the target is not to be published any more. A
    /// change from now on sees that the attempt has started.
    async fn begin(
        self,
        job: &Job,
        context: &JobContext,
        unknown_since: Option<Timestamp>,
    ) -> Result<Option<Post>, JobError> {
        context.begin_attempt(job, &self.change(TargetStep::Begun { unknown_since })).await?;
        let Some(post) = context.records.post(&job.brand_id, self.post_id).await? else { return Ok(None) };
        match self.find_in(&post).map(|target| target.status) {
            Some(TargetStatus::Publishing) => Ok(Some(post)),
            // The post got another time after this worker had taken the job.
            Some(TargetStatus::Scheduled) => {
                let due = post.publish_time().millis() - context.clock.now().millis();
                let after = u64::try_from(due).map_or(Duration::ZERO, Duration::from_millis);
                let reason = "The post was scheduled for another time.".to_owned();
                Err(JobError::Retry { after, reason, changes: Vec::new() })
            }
            _ => Ok(None),
        }
    }

    /// The service serves the feed itself: a post that is stored as published is in it.
    async fn publish_in_feed(self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        let Some(post) = self.begin(job, context, None).await? else { return Ok(Vec::new()) };
        let url = post.feed_address(&context.public_url, &job.brand_id);
        let at = post.publish_time();
        Ok(self.change(TargetStep::Published { url: Some(url), remote_uri: None, at }))
    }

    async fn publish(self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        let brand = &job.brand_id;
        let Some(stored) = self.stored_channel(job, context).await? else {
            return Ok(self.change(TargetStep::Cancelled { reason: "The channel was removed.".into() }));
        };
        let Some(post) = context.records.post(brand, self.post_id).await? else { return Ok(Vec::new()) };
        let now = context.clock.now();
        let unknown =
            UnknownOutcome::before_attempt(self.find_in(&post), stored.channel.settings.kind(), now);
        unknown.check_repetition()?;
        let Some(post) = self.begin(job, context, unknown.during_attempt()).await? else {
            return Ok(Vec::new());
        };
        let Some(target) = self.find_in(&post) else { return Ok(Vec::new()) };
        let delivery = Delivery {
            brand_id: brand,
            channel_id: &stored.channel.channel_id,
            post: &post,
            now,
            outbound: &context.outbound,
        };
        let result = match open_secret(brand, &stored, context.sealing.as_deref()) {
            Ok(secret) => delivery.publish(&stored.channel, &secret).await,
            Err(error) => Err(error),
        };
        match result {
            Ok(Publication { url, remote_uri }) => {
                Ok(self.change(TargetStep::Published { url, remote_uri, at: context.clock.now() }))
            }
            Err(error) => {
                let unknown = unknown.after_attempt(error.maybe_published());
                let ended = self.retry_or_fail(target, context, unknown, error);
                if matches!(ended, JobError::Failed(_)) && unknown.is_settled() {
                    context.commit_progress(job, &self.change(TargetStep::NotPublished)).await?;
                }
                Err(ended)
            }
        }
    }

    fn retry_or_fail(
        self,
        target: &Target,
        context: &JobContext,
        unknown: UnknownOutcome,
        error: PublishError,
    ) -> JobError {
        let (reason, requested) = match error {
            PublishError::Failed(reason) => return JobError::Failed(reason),
            PublishError::Retry { reason, after, .. } => (reason, after),
        };
        if target.attempts >= MAX_ATTEMPTS {
            return JobError::Failed(format!(
                "Publishing was tried {} times. The last error: {reason} Publish it again when the other server works.",
                target.attempts
            ));
        }
        let delay = backoff(target.attempts, requested, &mut context.entropy.clone());
        let now = context.clock.now();
        let after = match unknown.delay_of_repetition(delay, now) {
            Ok(after) => after,
            Err(error) => return error,
        };
        let (next, unknown_since) = (now.plus(after), unknown.since());
        let changes = self.change(TargetStep::Postponed { reason: reason.clone(), next, unknown_since });
        JobError::Retry { after, reason, changes }
    }
}
