//! What `create_post` shows with `dry_run`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use svc_mcp_access::BrandId;

use super::{bluesky, mastodon, webhook};
use crate::posts::{
    ChannelKind, Media, Post,
    channel::{BrandChannel, Settings},
};

/// A post as one channel would publish it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ChannelPreview {
    channel: String,
    kind: ChannelKind,
    /// The text as readers will see it.
    text: String,
    /// The length as this channel counts it.
    length: u32,
    text_limit: u32,
    /// The pictures that are published with it.
    media: Vec<Media>,
    /// The request body without credentials; pictures and mentions are resolved when the post is published. Null for the
    /// feed, which this service serves itself, and where it is too long.
    request: Option<Value>,
}

pub(in crate::posts) fn preview(brand: &BrandId, channel: &BrandChannel, post: &Post) -> ChannelPreview {
    let content = post.content();
    let kind = channel.settings.kind();
    let text = kind.text_of(&content);
    let request = match &channel.settings {
        Settings::Feed => None,
        Settings::Webhook { .. } => {
            let mut event = webhook::event(brand, &channel.channel_id, post, post.publish_time());
            // There is no post yet.
            event["data"]["post_id"] = Value::Null;
            Some(event)
        }
        Settings::Mastodon { visibility, .. } => Some(mastodon::status(&content, *visibility, &[])),
        Settings::Bluesky { langs, .. } => {
            Some(bluesky::record(&content, langs, post.publish_time(), &bluesky::MentionedDids::new(), &[]))
        }
    };
    ChannelPreview {
        channel: channel.channel_id.to_string(),
        kind,
        length: kind.length_of(&text),
        text,
        text_limit: channel.settings.text_limit(),
        media: post.media.clone(),
        request,
    }
}
