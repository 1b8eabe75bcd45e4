use axum::Json;
use svc_mcp_tools::posts::{EditedPost, UpdateArguments};

use super::{
    OPERATOR_POST, POST,
    body::PostBody,
    edit::{OperatorEdit, PersonEdit},
};
use crate::http::{
    extract::ValidatedJson,
    operation::{Operation, Tag},
    problem::Problem,
};

pub(crate) fn operation() -> Operation {
    Operation::patch(POST, patch_post)
        .describe(Tag::Posts, "patch_post", "Change a draft or a scheduled post")
        .details("Like the tool `update_post`. By the person whose key created the post, or an administrator of the brand.")
        .body::<PostBody<UpdateArguments>>()
        .json::<EditedPost>(200, "The post after the change")
}

pub(crate) fn operator_operation() -> Operation {
    Operation::patch(OPERATOR_POST, operator_patch_post)
        .describe(Tag::Operator, "operator_patch_post", "Change a draft or a scheduled post of any brand")
        .body::<PostBody<UpdateArguments>>()
        .json::<EditedPost>(200, "The post")
}

async fn operator_patch_post(
    OperatorEdit(edit): OperatorEdit,
    body: ValidatedJson<PostBody<UpdateArguments>>,
) -> Result<Json<EditedPost>, Problem> {
    patch_post(edit, body).await
}

async fn patch_post(
    edit: PersonEdit,
    ValidatedJson(body): ValidatedJson<PostBody<UpdateArguments>>,
) -> Result<Json<EditedPost>, Problem> {
    let arguments = edit.arguments(body)?;
    let planned = edit.commit("update_post", |editor, post| editor.update(post, arguments.clone())).await?;
    Ok(Json(EditedPost::new(planned)))
}
