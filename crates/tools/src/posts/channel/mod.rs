//! Channels: where a brand's posts can go, and how much each takes.

mod settings;

use std::str::FromStr;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{BrandId, ChannelId, Timestamp, key::Sealed};

use super::{Media, count};
use crate::records::Profile;

pub use settings::{Given, SecretPlan, Settings, Visibility};

/// The channel that every brand has from the start: its public Atom and JSON feed.
pub const FEED: &str = "feed";

/// A brand has at most so many channels beside its feed.
pub const MOST_CHANNELS: u32 = 20;

/// Somewhere a post can go, as a model is told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Channel {
    /// Name this in the `channels` of a post.
    pub channel: String,
    pub kind: ChannelKind,
    /// The longest text it takes, in characters as `counting` says.
    pub text_limit: u32,
    pub media_limit: u32,
    /// How this channel counts the characters of a text, and what it does with `link`.
    pub counting: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChannelKind {
    Feed,
    Webhook,
    Mastodon,
    Bluesky,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be feed, webhook, mastodon or bluesky")]
pub struct UnknownKind;

/// A channel as a brand has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandChannel {
    pub channel_id: ChannelId,
    pub settings: Settings,
}

/// A channel as it is kept: its secret sealed, for itself alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptChannel {
    pub channel: BrandChannel,
    pub sealed: Option<Sealed>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What a post says, wherever it is on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content<'a> {
    pub(super) text: &'a str,
    pub(super) title: Option<&'a str>,
    pub(super) link: Option<&'a str>,
    pub(super) media: &'a [Media],
}

impl ChannelKind {
    const ALL: [Self; 4] = [Self::Feed, Self::Webhook, Self::Mastodon, Self::Bluesky];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Feed => "feed",
            Self::Webhook => "webhook",
            Self::Mastodon => "mastodon",
            Self::Bluesky => "bluesky",
        }
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
            Self::Feed | Self::Webhook | Self::Bluesky => count::graphemes(text),
            Self::Mastodon => count::mastodon(text),
        }
    }

    /// The most bytes a text may have, where the network has such a limit too.
    pub(super) fn byte_limit(self) -> Option<u32> {
        (self == Self::Bluesky).then_some(3000)
    }

    /// What a reader sees as the text. A link that the text does not hold, and that the network has no other place
    /// for, comes below it.
    pub(super) fn text_of(self, content: &Content<'_>) -> String {
        let below = match self {
            Self::Feed | Self::Webhook => false,
            Self::Mastodon => true,
            // A post has one embed: its pictures, or the card of its link.
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
                "Every character counts as one, an emoji too; `link` and `title` have their own place."
            }
            Self::Webhook => "Every character counts as one, an emoji too; all fields are sent as they are.",
            Self::Mastodon => {
                "Every character counts as one and every link as 23; `link` is put below the text unless the text has \
                 it; `title` is not shown."
            }
            Self::Bluesky => {
                "Every character counts as one, an emoji too, links in full, and the text has at most 3000 bytes; \
                 `link` becomes a card with `title`, or is put below the text where there are pictures."
            }
        }
    }
}

impl FromStr for ChannelKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(UnknownKind)
    }
}

impl BrandChannel {
    /// The brand's own public feed.
    pub fn feed() -> Self {
        Self { channel_id: FEED.parse().expect("a plain id"), settings: Settings::Feed }
    }

    pub(super) fn named(&self, name: &str) -> bool {
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

/// For whom a channel's secret is sealed.
pub fn secret_owner<'a>(brand: &'a BrandId, channel: &'a ChannelId) -> [&'a str; 3] {
    [brand.as_str(), "channel", channel.as_str()]
}

/// Every channel of the brand, its feed first.
pub fn channels_of(profile: &Profile) -> Vec<BrandChannel> {
    std::iter::once(BrandChannel::feed()).chain(profile.channels.iter().cloned()).collect()
}
