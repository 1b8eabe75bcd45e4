//! Publishes a post on a channel, and withdraws it. Every attempt sends the same id, so that a retry does not publish the post twice: a
//! message id for webhooks, an `Idempotency-Key` for Mastodon, a record key for Bluesky.

mod backoff;
mod bluesky;
mod channel_test;
mod mastodon;
mod media;
mod post_target;
mod preview;
mod publish_job;
mod record_key;
mod remote_server;
mod unknown_outcome;
mod webhook;
mod withdraw_job;

use std::time::Duration;

use svc_mcp_access::{BrandId, ChannelId, Secret, Timestamp};

use super::{
    channel::{BrandChannel, Settings},
    post::{Content, Post, Target},
};
use crate::net::Outbound;

pub use channel_test::ChannelTest;
pub(super) use media::media_type;
pub(super) use preview::{ChannelPreview, preview};
pub use publish_job::PublishJob;
pub(super) use publish_job::publish_job;
pub use withdraw_job::WithdrawJob;
pub(super) use withdraw_job::withdraw_job;

/// One attempt to publish one post on one channel.
#[derive(Debug, Clone, Copy)]
struct Delivery<'a> {
    brand_id: &'a BrandId,
    channel_id: &'a ChannelId,
    post: &'a Post,
    now: Timestamp,
    outbound: &'a Outbound,
}

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PublishError {
    /// Another attempt may succeed.
    Retry {
        reason: String,
        /// The delay that the other server asked for.
        after: Option<Duration>,
        /// The server may have published the post although the attempt failed.
        maybe_published: bool,
    },
    /// Another attempt would fail too. The reason says what to do.
    Failed(String),
}

impl PublishError {
    fn reason(self) -> String {
        match self {
            Self::Retry { reason, .. } | Self::Failed(reason) => reason,
        }
    }

    fn maybe_published(&self) -> bool {
        matches!(self, Self::Retry { maybe_published: true, .. })
    }

    /// For requests before the one that publishes: the post cannot be published yet.
    fn before_publishing(self) -> Self {
        match self {
            Self::Retry { reason, after, .. } => Self::Retry { reason, after, maybe_published: false },
            failed @ Self::Failed(_) => failed,
        }
    }
}

/// What the network says about a published post.
#[derive(Debug, Default, PartialEq, Eq)]
struct Publication {
    /// The public address, if the server returns one.
    url: Option<String>,
    /// What is needed to delete the post again.
    remote_uri: Option<String>,
}

type PublishResult = Result<Publication, PublishError>;
type WithdrawResult = Result<(), PublishError>;

/// What to do if a network refuses the post, or refuses to delete it.
const CHANGE_THE_POST: &str = "Change the post and create it again.";
const DELETE_BY_HAND: &str = "Delete it by hand on the account.";

impl Delivery<'_> {
    async fn publish(&self, channel: &BrandChannel, secret: &Secret) -> PublishResult {
        match &channel.settings {
            Settings::Feed => Ok(Publication::default()),
            Settings::Webhook { url } => webhook::deliver(self, url, secret).await,
            Settings::Mastodon { server, visibility, .. } => {
                mastodon::publish(self, server, *visibility, secret).await
            }
            Settings::Bluesky { server, identifier, langs } => {
                bluesky::publish(self, &bluesky::Account { server, identifier, langs, password: secret })
                    .await
            }
        }
    }

    /// Asks the network to delete the published post. A post that is gone already counts as withdrawn.
    async fn withdraw(&self, target: &Target, channel: &BrandChannel, secret: &Secret) -> WithdrawResult {
        match &channel.settings {
            Settings::Feed => Ok(()),
            Settings::Webhook { url } => webhook::withdraw(self, target, url, secret).await,
            Settings::Mastodon { server, .. } => mastodon::withdraw(self, target, server, secret).await,
            Settings::Bluesky { server, identifier, langs } => {
                let account = bluesky::Account { server, identifier, langs, password: secret };
                bluesky::withdraw(self, target, &account).await
            }
        }
    }

    /// The same for every attempt, and unique for a post and channel.
    fn id(&self) -> String {
        message_id(&self.post.post_id, self.channel_id)
    }

    fn content(&self) -> Content<'_> {
        self.post.content()
    }

    fn publish_time(&self) -> Timestamp {
        self.post.publish_time()
    }
}

fn message_id(post_id: &str, channel: &ChannelId) -> String {
    format!("msg_{post_id}_{channel}")
}
