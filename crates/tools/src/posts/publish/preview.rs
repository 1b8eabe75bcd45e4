//! What would be sent, for who asks before it is.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use svc_mcp_access::BrandId;

use super::{bluesky, mastodon, webhook};
use crate::posts::{
    ChannelKind, Post,
    channel::{BrandChannel, Settings},
};

/// One channel's share of a post.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Preview {
    channel: String,
    kind: ChannelKind,
    /// The text as readers will see it.
    text: String,
    /// Its length as this channel counts.
    length: u32,
    text_limit: u32,
    /// What is sent to the network, without credentials; pictures and mentions are looked up when it is published. Null
    /// for the feed, which is served from here.
    request: Option<Value>,
}

pub(in crate::posts) fn preview(brand: &BrandId, channel: &BrandChannel, post: &Post) -> Preview {
    let content = post.content();
    let kind = channel.settings.kind();
    let text = kind.text_of(&content);
    let request = match &channel.settings {
        Settings::Feed => None,
        Settings::Webhook { .. } => Some(webhook::event(brand, &channel.channel_id, post, post.dated())),
        Settings::Mastodon { visibility, .. } => Some(mastodon::status(&content, *visibility, &[])),
        Settings::Bluesky { langs, .. } => {
            Some(bluesky::record(&content, langs, post.dated(), &bluesky::Mentioned::new(), &[]))
        }
    };
    Preview {
        channel: channel.channel_id.to_string(),
        kind,
        length: kind.length_of(&text),
        text,
        text_limit: channel.settings.text_limit(),
        request,
    }
}
