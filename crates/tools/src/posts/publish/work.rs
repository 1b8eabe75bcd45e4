//! The job that publishes one post on one channel.

use async_trait::async_trait;
use rand::CryptoRng;
use svc_mcp_access::{BrandId, ChannelId, Secret, Timestamp};

use super::{
    Parcel, Trouble,
    backoff::{MOST_ATTEMPTS, pause},
};
use crate::{
    Change,
    jobs::{Job, JobKind, NewJob, Setback, Work, Workplace},
    posts::{
        FEED, Post, Target, TargetChange, TargetStatus, TargetStep,
        channel::{ChannelKind, KeptChannel, secret_owner},
    },
};

#[derive(Debug)]
pub struct Publish;

/// The job that publishes a target at its time. Posts of one channel go out one after the other.
pub(in crate::posts) fn job_of(
    brand: &BrandId,
    post_id: &str,
    channel: &str,
    due: Timestamp,
    random: &mut impl CryptoRng,
) -> NewJob {
    let job = NewJob::new(JobKind::Publish, &format!("{post_id}/{channel}"), due, random);
    if channel == FEED { job } else { job.in_lane(&format!("publish/{brand}/{channel}")) }
}

#[async_trait]
impl Work for Publish {
    fn kind(&self) -> JobKind {
        JobKind::Publish
    }

    /// More than a target is tried: a worker that was killed has used one up and may not have come to its attempt.
    fn most_attempts(&self) -> u32 {
        3 * MOST_ATTEMPTS
    }

    async fn run(&self, job: &Job, at: &Workplace) -> Result<Vec<Change>, Setback> {
        let Some(subject) = Subject::of(job) else { return Ok(Vec::new()) };
        if subject.channel != FEED {
            return subject.publish(job, at).await;
        }
        // The feed is the service's own: what is kept as published is in it.
        let Some(post) = at.records.post(&job.brand_id, subject.post_id).await? else {
            return Ok(Vec::new());
        };
        let url = post.feed_address(&at.public_url, &job.brand_id);
        let published = TargetStep::Published { url: Some(url), at: post.dated() };
        Ok([subject.change(TargetStep::Begun), subject.change(published)].concat())
    }

    fn failed(&self, job: &Job, _: &Workplace, reason: &str) -> Vec<Change> {
        let failed = TargetStep::Failed { reason: reason.to_owned() };
        Subject::of(job).map(|subject| subject.change(failed)).unwrap_or_default()
    }
}

/// One post on one channel.
#[derive(Debug, Clone, Copy)]
struct Subject<'a> {
    post_id: &'a str,
    channel: &'a str,
}

impl<'a> Subject<'a> {
    fn of(job: &'a Job) -> Option<Self> {
        let (post_id, channel) = job.subject.split_once('/')?;
        Some(Self { post_id, channel })
    }

    fn change(self, step: TargetStep) -> Vec<Change> {
        let (post_id, channel) = (self.post_id.to_owned(), self.channel.to_owned());
        vec![Change::Target(TargetChange { post_id, channel, step })]
    }

    async fn publish(self, job: &Job, at: &Workplace) -> Result<Vec<Change>, Setback> {
        // Noted first, and looked at after: what is cancelled from now on finds it under way.
        at.note(job, &self.change(TargetStep::Begun)).await?;
        let brand = &job.brand_id;
        let Some(post) = at.records.post(brand, self.post_id).await? else { return Ok(Vec::new()) };
        let Some(target) = self.target_of(&post) else { return Ok(Vec::new()) };
        let id: Option<ChannelId> = self.channel.parse().ok();
        let kept = match &id {
            Some(id) => at.records.channel(brand, id).await?,
            None => None,
        };
        let Some(kept) = kept else {
            return Ok(self.change(TargetStep::Cancelled { reason: "The channel was removed.".into() }));
        };
        let parcel = Parcel {
            brand_id: brand,
            channel_id: &kept.channel.channel_id,
            post: &post,
            now: at.clock.now(),
            outbound: &at.outbound,
        };
        let handed = match secret_of(brand, &kept, at) {
            Ok(secret) => parcel.hand_over(&kept.channel, &secret).await,
            Err(trouble) => Err(trouble),
        };
        match handed {
            Ok(url) => Ok(self.change(TargetStep::Published { url, at: at.clock.now() })),
            Err(Trouble::Failed(reason)) => Err(Setback::Failed(reason)),
            Err(Trouble::Later { reason, after, unsure }) => {
                Err(self.postponed(target, at, kept.channel.settings.kind(), (reason, after, unsure)))
            }
        }
    }

    /// The target, while it is to be published.
    fn target_of(self, post: &Post) -> Option<&Target> {
        let mut targets = post.targets.iter();
        targets.find(|target| target.channel == self.channel && target.status == TargetStatus::Publishing)
    }

    fn postponed(
        self,
        target: &Target,
        at: &Workplace,
        kind: ChannelKind,
        (reason, after, unsure): (String, Option<std::time::Duration>, bool),
    ) -> Setback {
        if target.attempts >= MOST_ATTEMPTS {
            return Setback::Failed(format!(
                "It was tried {} times. At last: {reason} Create the post anew when the other side works again.",
                target.attempts
            ));
        }
        let after = pause(target.attempts, after, unsure, kind, &mut at.entropy.clone());
        let next = at.clock.now().plus(after);
        let changes = self.change(TargetStep::Postponed { reason: reason.clone(), next });
        Setback::Later { after, reason, changes }
    }
}

/// The channel's secret, opened. Where that fails it is the operator's to mend, and the post waits for it.
fn secret_of(brand: &BrandId, kept: &KeptChannel, at: &Workplace) -> Result<Secret, Trouble> {
    let Some(sealed) = &kept.sealed else {
        return Err(Trouble::Failed("The channel has no secret. Set it again.".into()));
    };
    let opened =
        at.sealing.as_ref().map(|keys| keys.open(sealed, &secret_owner(brand, &kept.channel.channel_id)));
    match opened {
        Some(Ok(secret)) => Ok(secret),
        _ => Err(Trouble::Later {
            reason:
                "The channel's secret cannot be opened: the operator has to put the sealing key back into \
                     SVC_REVEAL_KEYS, or set the channel again."
                    .into(),
            after: None,
            unsure: false,
        }),
    }
}
