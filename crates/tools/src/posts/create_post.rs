use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Fault, Quota, ToolAccess, id};

use super::{
    FEED, Post, Target, TargetStatus,
    channel::BrandChannel,
    edit::WISH_NOTE,
    edit_call::{ATTEMPT_TIMEOUT, has_open_attempt},
    post_arguments::{PostArguments, PostIssue, PublishMode},
    publish::{ChannelPreview, preview, publish_job},
    view::PostView,
};
use crate::{
    Change,
    jobs::JobWait,
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure},
};

#[derive(Debug)]
pub struct CreatePost;

#[derive(Debug, Serialize, JsonSchema)]
pub struct CreatedPost {
    post: PostView,
    /// True: nothing was stored; this shows what would have happened.
    dry_run: bool,
    /// With `dry_run`, what would be sent to each channel. Otherwise empty.
    previews: Vec<ChannelPreview>,
    /// What to know about the result.
    notes: Vec<String>,
}

impl Tool for CreatePost {
    type Arguments = PostArguments;
    type Output = CreatedPost;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: false, open_world: true };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "create_post",
        title: "Create a post",
        description: "Creates a post for one or more of the brand's channels and returns it with its `post_id` and the \
            state on each channel. By default (`mode: draft`) nothing is published, also if `scheduled_at` is \
            given: `update_post` changes a draft, and `publish_post` publishes it. `mode: now` publishes at once and \
            `mode: schedule` at `scheduled_at`; published posts are public, so use them only when you were asked to \
            publish. Every brand has the channel `feed`, its public Atom and JSON feed; `get_brand` lists the others \
            (webhooks, Mastodon, Bluesky) with their text limits. If the post does not fit a channel, nothing is stored \
            and the issues are listed; `validate_post` checks without storing, and `dry_run: true` shows what would be \
            sent to each channel. If a channel cannot be reached, publishing is retried for about a day: while a target \
            is `publishing`, `error` says why the last attempt failed and `next_attempt_at` when the next one is made; \
            call `get_post` later. To retry after a broken connection, send the same `Idempotency-Key`: the post is \
            created only once.",
        example: r#"{"text": "Our new opening hours: 8 to 18, every day.", "channels": ["feed"], "title": "New hours"}"#,
    };

    fn check(arguments: &PostArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: PostArguments) -> Result<Outcome<CreatedPost>, ToolError> {
        let profile = call.profile().await?;
        let channels = profile.channels_with_feed();
        let issues = arguments.issues(&channels, call.now);
        if !issues.is_empty() {
            return Err(post_invalid(&issues).into());
        }
        let dry_run = arguments.dry_run;
        let post = new_post(call, arguments);
        if dry_run {
            let previews = previews(call, &channels, &post);
            return Ok(Outcome::new(CreatedPost { dry_run, previews, ..created(post) }));
        }
        let mut changes = vec![Change::AddPost(post.clone())];
        changes.extend(jobs(call, &post));
        let is_publishing = post.targets.iter().any(|target| target.status == TargetStatus::Publishing);
        let post_id = post.post_id.clone();
        let outcome = Outcome::new(created(post)).with_changes(changes);
        // If too many calls of the brand wait already, the result shows the post as it was stored.
        let max_waits = profile.plan.quotas.limit(Quota::ConcurrentWaits);
        let wait = if is_publishing { call.begin_wait(&post_id, max_waits) } else { None };
        Ok(match wait {
            Some(wait) => outcome.with_follow_up(published(call.clone(), wait, post_id)),
            None => outcome,
        })
    }
}

fn created(post: Post) -> CreatedPost {
    let is_draft = post.targets.iter().any(|target| target.status == TargetStatus::Draft);
    let has_wish = is_draft && post.scheduled_at.is_some();
    let notes = has_wish.then(|| WISH_NOTE.to_owned()).into_iter().collect();
    CreatedPost { post: post.into(), dry_run: false, previews: Vec::new(), notes }
}

fn post_invalid(issues: &[PostIssue]) -> ToolFailure {
    let all: Vec<&str> = issues.iter().map(|issue| issue.message.as_str()).collect();
    ToolFailure::new(
        "post_invalid",
        format!("The post was not created. {}", all.join(" ")),
        "Fix the listed issues and call create_post again; validate_post checks a post without creating it.",
    )
}

fn previews(call: &Call, channels: &[BrandChannel], post: &Post) -> Vec<ChannelPreview> {
    let is_target =
        |channel: &&BrandChannel| post.targets.iter().any(|target| channel.is_named(&target.channel));
    channels.iter().filter(is_target).map(|channel| preview(call.brand_id(), channel, post)).collect()
}

fn new_post(call: &Call, arguments: PostArguments) -> Post {
    let mut post = Post {
        targets: Vec::new(),
        scheduled_at: arguments.schedule(),
        post_id: id::fresh("post", &mut call.context.entropy.clone()),
        text: arguments.text,
        title: arguments.title,
        link: arguments.link,
        media: arguments.media,
        created_at: call.now,
        created_by_key: call.caller.key_state.key_id.clone(),
        version: 1,
    };
    post.targets = arguments
        .channels
        .into_iter()
        .map(|channel| new_target(call, &post, channel, arguments.mode))
        .collect();
    post
}

fn new_target(call: &Call, post: &Post, channel: String, mode: PublishMode) -> Target {
    let status = match mode {
        PublishMode::Draft => TargetStatus::Draft,
        PublishMode::Schedule => TargetStatus::Scheduled,
        PublishMode::Now => TargetStatus::Publishing,
    };
    let target = Target::new(channel, status);
    if mode == PublishMode::Now && target.channel == FEED {
        return target.in_feed(post.feed_address(&call.context.public_url, call.brand_id()), call.now);
    }
    target
}

/// One job for each target that is not published yet.
fn jobs(call: &Call, post: &Post) -> Vec<Change> {
    let unpublished = post.targets.iter().filter(|target| target.is_queued());
    let due = post.scheduled_at.unwrap_or(call.now);
    let random = &mut call.context.entropy.clone();
    unpublished
        .map(|target| {
            Change::AddJob(publish_job(call.brand_id(), &post.post_id, &target.channel, due, random))
        })
        .collect()
}

/// Waits until every channel has accepted the post or its attempt has failed.
async fn published(call: Call, wait: JobWait, post_id: String) -> Option<CreatedPost> {
    call.wait_for(wait, ATTEMPT_TIMEOUT, move |records, brand| {
        let post_id = post_id.clone();
        async move {
            let post = records.post(&brand, &post_id).await.ok().flatten()?;
            (!has_open_attempt(&post)).then(|| created(post))
        }
    })
    .await
}
