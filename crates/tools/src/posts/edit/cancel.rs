//! Stops what has not gone out yet.

use super::{PlannedEdit, PostEditor, PostVersion, check_version};
use crate::{
    Change,
    posts::{Post, PostEdit, Target, TargetStatus, uncertain_reason},
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
            let notes = vec!["The draft was deleted.".to_owned()];
            return Ok(PlannedEdit { notes, ..PlannedEdit::new(changes, None) });
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

#[cfg(test)]
mod tests {
    use svc_mcp_access::{BrandId, Entropy, Timestamp};

    use super::*;
    use crate::posts::{BrandChannel, StoppedPost};

    const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);

    /// Cancels a post with this target, and returns the target afterwards.
    fn cancel(target: Target) -> (Option<Target>, StoppedPost) {
        let post = Post {
            post_id: "post_1".into(),
            text: "Hello".into(),
            title: None,
            link: None,
            media: Vec::new(),
            created_at: NOW,
            created_by_key: "key_1".parse().unwrap(),
            scheduled_at: None,
            version: 1,
            targets: vec![target],
        };
        let brand: BrandId = "acme".parse().unwrap();
        let editor = PostEditor {
            brand_id: &brand,
            channels: &[BrandChannel::feed()],
            public_url: "https://svc.example",
            time_zone: "UTC",
            now: NOW,
            entropy: Entropy::new(|bytes| bytes.fill(7)),
        };
        let arguments = PostVersion { post_id: "post_1".into(), expected_version: None };
        let planned = editor.cancel(post, &arguments).unwrap();
        let after = planned.post.as_ref().map(|post| post.targets[0].clone());
        (after, StoppedPost::cancelled(planned))
    }

    fn target(status: TargetStatus, attempts: u32, next_attempt_at: Option<Timestamp>) -> Target {
        Target { attempts, next_attempt_at, ..Target::new("hook".into(), status) }
    }

    #[test]
    fn only_what_no_worker_is_sending_is_cancelled() {
        use TargetStatus::{
            Cancelled, Draft, Failed, Published, Publishing, Scheduled, Uncertain, Withdrawn,
        };
        assert_eq!(cancel(target(Draft, 0, None)).0, None, "a draft is deleted");
        for (before, after, done) in [
            (target(Scheduled, 0, None), Cancelled, true),
            // No worker has taken it yet, or it waits for the next attempt.
            (target(Publishing, 0, None), Cancelled, true),
            (target(Publishing, 3, Some(NOW)), Cancelled, true),
            (target(Publishing, 1, None), Publishing, false),
            (target(Published, 1, None), Published, false),
            (target(Failed, 8, None), Failed, true),
            (target(Uncertain, 2, None), Uncertain, false),
            (target(Withdrawn, 1, None), Withdrawn, true),
        ] {
            let (found, told) = cancel(before.clone());
            assert_eq!((found.unwrap().status, told.targets[0].done), (after, done), "{before:?}");
        }
        let (_, told) = cancel(target(Publishing, 1, None));
        assert!(told.targets[0].message.contains("being published at this moment"), "{told:?}");
    }

    #[test]
    fn post_that_may_be_published_becomes_uncertain() {
        let before = Target { unknown_since: Some(NOW), ..target(TargetStatus::Publishing, 1, Some(NOW)) };
        let (after, told) = cancel(before);
        let after = after.unwrap();
        assert_eq!((after.status, after.next_attempt_at), (TargetStatus::Uncertain, None));
        assert!(after.error.unwrap().contains("look at the account") && !told.targets[0].done);
    }
}
