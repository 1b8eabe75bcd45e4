//! A post as a tool returns it.

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::Timestamp;

use super::{Media, Post, Target, TargetStatus};

#[derive(Debug, Serialize, JsonSchema)]
pub struct PostView {
    pub post_id: String,
    pub text: String,
    pub title: Option<String>,
    pub link: Option<String>,
    pub media: Vec<Media>,
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    #[schemars(with = "Option<String>")]
    pub scheduled_at: Option<Timestamp>,
    /// Increases with each change by an agent or a person. Pass it as `expected_version` to detect such a change.
    pub version: u32,
    /// One for each channel of the post.
    pub targets: Vec<TargetView>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TargetView {
    pub channel: String,
    pub status: TargetStatus,
    /// The public address, once it is published.
    pub url: Option<String>,
    /// Why publishing, withdrawing or the last attempt failed.
    pub error: Option<String>,
    /// The number of attempts to publish, or to withdraw once that was asked for.
    pub attempts: u32,
    /// When the next automatic attempt is made. Null: no attempt is planned.
    #[schemars(with = "Option<String>")]
    pub next_attempt_at: Option<Timestamp>,
    #[schemars(with = "Option<String>")]
    pub published_at: Option<Timestamp>,
}

impl From<Post> for PostView {
    fn from(post: Post) -> Self {
        Self {
            post_id: post.post_id,
            text: post.text,
            title: post.title,
            link: post.link,
            media: post.media,
            created_at: post.created_at,
            scheduled_at: post.scheduled_at,
            version: post.version,
            targets: post.targets.into_iter().map(TargetView::from).collect(),
        }
    }
}

impl From<Target> for TargetView {
    fn from(target: Target) -> Self {
        Self {
            channel: target.channel,
            status: target.status,
            url: target.url,
            error: target.error,
            attempts: target.attempts,
            next_attempt_at: target.next_attempt_at,
            published_at: target.published_at,
        }
    }
}
