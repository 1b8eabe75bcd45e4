//! Stops what has not gone out yet.

use super::{PlannedEdit, PostEdit, PostEditor, PostVersion, check_version};
use crate::{
    Change,
    posts::{Post, Target, TargetStatus, uncertain_reason},
    tool::ToolFailure,
};

const REASON: &str = "It was cancelled.";

impl PostEditor<'_> {
    /// Deletes a draft. Of another post, cancels the targets that no worker is sending.
    pub fn cancel(&self, before: Post, arguments: &PostVersion) -> Result<PlannedEdit, ToolFailure> {
        check_version(&before, arguments.expected_version)?;
        let is_draft = |target: &Target| target.status == TargetStatus::Draft;
        let is_over = |target: &Target| is_draft(target) || target.status == TargetStatus::Cancelled;
        if before.targets.iter().any(is_draft) && before.targets.iter().all(is_over) {
            let edit = PostEdit { before, after: None, unqueued: Vec::new() };
            let changes = vec![Change::EditPost(Box::new(edit))];
            return Ok(PlannedEdit { changes, post: None, notes: vec!["The draft was deleted.".to_owned()] });
        }
        let mut after = before.clone();
        let mut cancelled = Vec::new();
        for target in after.targets.iter_mut().filter(|target| can_be_cancelled(target)) {
            cancel_target(target);
            cancelled.push(target.channel.clone());
        }
        if cancelled.is_empty() {
            return Ok(PlannedEdit::unchanged(before));
        }
        Ok(self.replace(before, after, cancelled, (&[], self.now)))
    }
}

/// Whether no worker is sending it. A worker that starts afterwards finds it cancelled.
pub(super) fn can_be_cancelled(target: &Target) -> bool {
    target.status == TargetStatus::Draft || target.is_queued() && !target.is_in_flight()
}

fn cancel_target(target: &mut Target) {
    let last_error = target.error.take();
    let reason = match last_error {
        Some(error) => format!("{REASON} The last attempt failed: {error}"),
        None => REASON.to_owned(),
    };
    target.next_attempt_at = None;
    // An earlier attempt may have published it.
    if target.unknown_since.is_some() {
        target.status = TargetStatus::Uncertain;
        target.error = Some(uncertain_reason(&reason));
    } else {
        target.status = TargetStatus::Cancelled;
        target.error = Some(reason);
    }
}
