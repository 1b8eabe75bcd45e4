//! What all changes by people have in common.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use svc_mcp_access::{BrandId, UserId};
use svc_mcp_store::ToolRecords;
use svc_mcp_tools::{
    Change, Records,
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
        extract::{Manager, Operator, PathIds},
        problem::{Code, Problem},
    },
};

/// How often a change is planned if the post keeps changing before the commit.
const MAX_RUNS: u32 = 3;

/// A person who changes the post in the path.
pub(super) struct PersonEdit {
    app: Arc<App>,
    editor: Editor,
    pub(super) post_id: String,
}

/// Who changes it.
struct Editor {
    brand_id: BrandId,
    user_id: UserId,
    may_change_all: bool,
    records: ToolRecords,
}

/// The operator, who changes a post of any brand.
pub(super) struct OperatorEdit(pub(super) PersonEdit);

impl FromRequestParts<Arc<App>> for OperatorEdit {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let operator = Operator::from_request_parts(parts, app).await?;
        let PathIds((brand_id, post_id)) =
            PathIds::<(BrandId, String)>::from_request_parts(parts, app).await?;
        let records = operator.records(app);
        let editor = Editor { brand_id, user_id: operator.user_id, may_change_all: true, records };
        Ok(Self(PersonEdit { app: Arc::clone(app), editor, post_id }))
    }
}

impl FromRequestParts<Arc<App>> for PersonEdit {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let manager = Manager::from_request_parts(parts, app).await?;
        let PathIds((_, post_id)) = PathIds::<(BrandId, String)>::from_request_parts(parts, app).await?;
        let may_change_all = manager.is_admin();
        let records = manager.records(app);
        let editor = Editor { brand_id: manager.brand_id, user_id: manager.user_id, may_change_all, records };
        Ok(Self { app: Arc::clone(app), editor, post_id })
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
        let Self { app, editor, post_id } = self;
        let brand = &editor.brand_id;
        for _ in 0..MAX_RUNS {
            let post = find_post(app, brand, post_id).await?;
            check_owner(app, editor, &post).await?;
            let records = &editor.records;
            let event = Change::PostEvent(PostEvent {
                event_id: app.fresh_event_id(),
                actor: editor.user_id.clone(),
                key_id: post.created_by_key.clone(),
                post_id: post.post_id.clone(),
                action,
            });
            let profile = app.context.records.profile(brand).await?;
            let channels = profile.channels_with_feed();
            let now = app.clock.now();
            let editor = PostEditor {
                brand_id: brand,
                channels: &channels,
                public_url: &app.public_url,
                time_zone: &profile.brand.time_zone,
                now,
                entropy: app.entropy.clone(),
            };
            let mut planned = plan(&editor, post).map_err(problem)?;
            planned.check_media(&app.context.outbound, brand).await.map_err(problem)?;
            let mut changes = std::mem::take(&mut planned.changes);
            if changes.is_empty() {
                return Ok(planned);
            }
            changes.push(event);
            match records.commit(brand, &changes, None, now).await {
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

/// Members change the posts of their own keys, administrators and operators all posts.
async fn check_owner(app: &App, editor: &Editor, post: &Post) -> Result<(), Problem> {
    if editor.may_change_all {
        return Ok(());
    }
    let key = app.store.key(&editor.brand_id, &post.created_by_key).await?;
    if key.is_some_and(|key| key.created_by == editor.user_id) {
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
    Problem::of_failure(code, failure)
}
