//! Posts and their state on each channel.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, KeyId, Timestamp};

use crate::net::MAX_URL_CHARS;

/// A post and its state on each of its channels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Post {
    pub post_id: String,
    pub text: String,
    pub title: Option<String>,
    pub link: Option<String>,
    pub media: Vec<Media>,
    pub created_at: Timestamp,
    pub created_by_key: KeyId,
    pub scheduled_at: Option<Timestamp>,
    /// Counts the changes by agents and people, from 1. Steps of publishing do not count.
    pub version: u32,
    pub targets: Vec<Target>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// The http or https address of the picture.
    #[schemars(length(min = 1, max = MAX_URL_CHARS), extend("format" = "uri"))]
    pub url: String,
    /// Alternative text: what the picture shows.
    #[serde(default)]
    #[schemars(length(max = 1500))]
    pub alt: String,
}

/// One channel of one post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub channel: String,
    pub status: TargetStatus,
    pub url: Option<String>,
    pub error: Option<String>,
    pub attempts: u32,
    /// When the next attempt is made after one that failed.
    pub next_attempt_at: Option<Timestamp>,
    pub published_at: Option<Timestamp>,
    /// When the first attempt started whose outcome is unknown: it may have published the post.
    pub unknown_since: Option<Timestamp>,
    /// What the network needs to delete the post again.
    pub remote_uri: Option<String>,
    /// When somebody asked to withdraw it. Every attempt sends the same time.
    pub withdraw_requested_at: Option<Timestamp>,
}

impl Target {
    /// A target that nothing has happened to yet.
    pub fn new(channel: String, status: TargetStatus) -> Self {
        Self {
            channel,
            status,
            url: None,
            error: None,
            attempts: 0,
            next_attempt_at: None,
            published_at: None,
            unknown_since: None,
            remote_uri: None,
            withdraw_requested_at: None,
        }
    }

    /// The service serves the feed itself: a post that is stored as published is in it.
    pub(super) fn in_feed(self, url: String, at: Timestamp) -> Self {
        let status = TargetStatus::Published;
        Self { status, url: Some(url), error: None, attempts: 1, published_at: Some(at), ..self }
    }

    /// Whether it still has to be published.
    pub fn is_queued(&self) -> bool {
        matches!(self.status, TargetStatus::Scheduled | TargetStatus::Publishing)
    }

    /// Whether an attempt is under way, or starts as soon as a worker is free.
    pub(super) fn is_attempted(&self) -> bool {
        let is_open = matches!(self.status, TargetStatus::Publishing | TargetStatus::Withdrawing);
        is_open && self.next_attempt_at.is_none()
    }

    /// Whether an attempt has started and its end is not known yet.
    pub(super) fn is_in_flight(&self) -> bool {
        self.is_attempted() && self.attempts > 0
    }
}

/// What a post says, before or after it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Content<'a> {
    pub(super) text: &'a str,
    pub(super) title: Option<&'a str>,
    pub(super) link: Option<&'a str>,
    pub(super) media: &'a [Media],
}

impl Post {
    /// When the post is meant to be published. Every attempt sends the same time.
    pub(crate) fn publish_time(&self) -> Timestamp {
        self.scheduled_at.unwrap_or(self.created_at)
    }

    /// Its page in the brand's feed.
    pub(super) fn feed_address(&self, public_url: &str, brand: &BrandId) -> String {
        format!("{public_url}/feeds/{brand}/posts/{}", self.post_id)
    }

    pub(super) fn content(&self) -> Content<'_> {
        let (title, link) = (self.title.as_deref(), self.link.as_deref());
        Content { text: &self.text, title, link, media: &self.media }
    }
}

/// A step in publishing a target. The store ignores a step that does not fit the state of the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetChange {
    pub post_id: String,
    pub channel: String,
    pub step: TargetStep,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetStep {
    /// An attempt starts. With a time, its outcome is unknown until another step says more.
    Begun {
        unknown_since: Option<Timestamp>,
    },
    Published {
        url: Option<String>,
        remote_uri: Option<String>,
        at: Timestamp,
    },
    /// The attempt failed, and another one follows.
    Postponed {
        reason: String,
        next: Timestamp,
        unknown_since: Option<Timestamp>,
    },
    /// No attempt has published the post.
    NotPublished,
    /// There is no further attempt. The target is uncertain if the outcome of an attempt is unknown.
    Failed {
        reason: String,
    },
    Cancelled {
        reason: String,
    },
    /// An attempt to withdraw the post starts.
    WithdrawBegun,
    /// The attempt to withdraw failed, and another one follows.
    WithdrawPostponed {
        reason: String,
        next: Timestamp,
    },
    Withdrawn,
    /// There is no further attempt to withdraw: the post stays published.
    NotWithdrawn {
        reason: String,
    },
}

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum TargetStatus {
    Draft,
    Scheduled,
    Publishing,
    Published,
    Failed,
    // An attempt may have published the post, and no further one is safe. (A doc comment would change the schema.)
    Uncertain,
    Cancelled,
    // The network is asked to delete the post.
    Withdrawing,
    Withdrawn,
}

/// The error of a target that is uncertain, made of the reason why there is no further attempt.
pub fn uncertain_reason(reason: &str) -> String {
    format!(
        "{reason} The post may have been published all the same: look at the account before you create it again."
    )
}

impl TargetStatus {
    pub const NAMES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Which posts to list. `from` and `to` limit the creation time, `scheduled_from` and `scheduled_to` the time of
/// publication; the ends are exclusive.
#[derive(Debug, Clone, Default)]
pub struct PostFilter {
    pub status: Option<TargetStatus>,
    pub channel: Option<String>,
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
    pub scheduled_from: Option<Timestamp>,
    pub scheduled_to: Option<Timestamp>,
}
