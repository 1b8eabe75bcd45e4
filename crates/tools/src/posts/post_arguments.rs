//! The arguments of `validate_post` and `create_post`. Both tools share them, so a post that validates can be created.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{
    Fault, Timestamp,
    time::InvalidTime,
    validate::{repeated, without_key},
};

use super::{
    channel::BrandChannel,
    length::saturate,
    post::{Content, Media},
};
use crate::net::{MAX_URL_CHARS, parse_http_url};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PostArguments {
    /// The plain text of the post.
    #[schemars(length(min = 1, max = 20000))]
    pub text: String,
    /// The channels to publish on, as `get_brand` lists them. Every brand has `feed`.
    #[schemars(length(min = 1, max = 10))]
    pub channels: BTreeSet<String>,
    /// A headline, for channels that show one.
    #[schemars(length(min = 1, max = 300))]
    pub title: Option<String>,
    /// The page the post is about, http or https.
    #[schemars(length(max = MAX_URL_CHARS), extend("format" = "uri"))]
    pub link: Option<String>,
    #[serde(default)]
    #[schemars(length(max = 10))]
    pub media: Vec<Media>,
    /// When to publish, in RFC 3339 with a time zone: `2027-01-31T09:00:00Z`. Required for mode `schedule`.
    #[schemars(extend("format" = "date-time"))]
    pub scheduled_at: Option<String>,
    /// `draft` stores the post without publishing it, `schedule` publishes at `scheduled_at`, `now` publishes at once.
    #[serde(default)]
    pub mode: PublishMode,
    /// True: only show what would happen. Nothing is stored or published.
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
    /// `unknown_channel`, `text_too_long`, `text_too_many_bytes`, `too_many_media`, `schedule_missing`, `schedule_in_past`, `schedule_too_far`.
    pub code: &'static str,
    pub limit: Option<u32>,
    pub actual: Option<u32>,
    pub message: String,
}

const MAX_SCHEDULE_AHEAD: std::time::Duration = std::time::Duration::from_hours(24 * 366);

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
        if self.scheduled_at.is_some() && self.schedule().is_none() {
            faults.push(Fault::new("scheduled_at", InvalidTime));
        }
        if self.scheduled_at.is_some() && self.mode == PublishMode::Now {
            faults.push(Fault::new("scheduled_at", "cannot be used with mode `now`; use mode `schedule`"));
        }
        faults
    }

    pub fn schedule(&self) -> Option<Timestamp> {
        self.scheduled_at.as_deref().and_then(|text| text.parse().ok())
    }

    pub fn issues(&self, channels: &[BrandChannel], now: Timestamp) -> Vec<PostIssue> {
        let mut issues: Vec<PostIssue> = self.schedule_issue(now).into_iter().collect();
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

    fn schedule_issue(&self, now: Timestamp) -> Option<PostIssue> {
        let issue = |code, message: &str| {
            Some(PostIssue { channel: None, code, limit: None, actual: None, message: message.to_owned() })
        };
        match (self.mode, self.schedule()) {
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

fn names(channels: &[BrandChannel]) -> String {
    channels.iter().map(|channel| format!("`{}`", channel.channel_id)).collect::<Vec<_>>().join(", ")
}
