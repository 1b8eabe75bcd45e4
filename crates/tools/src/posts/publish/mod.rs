//! Publishes a post on a channel. Every attempt sends the same id, so that a retry does not publish the post twice: a
//! message id for webhooks, an `Idempotency-Key` for Mastodon, a record key for Bluesky.

mod backoff;
mod bluesky;
mod mastodon;
mod media;
mod preview;
mod publish_job;
mod record_key;
mod remote_server;
mod unknown_outcome;
mod webhook;

use std::time::Duration;

use svc_mcp_access::{BrandId, ChannelId, Secret, Timestamp};

use super::{
    channel::{BrandChannel, Settings},
    post::{Content, Post},
};
use crate::net::Outbound;

pub(super) use preview::{ChannelPreview, preview};
pub use publish_job::PublishJob;
pub(super) use publish_job::publish_job;

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

/// The public address of the post, if the server returns one.
type PublishResult = Result<Option<String>, PublishError>;

impl Delivery<'_> {
    async fn publish(&self, channel: &BrandChannel, secret: &Secret) -> PublishResult {
        match &channel.settings {
            Settings::Feed => Ok(None),
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
