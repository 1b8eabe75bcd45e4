use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::BrandId;
use svc_mcp_tools::posts::{EditedPost, UpdateArguments};

use super::{POST, body::PostBody, edit::PersonEdit};
use crate::{
    app::App,
    http::{
        extract::{Manager, PathIds, ValidatedJson},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::patch(POST, patch_post)
        .describe(Tag::Posts, "patch_post", "Change a draft or a scheduled post")
        .details("Like the tool `update_post`. By the person whose key created the post, or an administrator of the brand.")
        .body::<PostBody<UpdateArguments>>()
        .json::<EditedPost>(200, "The post after the change")
}

async fn patch_post(
    State(app): State<Arc<App>>,
    manager: Manager,
    PathIds((_, post_id)): PathIds<(BrandId, String)>,
    ValidatedJson(body): ValidatedJson<PostBody<UpdateArguments>>,
) -> Result<Json<EditedPost>, Problem> {
    let edit = PersonEdit { app: &app, manager: &manager, post_id: &post_id, action: "update_post" };
    let arguments = edit.arguments(body)?;
    let planned = edit.commit(|editor, post| editor.update(post, arguments.clone())).await?;
    Ok(Json(EditedPost::new(planned)))
}
