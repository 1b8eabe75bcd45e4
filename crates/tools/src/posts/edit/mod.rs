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
    Post, PostEdit, Target,
    channel::BrandChannel,
    post_arguments::{PostArguments, PostIssue, PublishMode},
    publish::publish_job,
    view::PostView,
};
use crate::{Change, tool::ToolFailure};

pub use publish::PublishArguments;
pub use stopped::{StoppedPost, StoppedTarget};
pub use update::UpdateArguments;

/// The arguments of tools that take nothing but a post.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PostVersion {
    /// As given by `create_post` or `list_posts`.
    #[schemars(length(min = 1, max = 64))]
    pub post_id: String,
    /// The `version` of the post that you have read. If the post was changed since, nothing is done.
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
}

/// Plans the changes of a brand's posts.
#[derive(Debug)]
pub struct PostEditor<'a> {
    pub brand_id: &'a BrandId,
    pub channels: &'a [BrandChannel],
    pub public_url: &'a str,
    pub now: Timestamp,
    pub entropy: Entropy,
}

/// A post after it was changed or published.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EditedPost {
    pub post: PostView,
    /// What to know about the result.
    pub notes: Vec<String>,
}

impl EditedPost {
    pub fn new(planned: PlannedEdit) -> Self {
        Self { post: planned.post.expect("an edited post exists").into(), notes: planned.notes }
    }
}

impl PlannedEdit {
    /// Nothing changes.
    fn unchanged(post: Post) -> Self {
        Self { changes: Vec::new(), post: Some(post), notes: Vec::new() }
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
        PlannedEdit { changes, post: Some(after), notes: Vec::new() }
    }

    fn has_channel(&self, target: &Target) -> bool {
        self.channels.iter().any(|channel| channel.is_named(&target.channel))
    }

    /// Fails if the post does not fit its channels or its time is wrong.
    fn check_fit(&self, arguments: &PostArguments) -> Result<(), ToolFailure> {
        let issues = arguments.issues(self.channels, self.now);
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

/// A time that was given with a draft.
pub(super) const WISH_NOTE: &str = "`scheduled_at` is kept with the draft, but nothing is published by itself: call \
    publish_post with `scheduled_at` when the post is ready.";
