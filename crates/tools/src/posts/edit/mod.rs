//! Changes of stored posts by agents and people. Each function plans the change of a post that was read. The store makes
//! it only if the post is still the same.

mod cancel;
mod delete;
mod publish;
mod stopped;
mod update;
mod withdraw;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, Entropy, Timestamp, validate::repeated};

use super::{
    Post, PostEdit, Target, TargetStatus,
    channel::BrandChannel,
    media_check::check_media,
    post_arguments::{PostArguments, PostIssue, PublishMode},
    publish::publish_job,
    view::PostView,
};
use crate::{Change, local_time, net::Outbound, tool::ToolFailure};

pub use publish::PublishArguments;
pub use stopped::{StoppedPost, StoppedTarget};
pub use update::UpdateArguments;

/// The arguments of tools that take nothing but a post.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PostVersion {
    /// From `create_post` or `list_posts`.
    #[schemars(length(min = 1, max = 64))]
    pub post_id: String,
    /// The `version` that you have read. If the post has another one, nothing is done.
    #[schemars(range(min = 1))]
    pub expected_version: Option<u32>,
}

/// A planned change, and the post after it.
#[derive(Debug)]
pub struct PlannedEdit {
    pub changes: Vec<Change>,
    /// `None`: it is deleted.
    pub post: Option<Post>,
    pub notes: Vec<String>,
    /// Whether its pictures go out with this change, or later: they are looked at.
    looks_at_media: bool,
}

/// Plans the changes of a brand's posts.
#[derive(Debug)]
pub struct PostEditor<'a> {
    pub brand_id: &'a BrandId,
    pub channels: &'a [BrandChannel],
    pub public_url: &'a str,
    /// The brand's: times without a zone are taken in it.
    pub time_zone: &'a str,
    pub now: Timestamp,
    pub entropy: Entropy,
}

/// A post after it was changed or published.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EditedPost {
    pub post: PostView,
    /// What to know about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl EditedPost {
    pub fn new(planned: PlannedEdit) -> Self {
        Self { post: planned.post.expect("an edited post exists").into(), notes: planned.notes }
    }
}

impl PlannedEdit {
    fn new(changes: Vec<Change>, post: Option<Post>) -> Self {
        Self { changes, post, notes: Vec::new(), looks_at_media: false }
    }

    /// Nothing changes.
    fn unchanged(post: Post) -> Self {
        Self::new(Vec::new(), Some(post))
    }

    /// The post as it was read after the change.
    pub(super) fn ended(post: Post, notes: Vec<String>) -> Self {
        Self { notes, ..Self::unchanged(post) }
    }

    /// Looks at the pictures of the post. If it goes out, all of them must exist. A draft gets a note.
    pub async fn check_media(&mut self, outbound: &Outbound, brand: &BrandId) -> Result<(), ToolFailure> {
        let Some(post) = self.post.as_ref().filter(|_| self.looks_at_media) else { return Ok(()) };
        let is_draft = post.targets.iter().any(|target| target.status == TargetStatus::Draft);
        let found = check_media(outbound, brand, &post.media).await;
        if !is_draft && !found.issues.is_empty() {
            return Err(unfit(&found.issues));
        }
        self.notes.extend(found.into_notes());
        Ok(())
    }
}

impl PostEditor<'_> {
    /// Replaces `before`. Targets of `queued` get a job that is due at this time.
    fn replace(
        &self,
        before: Post,
        mut after: Post,
        unqueued: Vec<String>,
        (queued, due): (&[String], Timestamp),
    ) -> PlannedEdit {
        after.version = before.version.saturating_add(1);
        // As the store reads them.
        after.targets.sort_by(|one, other| one.channel.cmp(&other.channel));
        let edit = PostEdit { before, after: Some(after.clone()), unqueued };
        let mut changes = vec![Change::EditPost(Box::new(edit))];
        let random = &mut self.entropy.clone();
        changes.extend(
            queued.iter().map(|channel| {
                Change::AddJob(publish_job(self.brand_id, &after.post_id, channel, due, random))
            }),
        );
        PlannedEdit::new(changes, Some(after))
    }

    fn has_channel(&self, target: &Target) -> bool {
        self.channels.iter().any(|channel| channel.is_named(&target.channel))
    }

    /// `None`: it is not a time.
    fn parse_time(&self, text: &str) -> Option<Timestamp> {
        local_time::parse(text, self.time_zone).ok()
    }

    /// Fails if the post does not fit its channels or its time is wrong.
    fn check_fit(&self, arguments: &PostArguments) -> Result<(), ToolFailure> {
        let issues = arguments.issues(self.channels, self.time_zone, self.now);
        if issues.is_empty() { Ok(()) } else { Err(unfit(&issues)) }
    }
}

fn check_version(post: &Post, expected: Option<u32>) -> Result<(), ToolFailure> {
    match expected {
        Some(expected) if expected != post.version => Err(ToolFailure::new(
            "post_changed",
            format!(
                "The post has version {}, not {expected}: it was changed meanwhile. Nothing was done.",
                post.version
            ),
            "Read the post again with get_post, and decide again.",
        )),
        _ => Ok(()),
    }
}

/// The arguments that would create the post for these channels.
fn arguments_of(
    post: &Post,
    channels: impl Iterator<Item = String>,
    mode: PublishMode,
    at: Option<Timestamp>,
) -> PostArguments {
    PostArguments {
        text: post.text.clone(),
        channels: channels.collect(),
        title: post.title.clone(),
        link: post.link.clone(),
        media: post.media.clone(),
        scheduled_at: at.map(|at| at.to_string()),
        mode,
        dry_run: false,
    }
}

fn unfit(issues: &[PostIssue]) -> ToolFailure {
    let all: Vec<&str> = issues.iter().map(|issue| issue.message.as_str()).collect();
    ToolFailure::new(
        "post_invalid",
        format!("The post was not changed. {}", all.join(" ")),
        "Fix the listed issues and try again; validate_post checks a post without storing it.",
    )
}

/// The state of the post does not allow this.
fn wrong_state(message: impl Into<String>, hint: impl Into<String>) -> ToolFailure {
    ToolFailure::new("post_state", message, hint)
}

pub(crate) fn post_not_found(post_id: &str) -> ToolFailure {
    ToolFailure::new(
        "post_not_found",
        format!("The brand has no post `{}`.", repeated(post_id)),
        "Call list_posts to see the existing posts.",
    )
}

/// The channels with their states: "`feed` is published, `hook` is failed".
fn states(post: &Post) -> String {
    let state = |target: &Target| format!("`{}` is {}", target.channel, target.status.as_str());
    post.targets.iter().map(state).collect::<Vec<_>>().join(", ")
}

/// For a draft that has a `scheduled_at`.
pub(super) const DRAFT_TIME_NOTE: &str = "It is a draft: nothing is published by itself, also not at `scheduled_at`. To schedule \
    it, call publish_post with this `scheduled_at`, or create posts with `mode: schedule`.";
