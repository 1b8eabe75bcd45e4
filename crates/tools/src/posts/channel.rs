use schemars::JsonSchema;
use serde::Serialize;
use unicode_segmentation::UnicodeSegmentation;

use crate::records::Profile;

/// The channel that every brand has from the start: its public Atom and JSON feed.
pub const FEED: &str = "feed";

/// Somewhere a post can go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Channel {
    /// Name this in the `channels` of a post.
    pub channel: String,
    pub kind: ChannelKind,
    /// The longest text it takes, in characters as people count them.
    pub text_limit: u32,
    pub media_limit: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChannelKind {
    Feed,
}

impl ChannelKind {
    fn channel(self, channel: &str) -> Channel {
        let (text_limit, media_limit) = match self {
            Self::Feed => (10_000, 10),
        };
        Channel { channel: channel.to_owned(), kind: self, text_limit, media_limit }
    }
}

pub fn channels_of(_: &Profile) -> Vec<Channel> {
    vec![ChannelKind::Feed.channel(FEED)]
}

/// The length of a text as people count it: a family emoji is one.
pub(super) fn length_of(text: &str) -> u32 {
    u32::try_from(text.graphemes(true).count()).unwrap_or(u32::MAX)
}
