//! What a call to stop a post reached, for each channel.

use schemars::JsonSchema;
use serde::Serialize;

use super::PlannedEdit;
use crate::posts::{Post, Target, TargetStatus, view::PostView};

/// A post after somebody cancelled or withdrew it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StoppedPost {
    /// The post. Null: it was a draft and is deleted.
    pub post: Option<PostView>,
    /// What was reached on each channel.
    pub targets: Vec<StoppedTarget>,
    /// What to know about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct StoppedTarget {
    pub channel: String,
    pub status: TargetStatus,
    /// Whether the post is stopped on this channel.
    pub done: bool,
    /// What happened, and what to do next.
    pub message: String,
}

impl StoppedPost {
    pub fn cancelled(planned: PlannedEdit) -> Self {
        Self::new(planned.post, planned.notes, cancellation)
    }

    pub fn withdrawn(planned: PlannedEdit) -> Self {
        Self::new(planned.post, planned.notes, withdrawal)
    }

    fn new(post: Option<Post>, notes: Vec<String>, tell: fn(&Target) -> (bool, String)) -> Self {
        let stopped = |target: &Target| {
            let (done, message) = tell(target);
            StoppedTarget { channel: target.channel.clone(), status: target.status, done, message }
        };
        let targets = post.iter().flat_map(|post| &post.targets).map(stopped).collect();
        Self { post: post.map(PostView::from), targets, notes }
    }
}

fn cancellation(target: &Target) -> (bool, String) {
    let (done, message) = match target.status {
        TargetStatus::Cancelled => (true, "It will not be published."),
        TargetStatus::Failed => (true, "It was not published, and no further attempt is made."),
        TargetStatus::Published => (false, "It is published already. Use withdraw_post to take it back."),
        TargetStatus::Uncertain => {
            (false, "No further attempt is made, but it may be published: look at the account.")
        }
        TargetStatus::Withdrawing => (false, "It is published already, and is being withdrawn."),
        TargetStatus::Withdrawn => (true, "It is withdrawn."),
        TargetStatus::Draft | TargetStatus::Scheduled | TargetStatus::Publishing => (
            false,
            "It is being published at this moment. Call get_post to see the result, and withdraw_post to take it back.",
        ),
    };
    (done, message.to_owned())
}

fn withdrawal(target: &Target) -> (bool, String) {
    let (done, message) = match target.status {
        TargetStatus::Withdrawn => (true, "It is withdrawn."),
        TargetStatus::Withdrawing => match &target.error {
            Some(error) => return (false, format!("It is not withdrawn yet, and is tried again. {error}")),
            None => (false, "It is being withdrawn. Call get_post to see the result."),
        },
        TargetStatus::Published => match &target.error {
            Some(error) => return (false, format!("It is still published. {error}")),
            None => (
                false,
                "It is still published, because the channel was removed. Delete it by hand on the account.",
            ),
        },
        TargetStatus::Draft | TargetStatus::Scheduled => {
            (false, "It has not gone out. Use cancel_post to stop it.")
        }
        TargetStatus::Publishing => (
            false,
            "It is still being published. Use cancel_post to stop it, or withdraw it when it is published.",
        ),
        TargetStatus::Failed | TargetStatus::Cancelled => (true, "It has not gone out."),
        TargetStatus::Uncertain => {
            (false, "It is not known whether it went out: look at the account, and delete it there by hand.")
        }
    };
    (done, message.to_owned())
}
