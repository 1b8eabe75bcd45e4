//! The job that publishes one post on one channel.

use async_trait::async_trait;
use rand::CryptoRng;
use svc_mcp_access::{BrandId, ChannelId, Secret, Timestamp, key::SealOwner};

use super::{
    Delivery, PublishError,
    backoff::{MAX_ATTEMPTS, backoff},
    unknown_outcome::UnknownOutcome,
};
use crate::{
    Change,
    jobs::{Job, JobContext, JobError, JobHandler, JobKind, NewJob},
    posts::{FEED, Post, Target, TargetChange, TargetStatus, TargetStep, channel::StoredChannel},
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
    if channel == FEED { job } else { job.with_concurrency_key(&format!("publish/{brand}/{channel}")) }
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
        // The service serves the feed itself: a post that is stored as published is in it.
        let Some(post) = context.records.post(&job.brand_id, target.post_id).await? else {
            return Ok(Vec::new());
        };
        let url = post.feed_address(&context.public_url, &job.brand_id);
        let published = TargetStep::Published { url: Some(url), at: post.publish_time() };
        let begun = TargetStep::Begun { unknown_since: None };
        Ok([target.change(begun), target.change(published)].concat())
    }

    fn failed(&self, job: &Job, _: &JobContext, reason: &str) -> Vec<Change> {
        let failed = TargetStep::Failed { reason: reason.to_owned() };
        PostTarget::from_job(job).map(|target| target.change(failed)).unwrap_or_default()
    }
}

/// One post on one channel.
#[derive(Debug, Clone, Copy)]
struct PostTarget<'a> {
    post_id: &'a str,
    channel: &'a str,
}

impl<'a> PostTarget<'a> {
    fn from_job(job: &'a Job) -> Option<Self> {
        let (post_id, channel) = job.subject.split_once('/')?;
        Some(Self { post_id, channel })
    }

    fn change(self, step: TargetStep) -> Vec<Change> {
        let (post_id, channel) = (self.post_id.to_owned(), self.channel.to_owned());
        vec![Change::Target(TargetChange { post_id, channel, step })]
    }

    async fn publish(self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        let brand = &job.brand_id;
        let id: Option<ChannelId> = self.channel.parse().ok();
        let stored = match &id {
            Some(id) => context.records.channel(brand, id).await?,
            None => None,
        };
        let Some(stored) = stored else {
            return Ok(self.change(TargetStep::Cancelled { reason: "The channel was removed.".into() }));
        };
        let Some(post) = context.records.post(brand, self.post_id).await? else { return Ok(Vec::new()) };
        let now = context.clock.now();
        let unknown =
            UnknownOutcome::before_attempt(self.find_in(&post), stored.channel.settings.kind(), now);
        unknown.check_repetition()?;
        // Committed before the target is read again: a cancellation from now on sees that publishing has started.
        let begun = TargetStep::Begun { unknown_since: unknown.during_attempt() };
        context.commit_progress(job, &self.change(begun)).await?;
        let Some(post) = context.records.post(brand, self.post_id).await? else { return Ok(Vec::new()) };
        let is_publishing = |target: &&Target| target.status == TargetStatus::Publishing;
        let Some(target) = self.find_in(&post).filter(is_publishing) else { return Ok(Vec::new()) };
        let delivery = Delivery {
            brand_id: brand,
            channel_id: &stored.channel.channel_id,
            post: &post,
            now,
            outbound: &context.outbound,
        };
        let result = match open_secret(brand, &stored, context) {
            Ok(secret) => delivery.publish(&stored.channel, &secret).await,
            Err(error) => Err(error),
        };
        match result {
            Ok(url) => Ok(self.change(TargetStep::Published { url, at: context.clock.now() })),
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

    fn find_in(self, post: &Post) -> Option<&Target> {
        post.targets.iter().find(|target| target.channel == self.channel)
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
                "Publishing was tried {} times. The last error: {reason} Create the post again when the other server works.",
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

/// Opens the channel's secret. If that fails, the operator must fix it, and the post is retried.
fn open_secret(
    brand: &BrandId,
    stored: &StoredChannel,
    context: &JobContext,
) -> Result<Secret, PublishError> {
    let Some(sealed) = &stored.sealed else {
        return Err(PublishError::Failed(
            "The channel has no secret. Save the channel again with one.".into(),
        ));
    };
    let opened = context
        .sealing
        .as_ref()
        .map(|keys| keys.open(sealed, SealOwner::channel(brand, &stored.channel.channel_id)));
    match opened {
        Some(Ok(secret)) => Ok(secret),
        _ => Err(PublishError::Retry {
            reason:
                "The channel's secret cannot be opened. The operator must add the sealing key to SVC_REVEAL_KEYS \
                     again, or an administrator must save the channel again with a secret."
                    .into(),
            after: None,
            maybe_published: false,
        }),
    }
}
