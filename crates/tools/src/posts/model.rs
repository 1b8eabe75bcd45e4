use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, KeyId, Timestamp};

use super::channel::Content;

/// A post and how far it has come on each of its channels.
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
    pub targets: Vec<Target>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// Where the picture is, http or https.
    #[schemars(length(min = 1, max = 2000), extend("format" = "uri"))]
    pub url: String,
    /// What the picture shows, for people who cannot see it.
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
    /// When it is tried again, after an attempt that failed.
    pub next_attempt_at: Option<Timestamp>,
    pub published_at: Option<Timestamp>,
}

impl Post {
    /// The moment it is published at by its own word.
    pub(crate) fn dated(&self) -> Timestamp {
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

/// Something that happens to a target while it is published. What the target is not on the way to is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetChange {
    pub post_id: String,
    pub channel: String,
    pub step: TargetStep,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetStep {
    /// An attempt is about to be made.
    Begun,
    Published {
        url: Option<String>,
        at: Timestamp,
    },
    /// The attempt failed, and there will be another.
    Postponed {
        reason: String,
        next: Timestamp,
    },
    Failed {
        reason: String,
    },
    Cancelled {
        reason: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TargetStatus {
    Draft,
    Scheduled,
    Publishing,
    Published,
    Failed,
    Cancelled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such status of a post")]
pub struct UnknownStatus;

impl TargetStatus {
    const ALL: [Self; 6] =
        [Self::Draft, Self::Scheduled, Self::Publishing, Self::Published, Self::Failed, Self::Cancelled];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Scheduled => "scheduled",
            Self::Publishing => "publishing",
            Self::Published => "published",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl FromStr for TargetStatus {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, UnknownStatus> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(UnknownStatus)
    }
}

/// Which posts to list. `from` and `to` are about when a post was created, `to` not included.
#[derive(Debug, Clone, Default)]
pub struct PostFilter {
    pub status: Option<TargetStatus>,
    pub channel: Option<String>,
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
}
