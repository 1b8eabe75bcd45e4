//! Channels: where a brand's posts are published, and the limits of each kind.

mod input;
mod secret_source;
mod settings;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{ChannelId, Timestamp, key::Sealed};

use super::{length, post::Content};

pub use input::{
    BlueskySettings, ChannelInput, FeedSettings, MastodonSettings, SETTINGS_PATTERNS, WebhookSettings,
};
pub use secret_source::SecretSource;
pub use settings::{Settings, Visibility};

/// The channel that every brand has: its public Atom and JSON feed.
pub const FEED: &str = "feed";

/// Channels per brand, not counting the feed.
pub const MAX_CHANNELS: u32 = 20;

/// A channel as tools return it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Channel {
    /// Use this name in the `channels` of a post.
    pub channel: String,
    pub kind: ChannelKind,
    /// The longest text it accepts; `counting` says how characters are counted.
    pub text_limit: u32,
    pub media_limit: u32,
    /// How this channel counts characters, and where it shows `link`.
    pub counting: String,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::EnumString, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = ChannelKindError, parse_err_fn = unknown_kind)]
pub enum ChannelKind {
    Feed,
    Webhook,
    Mastodon,
    Bluesky,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be feed, webhook, mastodon or bluesky")]
pub struct ChannelKindError;

fn unknown_kind(_: &str) -> ChannelKindError {
    ChannelKindError
}

/// A channel of a brand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandChannel {
    pub channel_id: ChannelId,
    pub settings: Settings,
}

/// A channel as it is stored, with its sealed secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChannel {
    pub channel: BrandChannel,
    pub sealed: Option<Sealed>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl ChannelKind {
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    pub(super) fn media_limit(self) -> u32 {
        match self {
            Self::Feed | Self::Webhook => 10,
            Self::Mastodon | Self::Bluesky => 4,
        }
    }

    /// The length of a text as this kind of channel counts it.
    pub(super) fn length_of(self, text: &str) -> u32 {
        match self {
            Self::Feed | Self::Webhook | Self::Bluesky => length::graphemes(text),
            Self::Mastodon => length::mastodon(text),
        }
    }

    /// The maximum number of bytes, for networks that also limit bytes.
    pub(super) fn byte_limit(self) -> Option<u32> {
        (self == Self::Bluesky).then_some(3000)
    }

    /// The text as readers see it. The link is added below the text if the text does not contain it and the network
    /// shows it nowhere else.
    pub(super) fn text_of(self, content: &Content<'_>) -> String {
        let below = match self {
            Self::Feed | Self::Webhook => false,
            Self::Mastodon => true,
            // A post has one embed: either the pictures or the link card.
            Self::Bluesky => !content.media.is_empty(),
        };
        match content.link {
            Some(link) if below && !content.text.contains(link) => format!("{}\n\n{link}", content.text),
            _ => content.text.to_owned(),
        }
    }

    fn counting(self) -> &'static str {
        match self {
            Self::Feed => {
                "Every character counts as one, including emoji; `link` and `title` are shown separately."
            }
            Self::Webhook => "Every character counts as one, including emoji; all fields are sent unchanged.",
            Self::Mastodon => {
                "Every character counts as one and every link as 23; `link` is added below the text unless the text \
                 contains it; `title` is not shown."
            }
            Self::Bluesky => {
                "Every character counts as one, including emoji; links count in full; the text has at most 3000 bytes; \
                 `link` is shown as a card with `title`, or is added below the text if the post has pictures."
            }
        }
    }
}

impl BrandChannel {
    pub fn feed() -> Self {
        Self { channel_id: FEED.parse().expect("a plain id"), settings: Settings::Feed }
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.channel_id.as_str() == name
    }

    pub fn view(&self) -> Channel {
        let kind = self.settings.kind();
        Channel {
            channel: self.channel_id.to_string(),
            kind,
            text_limit: self.settings.text_limit(),
            media_limit: kind.media_limit(),
            counting: kind.counting().to_owned(),
        }
    }
}
