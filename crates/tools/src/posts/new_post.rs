//! A post as `create_post` returns it: as it was stored, or as a dry run would store it.

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::Timestamp;

use super::{
    Media, Post, TargetStatus,
    view::{PostView, TargetView},
};

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct NewPostView {
    /// Null in a dry run: nothing is stored.
    post_id: Option<String>,
    text: String,
    title: Option<String>,
    link: Option<String>,
    media: Vec<Media>,
    /// Null in a dry run.
    #[schemars(with = "Option<String>")]
    created_at: Option<Timestamp>,
    #[schemars(with = "Option<String>")]
    scheduled_at: Option<Timestamp>,
    /// Increases with each change by an agent or a person. Null in a dry run.
    version: Option<u32>,
    /// One for each channel of the post.
    targets: Vec<NewTargetView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct NewTargetView {
    channel: String,
    /// In a dry run `would_publish`, `would_schedule` or `draft`.
    status: NewTargetStatus,
    /// The public address, once it is published.
    url: Option<String>,
    /// Why publishing or the last attempt failed.
    error: Option<String>,
    attempts: u32,
    /// When the next automatic attempt is made. Null: no attempt is planned.
    #[schemars(with = "Option<String>")]
    next_attempt_at: Option<Timestamp>,
    #[schemars(with = "Option<String>")]
    published_at: Option<Timestamp>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum NewTargetStatus {
    Stored(TargetStatus),
    Planned(PlannedStatus),
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PlannedStatus {
    WouldPublish,
    WouldSchedule,
}

impl NewPostView {
    pub(super) fn stored(post: Post) -> Self {
        let view = PostView::from(post);
        Self {
            post_id: Some(view.post_id),
            text: view.text,
            title: view.title,
            link: view.link,
            media: view.media,
            created_at: Some(view.created_at),
            scheduled_at: view.scheduled_at,
            version: Some(view.version),
            targets: view.targets.into_iter().map(NewTargetView::stored).collect(),
        }
    }

    /// What would be stored. It has no id, no address and no state that exists.
    pub(super) fn planned(post: Post) -> Self {
        let targets =
            post.targets.iter().map(|target| NewTargetView::planned(&target.channel, target.status));
        Self {
            targets: targets.collect(),
            post_id: None,
            created_at: None,
            version: None,
            ..Self::stored(post)
        }
    }
}

impl NewTargetView {
    fn stored(view: TargetView) -> Self {
        Self {
            channel: view.channel,
            status: NewTargetStatus::Stored(view.status),
            url: view.url,
            error: view.error,
            attempts: view.attempts,
            next_attempt_at: view.next_attempt_at,
            published_at: view.published_at,
        }
    }

    fn planned(channel: &str, status: TargetStatus) -> Self {
        let status = match status {
            TargetStatus::Publishing | TargetStatus::Published => {
                NewTargetStatus::Planned(PlannedStatus::WouldPublish)
            }
            TargetStatus::Scheduled => NewTargetStatus::Planned(PlannedStatus::WouldSchedule),
            other => NewTargetStatus::Stored(other),
        };
        Self {
            channel: channel.to_owned(),
            status,
            url: None,
            error: None,
            attempts: 0,
            next_attempt_at: None,
            published_at: None,
        }
    }
}
