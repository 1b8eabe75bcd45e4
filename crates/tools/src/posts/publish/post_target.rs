//! What the jobs that publish and withdraw have in common.

use svc_mcp_access::{
    BrandId, ChannelId, Secret,
    key::{SealOwner, SealingKeys},
};

use super::PublishError;
use crate::{
    Change,
    jobs::{Job, JobContext, JobError},
    posts::{Post, Target, TargetChange, TargetStep, channel::StoredChannel},
};

/// One post on one channel.
#[derive(Debug, Clone, Copy)]
pub(super) struct PostTarget<'a> {
    pub(super) post_id: &'a str,
    pub(super) channel: &'a str,
}

/// One server gets one request of a brand at a time.
pub(super) fn concurrency_key(brand: &BrandId, channel: &str) -> String {
    format!("publish/{brand}/{channel}")
}

impl<'a> PostTarget<'a> {
    pub(super) fn from_job(job: &'a Job) -> Option<Self> {
        let (post_id, channel) = job.subject.split_once('/')?;
        Some(Self { post_id, channel })
    }

    pub(super) fn change(self, step: TargetStep) -> Vec<Change> {
        let (post_id, channel) = (self.post_id.to_owned(), self.channel.to_owned());
        vec![Change::Target(TargetChange { post_id, channel, step })]
    }

    pub(super) fn find_in(self, post: &Post) -> Option<&Target> {
        post.targets.iter().find(|target| target.channel == self.channel)
    }

    /// `None`: the channel was removed.
    pub(super) async fn stored_channel(
        self,
        job: &Job,
        context: &JobContext,
    ) -> Result<Option<StoredChannel>, JobError> {
        let id: Option<ChannelId> = self.channel.parse().ok();
        match &id {
            Some(id) => Ok(context.records.channel(&job.brand_id, id).await?),
            None => Ok(None),
        }
    }
}

/// Opens the channel's secret. If that fails, the operator must fix it, and the post is retried.
pub(super) fn open_secret(
    brand: &BrandId,
    stored: &StoredChannel,
    sealing: Option<&SealingKeys>,
) -> Result<Secret, PublishError> {
    let Some(sealed) = &stored.sealed else {
        return Err(PublishError::Failed(
            "The channel has no secret. Save the channel again with one.".into(),
        ));
    };
    let opened = sealing.map(|keys| keys.open(sealed, SealOwner::channel(brand, &stored.channel.channel_id)));
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
