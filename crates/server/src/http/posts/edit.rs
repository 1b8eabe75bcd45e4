//! What all changes by people have in common.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use svc_mcp_access::{BrandId, QuotaReached, Timestamp};
use svc_mcp_tools::{
    Change,
    posts::{PlannedEdit, Post, PostEditor, PostEvent},
    records::CommitError,
    tool::ToolFailure,
};

use super::{
    body::{EditArguments, PostBody},
    find_post,
};
use crate::{
    app::App,
    http::{
        extract::{Manager, PathIds},
        problem::{Code, Problem},
    },
};

/// How often a change is planned if the post keeps changing before the commit.
const MAX_RUNS: u32 = 3;

/// A person who changes the post in the path.
pub(super) struct PersonEdit {
    app: Arc<App>,
    manager: Manager,
    pub(super) post_id: String,
}

impl FromRequestParts<Arc<App>> for PersonEdit {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let manager = Manager::from_request_parts(parts, app).await?;
        let PathIds((_, post_id)) = PathIds::<(BrandId, String)>::from_request_parts(parts, app).await?;
        Ok(Self { app: Arc::clone(app), manager, post_id })
    }
}

impl PersonEdit {
    /// The arguments in the body, with the id in the path.
    pub(super) fn arguments<T: EditArguments>(&self, body: PostBody<T>) -> Result<T, Problem> {
        body.arguments(&self.post_id).map_err(Problem::invalid_request)
    }

    /// Plans the change and commits it with its activity record. `action` is the name of the tool that does the same.
    pub(super) async fn commit(
        &self,
        action: &'static str,
        plan: impl Fn(&PostEditor<'_>, Post) -> Result<PlannedEdit, ToolFailure>,
    ) -> Result<PlannedEdit, Problem> {
        let Self { app, manager, post_id } = self;
        for _ in 0..MAX_RUNS {
            let post = find_post(app, manager, post_id).await?;
            check_owner(app, manager, &post).await?;
            let event = Change::PostEvent(PostEvent {
                event_id: app.fresh_event_id(),
                actor: manager.user_id.clone(),
                key_id: post.created_by_key.clone(),
                post_id: post.post_id.clone(),
                action,
            });
            let profile = app.context.records.profile(&manager.brand_id).await?;
            let channels = profile.channels_with_feed();
            let now = app.clock.now();
            let editor = PostEditor {
                brand_id: &manager.brand_id,
                channels: &channels,
                public_url: &app.public_url,
                now,
                entropy: app.entropy.clone(),
            };
            let mut planned = plan(&editor, post).map_err(problem)?;
            let mut changes = std::mem::take(&mut planned.changes);
            if changes.is_empty() {
                return Ok(planned);
            }
            changes.push(event);
            match app.context.records.commit(&manager.brand_id, &changes, None, now).await {
                Ok(()) => return Ok(planned),
                Err(CommitError::Changed) => {}
                Err(CommitError::Refused(failure)) => return Err(problem(failure)),
                Err(CommitError::Store(error)) => return Err(error.into()),
                // A person has no claim and no key.
                Err(CommitError::ClaimLost | CommitError::Denied(_)) => return Err(Problem::internal()),
            }
        }
        Err(problem(ToolFailure::changed_meanwhile()))
    }
}

/// Members change the posts of their own keys, administrators all posts.
async fn check_owner(app: &App, manager: &Manager, post: &Post) -> Result<(), Problem> {
    if manager.is_admin() {
        return Ok(());
    }
    let key = app.store.key(&manager.brand_id, &post.created_by_key).await?;
    if key.is_some_and(|key| manager.is_creator(&key)) {
        return Ok(());
    }
    Err(Problem::new(
        Code::NotKeyCreator,
        "Only the person whose key created the post or an administrator of the brand can change it. Ask one of them.",
    ))
}

/// The failures of the tools as people see them.
fn problem(failure: ToolFailure) -> Problem {
    let code = match failure.code {
        "post_invalid" => Code::PostInvalid,
        "post_changed" => Code::PostChanged,
        "quota_reached" => Code::QuotaReached,
        _ => Code::PostState,
    };
    let reached = failure.quota.and_then(|quota| {
        let frees_at: Option<Timestamp> = quota.frees_at.and_then(|at| at.parse().ok());
        let (limit, used) = (quota.limit, quota.used);
        Some(QuotaReached { quota: quota.quota.parse().ok()?, limit, used, frees_at })
    });
    let problem = Problem::new(code, failure.message);
    match reached {
        Some(reached) => problem.with_quota(reached),
        None => problem,
    }
}
