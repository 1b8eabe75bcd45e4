use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Fault, Quota, StoreError, ToolAccess, id, idempotency::Fingerprint};

use super::{
    FEED, Post, Target, TargetStatus,
    channel::BrandChannel,
    edit::DRAFT_TIME_NOTE,
    edit_call::{ATTEMPT_TIMEOUT, has_open_attempt},
    media_check::check_media,
    new_post::NewPostView,
    post_arguments::{PostArguments, PostIssue, PublishMode},
    publish::{ChannelPreview, preview, publish_job},
};
use crate::{
    Change,
    jobs::JobWait,
    recent_call::{RecentCall, fingerprint},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure},
};

#[derive(Debug)]
pub struct CreatePost;

#[derive(Debug, Serialize, JsonSchema)]
pub struct CreatedPost {
    post: NewPostView,
    /// True: nothing was stored; this shows what would have happened.
    dry_run: bool,
    /// With `dry_run`, what would be sent to each channel. Otherwise empty.
    previews: Vec<ChannelPreview>,
    /// What to know about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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
        description: "Creates a post and returns it with its `post_id` and the state on each channel. By default (`mode: \
            draft`) nothing goes out, also if `scheduled_at` is given: `update_post` changes a draft, `publish_post` \
            publishes it. `mode: now` publishes at once, `mode: schedule` at `scheduled_at`. Published posts are \
            public: publish only when you were asked to. Every brand has the channel `feed`; `get_brand` lists the \
            others with their text limits. If the post does not fit a channel, or goes out with a picture that does \
            not exist, nothing is stored and the issues are listed. `dry_run: true` shows what would be sent. A \
            channel that cannot be reached is retried for about a day; call `get_post` later. With an \
            `idempotency_key` of your choice, a repeated call runs once in 24 hours.",
        example: r#"{"text": "Our new opening hours: 8 to 18, every day.", "channels": ["feed"], "title": "New hours"}"#,
    };

    fn check(arguments: &PostArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: PostArguments) -> Result<Outcome<CreatedPost>, ToolError> {
        let profile = call.profile().await?;
        let (channels, zone) = (profile.channels_with_feed(), &profile.brand.time_zone);
        let mut issues = arguments.issues(&channels, zone, call.now);
        let mut notes = Vec::new();
        // Pictures take time, and a post that does not fit is refused anyway.
        if issues.is_empty() {
            let found = check_media(&call.context.outbound, call.brand_id(), &arguments.media).await;
            if arguments.mode == PublishMode::Draft {
                notes.extend(found.into_notes());
            } else {
                issues = found.issues;
                notes = found.notes;
            }
        }
        if !issues.is_empty() {
            return Err(post_invalid(&issues).into());
        }
        let dry_run = arguments.dry_run;
        let post = new_post(call, arguments, zone);
        let is_draft = post.targets.iter().any(|target| target.status == TargetStatus::Draft);
        notes.extend((is_draft && post.scheduled_at.is_some()).then(|| DRAFT_TIME_NOTE.to_owned()));
        let fingerprint = fingerprint_of(&post);
        notes.extend(repeat_note(call, &fingerprint).await?);
        if dry_run {
            let previews = previews(call, &channels, &post);
            return Ok(Outcome::new(CreatedPost {
                post: NewPostView::planned(post),
                dry_run,
                previews,
                notes,
            }));
        }
        let remembered = RecentCall { fingerprint, record_id: post.post_id.clone(), at: call.now };
        let mut changes = vec![Change::AddPost(post.clone()), Change::RecentCall(remembered)];
        changes.extend(jobs(call, &post));
        let is_publishing = post.targets.iter().any(|target| target.status == TargetStatus::Publishing);
        let post_id = post.post_id.clone();
        let outcome = Outcome::new(created(post, notes.clone())).with_changes(changes);
        // If too many calls of the brand wait already, the result shows the post as it was stored.
        let max_waits = profile.plan.quotas.limit(Quota::ConcurrentWaits);
        let wait = if is_publishing { call.begin_wait(&post_id, max_waits) } else { None };
        Ok(match wait {
            Some(wait) => outcome.with_follow_up(published(call.clone(), wait, post_id, notes)),
            None => outcome,
        })
    }
}

fn created(post: Post, notes: Vec<String>) -> CreatedPost {
    CreatedPost { post: NewPostView::stored(post), dry_run: false, previews: Vec::new(), notes }
}

/// Of what the post says, where it goes, and when. A dry run has the same.
fn fingerprint_of(post: &Post) -> Fingerprint {
    let targets: Vec<_> = post.targets.iter().map(|target| (&target.channel, target.status)).collect();
    fingerprint(
        "create_post",
        &(&post.text, &post.title, &post.link, &post.media, post.scheduled_at, targets),
    )
}

/// Tells that an equal post was created shortly before, unless it was stopped since.
async fn repeat_note(call: &Call, fingerprint: &Fingerprint) -> Result<Option<String>, StoreError> {
    let Some(recent) = call.recent_equal(fingerprint).await? else { return Ok(None) };
    let earlier = call.context.records.post(call.brand_id(), &recent.record_id).await?;
    let is_stopped =
        |target: &Target| matches!(target.status, TargetStatus::Cancelled | TargetStatus::Withdrawn);
    if earlier.is_none_or(|post| post.targets.iter().all(is_stopped)) {
        return Ok(None);
    }
    Ok(Some(format!(
        "The same post was created at {}: `{}`. If you wanted only one, stop the other with cancel_post or withdraw_post. \
         With the same `idempotency_key`, a repeated call creates nothing.",
        recent.at, recent.record_id
    )))
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

fn new_post(call: &Call, arguments: PostArguments, zone: &str) -> Post {
    let mut post = Post {
        targets: Vec::new(),
        scheduled_at: arguments.schedule(zone),
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
async fn published(call: Call, wait: JobWait, post_id: String, notes: Vec<String>) -> Option<CreatedPost> {
    call.wait_for(wait, ATTEMPT_TIMEOUT, move |records, brand| {
        let (post_id, notes) = (post_id.clone(), notes.clone());
        async move {
            let post = records.post(&brand, &post_id).await.ok().flatten()?;
            (!has_open_attempt(&post)).then(|| created(post, notes))
        }
    })
    .await
}
