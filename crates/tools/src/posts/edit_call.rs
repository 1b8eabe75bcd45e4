//! What the tools that change a stored post have in common.

use std::time::Duration;

use svc_mcp_access::Quota;

use super::{
    Post, Target,
    edit::{PlannedEdit, PostEditor, post_not_found},
};
use crate::tool::{Call, Outcome, ToolError, ToolFailure};

/// A call waits this long for a channel, so that its result can say how the attempt ended.
pub(super) const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(8);

/// Reads a post, plans its change, and waits for the attempts that the change has started.
pub(super) async fn edit_post<T: Send + 'static>(
    call: &Call,
    post_id: &str,
    plan: impl FnOnce(&PostEditor<'_>, Post) -> Result<PlannedEdit, ToolFailure> + Send,
    show: fn(PlannedEdit) -> T,
) -> Result<Outcome<T>, ToolError> {
    let profile = call.profile().await?;
    let post = call.context.records.post(call.brand_id(), post_id).await?;
    let post = post.ok_or_else(|| post_not_found(post_id))?;
    let channels = profile.channels_with_feed();
    let editor = PostEditor {
        brand_id: call.brand_id(),
        channels: &channels,
        public_url: &call.context.public_url,
        time_zone: &profile.brand.time_zone,
        now: call.now,
        entropy: call.context.entropy.clone(),
    };
    let mut planned = plan(&editor, post)?;
    planned.check_media(&call.context.outbound, call.brand_id()).await?;
    let changes = std::mem::take(&mut planned.changes);
    let is_attempted = !changes.is_empty() && planned.post.as_ref().is_some_and(has_open_attempt);
    let notes = planned.notes.clone();
    let outcome = Outcome::new(show(planned)).with_changes(changes);
    // If too many calls of the brand wait already, the result shows the post as it was stored.
    let max_waits = profile.plan.quotas.limit(Quota::ConcurrentWaits);
    let wait = if is_attempted { call.begin_wait(post_id, max_waits) } else { None };
    let Some(wait) = wait else { return Ok(outcome) };
    let post_id = post_id.to_owned();
    let follow_up = call.clone().wait_for(wait, ATTEMPT_TIMEOUT, move |records, brand| {
        let (post_id, notes) = (post_id.clone(), notes.clone());
        async move {
            let post = records.post(&brand, &post_id).await.ok().flatten()?;
            let planned = PlannedEdit::ended(post, notes);
            (!planned.post.as_ref().is_some_and(has_open_attempt)).then(|| show(planned))
        }
    });
    Ok(outcome.with_follow_up(follow_up))
}

/// Whether an attempt is under way or about to start.
pub(super) fn has_open_attempt(post: &Post) -> bool {
    post.targets.iter().any(Target::is_attempted)
}
