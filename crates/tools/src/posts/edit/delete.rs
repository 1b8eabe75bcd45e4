//! Deletes a post that has not gone out.

use super::{
    PlannedEdit, PostEditor, PostVersion, cancel::can_be_cancelled, check_version, states, wrong_state,
};
use crate::{
    Change,
    posts::{Post, PostEdit, Target, TargetStatus},
    tool::ToolFailure,
};

impl PostEditor<'_> {
    /// Only people delete posts. What is or was public stays as a record.
    pub fn delete(&self, before: Post, arguments: &PostVersion) -> Result<PlannedEdit, ToolFailure> {
        check_version(&before, arguments.expected_version)?;
        let can_be_deleted = |target: &Target| match target.status {
            TargetStatus::Cancelled | TargetStatus::Failed => true,
            _ => can_be_cancelled(target) && target.unknown_since.is_none(),
        };
        if !before.targets.iter().all(can_be_deleted) {
            return Err(wrong_state(
                format!("Only a post that has not gone out can be deleted: {}.", states(&before)),
                "Cancel what is still to be published, and withdraw what is public.",
            ));
        }
        let queued = before.targets.iter().filter(|target| target.is_queued());
        let unqueued = queued.map(|target| target.channel.clone()).collect();
        let edit = PostEdit { before, after: None, unqueued };
        Ok(PlannedEdit::new(vec![Change::EditPost(Box::new(edit))], None))
    }
}
