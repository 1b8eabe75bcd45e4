//! Takes back what has gone out.

use super::{PlannedEdit, PostEditor, PostVersion, check_version};
use crate::{
    Change,
    posts::{FEED, Post, Target, TargetStatus, publish::withdraw_job},
    tool::ToolFailure,
};

impl PostEditor<'_> {
    /// Withdraws the published targets. The service serves the feed itself, so the post leaves it at once; the other
    /// channels are asked by jobs.
    pub fn withdraw(&self, before: Post, arguments: &PostVersion) -> Result<PlannedEdit, ToolFailure> {
        check_version(&before, arguments.expected_version)?;
        let mut after = before.clone();
        let can_be_withdrawn =
            |target: &&mut Target| target.status == TargetStatus::Published && self.has_channel(target);
        for target in after.targets.iter_mut().filter(can_be_withdrawn) {
            target.withdraw_requested_at = Some(self.now);
            if target.channel == FEED {
                (target.status, target.error) = (TargetStatus::Withdrawn, None);
            } else {
                (target.status, target.error, target.attempts) = (TargetStatus::Withdrawing, None, 0);
            }
        }
        if after == before {
            return Ok(PlannedEdit::unchanged(before));
        }
        let random = &mut self.entropy.clone();
        let started = |target: &&Target| {
            target.status == TargetStatus::Withdrawing && target.withdraw_requested_at == Some(self.now)
        };
        let jobs: Vec<Change> = after
            .targets
            .iter()
            .filter(started)
            .map(|target| {
                let job = withdraw_job(self.brand_id, &after.post_id, &target.channel, self.now, random);
                Change::AddJob(job)
            })
            .collect();
        let mut planned = self.replace(before, after, Vec::new(), (&[], self.now));
        planned.changes.extend(jobs);
        Ok(planned)
    }
}
