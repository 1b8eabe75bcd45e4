//! A brand's channels: where its posts are published. For the brand's administrators.

pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod put;
pub(crate) mod send_test;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use svc_mcp_access::Timestamp;
use svc_mcp_tools::posts::{BrandChannel, ChannelKind, StoredChannel};

use super::extract::schemas::{AnyObject, Time};

const CHANNELS: &str = "/api/brands/{brand_id}/channels";
const CHANNEL: &str = "/api/brands/{brand_id}/channels/{channel_id}";

/// Somewhere posts can go
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Channel")]
struct ChannelView {
    #[schemars(example = &"news")]
    channel_id: String,
    /// `feed`, `webhook`, `mastodon` or `bluesky`
    #[schemars(with = "String", example = &"webhook")]
    kind: ChannelKind,
    /// Without the secret, which is never shown again
    #[schemars(with = "AnyObject")]
    settings: Value,
    /// Whether a secret is stored
    secret_set: bool,
    /// The longest text it takes, as its network counts
    text_limit: u32,
    media_limit: u32,
    #[schemars(with = "Option<Time>")]
    created_at: Option<Timestamp>,
    #[schemars(with = "Option<Time>")]
    updated_at: Option<Timestamp>,
}

impl ChannelView {
    fn new(channel: &BrandChannel, stored: Option<&StoredChannel>) -> Self {
        let limits = channel.view();
        Self {
            channel_id: limits.channel,
            kind: limits.kind,
            settings: channel.settings.shown(),
            secret_set: stored.is_some_and(|stored| stored.sealed.is_some()),
            text_limit: limits.text_limit,
            media_limit: limits.media_limit,
            created_at: stored.map(|stored| stored.created_at),
            updated_at: stored.map(|stored| stored.updated_at),
        }
    }

    fn feed() -> Self {
        Self::new(&BrandChannel::feed(), None)
    }

    fn stored(stored: &StoredChannel) -> Self {
        Self::new(&stored.channel, Some(stored))
    }
}
