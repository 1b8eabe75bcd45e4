//! Changes of stored posts as the store makes them.

use svc_mcp_access::{KeyId, UserId};

use super::{Post, Target, TargetStatus};

/// Replaces a post, if it still is as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostEdit {
    pub before: Post,
    /// `None`: it is deleted.
    pub after: Option<Post>,
    /// Channels whose waiting job is removed.
    pub unqueued: Vec<String>,
}

/// What a person did to a post, for the activity log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostEvent {
    pub event_id: String,
    pub actor: UserId,
    /// The key that created the post.
    pub key_id: KeyId,
    pub post_id: String,
    /// The name of the tool that does the same.
    pub action: &'static str,
}

impl PostEdit {
    /// Whether it orders a draft or a failed target to be published.
    pub fn publishes(&self) -> bool {
        let is_waiting = |channel: &str| {
            let before = self.before.targets.iter().find(|target| target.channel == channel);
            before.is_some_and(|target| matches!(target.status, TargetStatus::Draft | TargetStatus::Failed))
        };
        let is_ordered = |target: &Target| target.is_queued() || target.status == TargetStatus::Published;
        let after = self.after.iter().flat_map(|after| &after.targets);
        after.into_iter().any(|target| is_ordered(target) && is_waiting(&target.channel))
    }

    /// Whether people outside notice it: a target is published, scheduled or withdrawn, or what is scheduled changes.
    pub fn is_outward(&self) -> bool {
        let Some(after) = &self.after else { return false };
        let says_the_same =
            after.content() == self.before.content() && after.scheduled_at == self.before.scheduled_at;
        after.targets.iter().any(|target| {
            let before = self.before.targets.iter().find(|before| before.channel == target.channel);
            let is_new = before.is_none_or(|before| before.status != target.status);
            match target.status {
                TargetStatus::Scheduled | TargetStatus::Publishing => is_new || !says_the_same,
                TargetStatus::Published | TargetStatus::Withdrawing | TargetStatus::Withdrawn => is_new,
                TargetStatus::Draft
                | TargetStatus::Failed
                | TargetStatus::Uncertain
                | TargetStatus::Cancelled => false,
            }
        })
    }
}
