//! Publishes a draft, or the failed targets of a post again.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{Fault, Timestamp};

use super::{PlannedEdit, PostEditor, PostVersion, arguments_of, check_version, states, wrong_state};
use crate::{
    posts::{
        FEED, Post, Target, TargetStatus,
        post_arguments::{MAX_TIME_CHARS, PublishMode, time_fault},
    },
    tool::ToolFailure,
};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishArguments {
    /// From `create_post` or `list_posts`.
    #[schemars(length(min = 1, max = 64))]
    pub post_id: String,
    /// `2027-01-31T09:00` in the brand's time zone, or with a zone. Default: at once, also if the draft has a time.
    #[schemars(length(max = MAX_TIME_CHARS))]
    pub scheduled_at: Option<String>,
    /// The `version` that you have read. If the post has another one, nothing is done.
    #[schemars(range(min = 1))]
    pub expected_version: Option<u32>,
}

impl PublishArguments {
    /// Faults that the schema cannot express.
    pub fn faults(&self) -> Vec<Fault> {
        time_fault("scheduled_at", self.scheduled_at.as_deref()).into_iter().collect()
    }
}

impl PostEditor<'_> {
    pub fn publish(&self, before: Post, arguments: &PublishArguments) -> Result<PlannedEdit, ToolFailure> {
        check_version(&before, arguments.expected_version)?;
        let at = arguments.scheduled_at.as_deref().and_then(|text| self.parse_time(text));
        self.queue(before, at, |target| matches!(target.status, TargetStatus::Draft | TargetStatus::Failed))
    }

    /// Publishes the failed targets again, at once.
    pub fn retry(&self, before: Post, arguments: &PostVersion) -> Result<PlannedEdit, ToolFailure> {
        check_version(&before, arguments.expected_version)?;
        self.queue(before, None, |target| target.status == TargetStatus::Failed)
    }

    fn queue(
        &self,
        before: Post,
        at: Option<Timestamp>,
        is_wanted: impl Fn(&Target) -> bool,
    ) -> Result<PlannedEdit, ToolFailure> {
        // A draft on a removed channel is cancelled already. A failed target stays failed.
        let is_wanted = |target: &Target| is_wanted(target) && self.has_channel(target);
        let wanted: Vec<String> = before
            .targets
            .iter()
            .filter(|target| is_wanted(target))
            .map(|target| target.channel.clone())
            .collect();
        if wanted.is_empty() {
            return Err(wrong_state(
                format!("The post has nothing to publish: {}.", states(&before)),
                "A draft and the failed channels of a post can be published. To change the time of a scheduled post, use \
                 update_post.",
            ));
        }
        // Every attempt sends the same time, so it must not change while other channels are tried.
        if at.is_some() && before.targets.iter().any(Target::is_queued) {
            return Err(wrong_state(
                format!(
                    "The time cannot be set while other channels are still to be published: {}.",
                    states(&before)
                ),
                "Publish the failed channels without `scheduled_at`, or wait until the others have ended.",
            ));
        }
        let mode = if at.is_some() { PublishMode::Schedule } else { PublishMode::Now };
        self.check_fit(&arguments_of(&before, wanted.iter().cloned(), mode, at))?;
        let mut after = before.clone();
        let was_draft = before.targets.iter().any(|target| target.status == TargetStatus::Draft);
        // A draft may be old, so its time is now. A repetition keeps the time of the first attempts.
        after.scheduled_at = at.or(if was_draft { Some(self.now) } else { before.scheduled_at });
        let feed_url = before.feed_address(self.public_url, self.brand_id);
        for target in after.targets.iter_mut().filter(|target| wanted.contains(&target.channel)) {
            // The error of earlier attempts stays until the target is published.
            let error = target.error.take();
            *target = Target { error, ..Target::new(target.channel.clone(), TargetStatus::Publishing) };
            if at.is_some() {
                target.status = TargetStatus::Scheduled;
            } else if target.channel == FEED {
                *target = target.clone().in_feed(feed_url.clone(), self.now);
            }
        }
        let is_queued = |target: &&Target| target.is_queued() && wanted.contains(&target.channel);
        let queued: Vec<String> =
            after.targets.iter().filter(is_queued).map(|target| target.channel.clone()).collect();
        let planned = self.replace(before, after, Vec::new(), (&queued, at.unwrap_or(self.now)));
        Ok(PlannedEdit { looks_at_media: true, ..planned })
    }
}
