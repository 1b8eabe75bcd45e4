//! Handing a post over to a channel, so that a second try cannot publish it twice where the network has a way to tell:
//! an id that stays the same for the receiver of a webhook, an `Idempotency-Key` for Mastodon, a record key for Bluesky.

mod answers;
mod backoff;
mod bluesky;
mod mastodon;
mod media;
mod preview;
mod tid;
mod webhook;
mod work;

use std::time::Duration;

use svc_mcp_access::{BrandId, ChannelId, Secret, Timestamp};

use super::{
    Post,
    channel::{BrandChannel, Content, Settings},
};
use crate::net::Outbound;

pub(super) use preview::{Preview, preview};
pub use webhook::SigningSecret;
pub use work::Publish;
pub(super) use work::job_of;

/// One post on its way to one channel.
#[derive(Debug, Clone, Copy)]
struct Parcel<'a> {
    brand_id: &'a BrandId,
    channel_id: &'a ChannelId,
    post: &'a Post,
    now: Timestamp,
    outbound: &'a Outbound,
}

/// Why a post was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Trouble {
    /// Another try may help.
    Later {
        reason: String,
        /// As long as the other side asks for.
        after: Option<Duration>,
        /// The post may have been taken all the same.
        unsure: bool,
    },
    /// It will not. The reason says what to do.
    Failed(String),
}

/// Where the post can be read, if the other side says so.
type Handed = Result<Option<String>, Trouble>;

impl Parcel<'_> {
    async fn hand_over(&self, channel: &BrandChannel, secret: &Secret) -> Handed {
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

    /// The same at every try, and of no other post or channel.
    fn id(&self) -> String {
        id_of(&self.post.post_id, self.channel_id)
    }

    fn content(&self) -> Content<'_> {
        self.post.content()
    }

    /// When the post is meant to be published: the same at every try.
    fn dated(&self) -> Timestamp {
        self.post.dated()
    }
}

fn id_of(post_id: &str, channel: &ChannelId) -> String {
    format!("msg_{post_id}_{channel}")
}
