//! Changes what a draft or a scheduled post says, where it goes, and when.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::Fault;

use super::{DRAFT_TIME_NOTE, PlannedEdit, PostEditor, arguments_of, check_version, states, wrong_state};
use crate::{
    net::MAX_URL_CHARS,
    posts::{
        Media, Post, Target, TargetStatus,
        post_arguments::{MAX_TEXT_CHARS, MAX_TIME_CHARS, PublishMode, content_faults, time_fault},
    },
    tool::ToolFailure,
};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateArguments {
    /// From `create_post` or `list_posts`.
    #[schemars(length(min = 1, max = 64))]
    pub post_id: String,
    /// Plain text.
    #[schemars(length(min = 1, max = MAX_TEXT_CHARS))]
    text: Option<String>,
    /// All channels. Those that are not named here are removed from the post.
    #[schemars(length(min = 1, max = 10))]
    channels: Option<BTreeSet<String>>,
    /// For channels that show one.
    #[schemars(length(max = 300))]
    title: Option<String>,
    /// The page the post is about.
    #[schemars(length(max = MAX_URL_CHARS))]
    link: Option<String>,
    /// All pictures.
    #[schemars(length(max = 10))]
    media: Option<Vec<Media>>,
    /// `2027-01-31T09:00` in the brand's time zone, or with a zone. A draft does not go out by itself.
    #[schemars(length(max = MAX_TIME_CHARS))]
    scheduled_at: Option<String>,
    /// The `version` that you have read. If the post has another one, nothing is done.
    #[schemars(range(min = 1))]
    expected_version: Option<u32>,
}

impl UpdateArguments {
    /// Faults that the schema cannot express.
    pub fn faults(&self) -> Vec<Fault> {
        fn filled(text: Option<&String>) -> Option<&str> {
            text.map(String::as_str).filter(|text| !text.is_empty())
        }
        let media = self.media.as_deref().unwrap_or_default();
        let mut faults = content_faults(
            self.text.as_deref(),
            filled(self.title.as_ref()),
            filled(self.link.as_ref()),
            media,
        );
        faults.extend(time_fault("scheduled_at", filled(self.scheduled_at.as_ref())));
        let is_empty = self.text.is_none()
            && self.channels.is_none()
            && self.title.is_none()
            && self.link.is_none()
            && self.media.is_none()
            && self.scheduled_at.is_none();
        if is_empty {
            faults.push(Fault::new("text", "is required, or another field to change"));
        }
        faults
    }
}

impl PostEditor<'_> {
    pub fn update(&self, before: Post, arguments: UpdateArguments) -> Result<PlannedEdit, ToolFailure> {
        check_version(&before, arguments.expected_version)?;
        let status = editable_status(&before)?;
        let mut after = before.clone();
        let UpdateArguments { text, channels, title, link, media, scheduled_at, .. } = arguments;
        let filled = |text: String| Some(text).filter(|text| !text.is_empty());
        after.text = text.unwrap_or(after.text);
        after.title = title.map_or(after.title, filled);
        after.link = link.map_or(after.link, filled);
        after.media = media.unwrap_or(after.media);
        let new_time = scheduled_at.map(|text| self.parse_time(&text));
        after.scheduled_at = new_time.unwrap_or(after.scheduled_at);
        if let Some(channels) = &channels {
            // A cancelled target stays as a record, unless its channel is named again.
            after.targets.retain(|target| is_open(target) == channels.contains(&target.channel));
            for channel in channels {
                if !after.targets.iter().any(|target| target.channel == *channel) {
                    after.targets.push(Target::new(channel.clone(), status));
                }
            }
        }
        let is_draft = status == TargetStatus::Draft;
        let mode = if is_draft { PublishMode::Draft } else { PublishMode::Schedule };
        // The wish of a draft may be in the past by now. It is checked when it is set.
        let checked_time = if is_draft { new_time.flatten() } else { after.scheduled_at };
        let open = |post: &Post| -> Vec<String> {
            let open = post.targets.iter().filter(|target| is_open(target));
            open.map(|target| target.channel.clone()).collect()
        };
        self.check_fit(&arguments_of(&after, open(&after).into_iter(), mode, checked_time))?;
        if after == before {
            return Ok(PlannedEdit::unchanged(before));
        }
        let has_draft_time = is_draft && after.scheduled_at.is_some();
        let (unqueued, queued) = if is_draft {
            (Vec::new(), Vec::new())
        } else if after.scheduled_at == before.scheduled_at {
            let (old, new) = (open(&before), open(&after));
            let added = new.iter().filter(|channel| !old.contains(channel)).cloned().collect();
            (old.into_iter().filter(|channel| !new.contains(channel)).collect(), added)
        } else {
            (open(&before), open(&after))
        };
        let due = after.scheduled_at.unwrap_or(self.now);
        let mut planned = self.replace(before, after, unqueued, (&queued, due));
        planned.looks_at_media = true;
        planned.notes.extend(has_draft_time.then(|| DRAFT_TIME_NOTE.to_owned()));
        Ok(planned)
    }
}

fn is_open(target: &Target) -> bool {
    matches!(target.status, TargetStatus::Draft | TargetStatus::Scheduled)
}

/// The state of the targets that are still to be published, if nothing has gone out and nothing was tried. What a server
/// may have received must not be sent again with another text.
fn editable_status(post: &Post) -> Result<TargetStatus, ToolFailure> {
    let is_untouched = |target: &Target| match target.status {
        TargetStatus::Cancelled => true,
        TargetStatus::Draft | TargetStatus::Scheduled => target.error.is_none(),
        _ => false,
    };
    let open = post.targets.iter().find(|target| is_open(target));
    match open {
        Some(open) if post.targets.iter().all(is_untouched) => Ok(open.status),
        _ => Err(wrong_state(
            format!(
                "Only a draft or a scheduled post can be changed, before anything was sent: {}.",
                states(post)
            ),
            "Published text is not edited. Withdraw the post with withdraw_post and create a new one.",
        )),
    }
}
