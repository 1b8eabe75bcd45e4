use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Fault, ToolAccess, id};

use super::{
    FEED, Post, Target, TargetStatus,
    channel::channels_of,
    draft::{Draft, Issue, Mode},
    view::PostView,
};
use crate::{
    Change,
    tool::{Call, Failure, Hints, Outcome, Stopped, Tool, Words},
};

#[derive(Debug)]
pub struct CreatePost;

#[derive(Debug, Serialize, JsonSchema)]
pub struct Created {
    post: PostView,
    /// True: this only shows what would have happened.
    dry_run: bool,
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
            publish. Every brand has the channel `feed`, its public Atom and JSON feed. If the text does not fit a \
            channel, nothing is stored and the issues are listed; `validate_post` or `dry_run: true` tells \
            beforehand. To try again after a broken connection, send the same `Idempotency-Key`: the post is created \
            once.",
        example: r#"{"text": "Our new opening hours: 8 to 18, every day.", "channels": ["feed"], "title": "New hours"}"#,
    };

    fn check(draft: &Draft) -> Vec<Fault> {
        draft.faults()
    }

    async fn run(&self, call: &Call, draft: Draft) -> Result<Outcome<Created>, Stopped> {
        let profile = call.profile().await?;
        let issues = draft.issues(&channels_of(&profile), call.now);
        if !issues.is_empty() {
            return Err(refused(&issues).into());
        }
        let dry_run = draft.dry_run;
        let post = written(call, draft);
        let changes = if dry_run { Vec::new() } else { vec![Change::AddPost(post.clone())] };
        Ok(Outcome::of(Created { post: post.into(), dry_run }).changing(changes))
    }
}

fn refused(issues: &[Issue]) -> Failure {
    let all: Vec<&str> = issues.iter().map(|issue| issue.message.as_str()).collect();
    Failure::new(
        "post_invalid",
        format!("The post was not created. {}", all.join(" ")),
        "Mend what is listed and call create_post again; validate_post checks without creating.",
    )
}

fn written(call: &Call, draft: Draft) -> Post {
    let post_id = id::fresh("post", &mut call.entropy.clone());
    let target = |channel: String| target_of(call, &post_id, channel, draft.mode);
    Post {
        targets: draft.channels.iter().cloned().map(target).collect(),
        scheduled_at: draft.schedule(),
        post_id,
        text: draft.text,
        title: draft.title,
        link: draft.link,
        media: draft.media,
        created_at: call.now,
        created_by_key: call.caller.standing.key_id.clone(),
    }
}

/// The feed is the service's own: what is stored as published is in it at once.
fn target_of(call: &Call, post_id: &str, channel: String, mode: Mode) -> Target {
    let published = mode == Mode::Now && channel == FEED;
    Target {
        status: match mode {
            Mode::Draft => TargetStatus::Draft,
            Mode::Schedule => TargetStatus::Scheduled,
            Mode::Now => TargetStatus::Published,
        },
        url: published.then(|| format!("{}/feeds/{}/posts/{post_id}", call.public_url, call.brand_id())),
        error: None,
        attempts: u32::from(published),
        published_at: published.then_some(call.now),
        channel,
    }
}
