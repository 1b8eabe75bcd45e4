use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Fault, ToolAccess, id};

use super::{
    FEED, Post, Target, TargetStatus,
    channel::{BrandChannel, channels_of},
    draft::{Draft, Issue, Mode},
    publish::{Preview, job_of, preview},
    view::PostView,
};
use crate::{
    Change,
    tool::{Call, Failure, Hints, Outcome, Stopped, Tool, Words},
};

/// A post that goes out now is waited for so long, so that the answer can say what became of it.
const PATIENCE: Duration = Duration::from_secs(8);

#[derive(Debug)]
pub struct CreatePost;

#[derive(Debug, Serialize, JsonSchema)]
pub struct Created {
    post: PostView,
    /// True: this only shows what would have happened.
    dry_run: bool,
    /// With `dry_run`, what each channel would be sent. Empty otherwise.
    previews: Vec<Preview>,
}

impl Tool for CreatePost {
    type Arguments = Draft;
    type Output = Created;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: false, open_world: true };
    const WORDS: Words = Words {
        name: "create_post",
        title: "Create a post",
        description: "Creates a post for one or more of the brand's channels and returns it with its `post_id` and the \
            state on each channel. By default (`mode: draft`) nothing is published. `mode: now` publishes at once and \
            `mode: schedule` at `scheduled_at`; published posts are public, so use them only when you were asked to \
            publish. Every brand has the channel `feed`, its public Atom and JSON feed; `get_brand` lists the others \
            (webhooks, Mastodon, Bluesky) with how much text each takes. If the text does not fit a channel, nothing is \
            stored and the issues are listed; `validate_post` tells beforehand, and `dry_run: true` shows what each \
            channel would be sent. A channel that cannot be reached is tried again for about a day: a target that is \
            still `publishing` says in `error` why and in `next_attempt_at` when; ask `get_post` later. To try again \
            after a broken connection, send the same `Idempotency-Key`: the post is created once.",
        example: r#"{"text": "Our new opening hours: 8 to 18, every day.", "channels": ["feed"], "title": "New hours"}"#,
    };

    fn check(draft: &Draft) -> Vec<Fault> {
        draft.faults()
    }

    async fn run(&self, call: &Call, draft: Draft) -> Result<Outcome<Created>, Stopped> {
        let profile = call.profile().await?;
        let channels = channels_of(&profile);
        let issues = draft.issues(&channels, call.now);
        if !issues.is_empty() {
            return Err(refused(&issues).into());
        }
        let dry_run = draft.dry_run;
        let post = written(call, draft);
        if dry_run {
            let previews = previews(call, &channels, &post);
            return Ok(Outcome::of(Created { post: post.into(), dry_run, previews }));
        }
        let mut changes = vec![Change::AddPost(post.clone())];
        changes.extend(jobs(call, &post));
        let goes_out_now = post.targets.iter().any(|target| target.status == TargetStatus::Publishing);
        let post_id = post.post_id.clone();
        let outcome = Outcome::of(created(post)).changing(changes);
        if goes_out_now { Ok(outcome.then(became(call.clone(), post_id))) } else { Ok(outcome) }
    }
}

fn created(post: Post) -> Created {
    Created { post: post.into(), dry_run: false, previews: Vec::new() }
}

fn refused(issues: &[Issue]) -> Failure {
    let all: Vec<&str> = issues.iter().map(|issue| issue.message.as_str()).collect();
    Failure::new(
        "post_invalid",
        format!("The post was not created. {}", all.join(" ")),
        "Mend what is listed and call create_post again; validate_post checks without creating.",
    )
}

fn previews(call: &Call, channels: &[BrandChannel], post: &Post) -> Vec<Preview> {
    let meant = |channel: &&BrandChannel| post.targets.iter().any(|target| channel.named(&target.channel));
    channels.iter().filter(meant).map(|channel| preview(call.brand_id(), channel, post)).collect()
}

fn written(call: &Call, draft: Draft) -> Post {
    let mut post = Post {
        targets: Vec::new(),
        scheduled_at: draft.schedule(),
        post_id: id::fresh("post", &mut call.means.entropy.clone()),
        text: draft.text,
        title: draft.title,
        link: draft.link,
        media: draft.media,
        created_at: call.now,
        created_by_key: call.caller.standing.key_id.clone(),
    };
    post.targets =
        draft.channels.into_iter().map(|channel| target_of(call, &post, channel, draft.mode)).collect();
    post
}

fn target_of(call: &Call, post: &Post, channel: String, mode: Mode) -> Target {
    // The feed is the service's own: what is stored as published is in it at once.
    let published = mode == Mode::Now && channel == FEED;
    Target {
        status: match mode {
            Mode::Draft => TargetStatus::Draft,
            Mode::Schedule => TargetStatus::Scheduled,
            Mode::Now if published => TargetStatus::Published,
            Mode::Now => TargetStatus::Publishing,
        },
        url: published.then(|| post.feed_address(&call.means.public_url, call.brand_id())),
        error: None,
        attempts: u32::from(published),
        next_attempt_at: None,
        published_at: published.then_some(call.now),
        channel,
    }
}

/// One for each target that is to be published and is not yet.
fn jobs(call: &Call, post: &Post) -> Vec<Change> {
    let open = post
        .targets
        .iter()
        .filter(|target| matches!(target.status, TargetStatus::Scheduled | TargetStatus::Publishing));
    let due = post.scheduled_at.unwrap_or(call.now);
    let random = &mut call.means.entropy.clone();
    open.map(|target| Change::AddJob(job_of(call.brand_id(), &post.post_id, &target.channel, due, random)))
        .collect()
}

/// The post once every channel has taken it, or has said why not.
async fn became(call: Call, post_id: String) -> Option<Created> {
    let under_way =
        |target: &Target| target.status == TargetStatus::Publishing && target.next_attempt_at.is_none();
    call.wait_for(PATIENCE, move |records, brand| {
        let post_id = post_id.clone();
        async move {
            let post = records.post(&brand, &post_id).await.ok().flatten()?;
            (!post.targets.iter().any(under_way)).then(|| created(post))
        }
    })
    .await
}
