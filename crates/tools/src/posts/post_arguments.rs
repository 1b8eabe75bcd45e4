//! The arguments of `validate_post` and `create_post`. Both tools share them, so a post that validates can be created.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{
    Fault, Timestamp,
    validate::{repeated, without_key},
};

use super::{
    channel::BrandChannel,
    length::saturate,
    post::{Content, Media},
};
use crate::{
    local_time::{self, InvalidTime},
    net::{MAX_URL_CHARS, parse_http_url},
};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PostArguments {
    /// Plain text.
    #[schemars(length(min = 1, max = MAX_TEXT_CHARS))]
    pub text: String,
    /// As `get_brand` lists them.
    #[schemars(length(min = 1, max = 10))]
    pub channels: BTreeSet<String>,
    /// For channels that show one.
    #[schemars(length(min = 1, max = 300))]
    pub title: Option<String>,
    /// The page the post is about.
    #[schemars(length(max = MAX_URL_CHARS), extend("format" = "uri"))]
    pub link: Option<String>,
    #[serde(default)]
    #[schemars(length(max = 10))]
    pub media: Vec<Media>,
    /// `2027-01-31T09:00` in the brand's time zone, or with a zone. For `mode: schedule`.
    #[schemars(length(max = MAX_TIME_CHARS))]
    pub scheduled_at: Option<String>,
    /// Default: `draft`.
    #[serde(default)]
    pub mode: PublishMode,
    /// True: only show what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PublishMode {
    #[default]
    Draft,
    Schedule,
    Now,
}

/// A reason why a post cannot be published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PostIssue {
    /// The channel that has the problem. Null: the whole post.
    pub channel: Option<String>,
    /// `unknown_channel`, `text_too_long`, `text_too_many_bytes`, `too_many_media`, `media_not_found`, `media_not_an_image`,
    /// `schedule_missing`, `schedule_in_past`, `schedule_too_far`.
    pub code: &'static str,
    pub limit: Option<u32>,
    pub actual: Option<u32>,
    pub message: String,
}

pub(super) const MAX_TEXT_CHARS: usize = 20_000;
/// Of a time as text.
pub(super) const MAX_TIME_CHARS: usize = 64;
const MAX_SCHEDULE_AHEAD: std::time::Duration = std::time::Duration::from_hours(24 * 366);

/// A fault if this is not a time. Whether the zone exists is checked when the brand is stored.
pub(super) fn time_fault(field: &str, text: Option<&str>) -> Option<Fault> {
    let is_wrong = text.is_some_and(|text| local_time::parse(text, "UTC").is_err());
    is_wrong.then(|| Fault::new(field, InvalidTime))
}

/// Faults in what a post says. A part that is not given is not checked.
pub(super) fn content_faults(
    text: Option<&str>,
    title: Option<&str>,
    link: Option<&str>,
    media: &[Media],
) -> Vec<Fault> {
    let mut faults = Vec::new();
    if text.is_some_and(|text| text.trim().is_empty()) {
        faults.push(Fault::new("text", "must not be blank"));
    }
    let alts =
        media.iter().enumerate().map(|(index, media)| (format!("media[{index}].alt"), media.alt.as_str()));
    let texts = text.map(|text| ("text".to_owned(), text));
    let title = title.map(|title| ("title".to_owned(), title));
    for (field, text) in texts.into_iter().chain(title).chain(alts) {
        if let Err(message) = without_key(text) {
            faults.push(Fault::new(field, message));
        }
    }
    let addresses =
        media.iter().enumerate().map(|(index, media)| (format!("media[{index}].url"), media.url.as_str()));
    for (field, address) in link.map(|link| ("link".to_owned(), link)).into_iter().chain(addresses) {
        if let Err(message) = parse_http_url(address) {
            faults.push(Fault::new(field, message));
        }
    }
    faults
}

impl PostArguments {
    /// Faults that the schema cannot express.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults =
            content_faults(Some(&self.text), self.title.as_deref(), self.link.as_deref(), &self.media);
        faults.extend(time_fault("scheduled_at", self.scheduled_at.as_deref()));
        if self.scheduled_at.is_some() && self.mode == PublishMode::Now {
            faults.push(Fault::new("scheduled_at", "cannot be used with mode `now`; use mode `schedule`"));
        }
        faults
    }

    /// When to publish. A time without a zone is taken in `zone`.
    pub fn schedule(&self, zone: &str) -> Option<Timestamp> {
        self.scheduled_at.as_deref().and_then(|text| local_time::parse(text, zone).ok())
    }

    pub fn issues(&self, channels: &[BrandChannel], zone: &str, now: Timestamp) -> Vec<PostIssue> {
        let mut issues: Vec<PostIssue> = self.schedule_issue(zone, now).into_iter().collect();
        for name in &self.channels {
            match channels.iter().find(|channel| channel.is_named(name)) {
                None => issues.push(PostIssue {
                    channel: Some(repeated(name)),
                    code: "unknown_channel",
                    limit: None,
                    actual: None,
                    message: format!(
                        "The brand has no channel `{}`. Its channels are {}.",
                        repeated(name),
                        names(channels)
                    ),
                }),
                Some(channel) => issues.extend(self.channel_issues(channel)),
            }
        }
        issues
    }

    fn channel_issues(&self, channel: &BrandChannel) -> impl Iterator<Item = PostIssue> {
        let name = channel.channel_id.as_str();
        let over = |code, what, limit, actual| {
            (actual > limit).then(|| PostIssue {
                channel: Some(name.to_owned()),
                code,
                limit: Some(limit),
                actual: Some(actual),
                message: format!("`{name}` accepts at most {limit} {what}; the post has {actual}."),
            })
        };
        let kind = channel.settings.kind();
        // As readers see it: a link that is added below the text counts too.
        let text = kind.text_of(&self.content());
        let long =
            over("text_too_long", "characters of text", channel.settings.text_limit(), kind.length_of(&text));
        let bytes = kind
            .byte_limit()
            .and_then(|limit| over("text_too_many_bytes", "bytes of text", limit, saturate(text.len())));
        let media = over("too_many_media", "media", kind.media_limit(), saturate(self.media.len()));
        long.into_iter().chain(bytes).chain(media)
    }

    fn content(&self) -> Content<'_> {
        let (title, link) = (self.title.as_deref(), self.link.as_deref());
        Content { text: &self.text, title, link, media: &self.media }
    }

    fn schedule_issue(&self, zone: &str, now: Timestamp) -> Option<PostIssue> {
        let issue = |code, message: &str| {
            Some(PostIssue { channel: None, code, limit: None, actual: None, message: message.to_owned() })
        };
        match (self.mode, self.schedule(zone)) {
            (PublishMode::Schedule, None) => {
                issue("schedule_missing", "Mode `schedule` requires `scheduled_at`.")
            }
            (_, Some(at)) if at <= now => issue("schedule_in_past", "`scheduled_at` is in the past."),
            (_, Some(at)) if at > now.plus(MAX_SCHEDULE_AHEAD) => {
                issue("schedule_too_far", "`scheduled_at` is more than a year ahead.")
            }
            _ => None,
        }
    }
}

/// The channels as a sentence lists them.
pub(super) fn names(channels: &[BrandChannel]) -> String {
    channels.iter().map(|channel| format!("`{}`", channel.channel_id)).collect::<Vec<_>>().join(", ")
}
