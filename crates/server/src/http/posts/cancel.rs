use axum::Json;
use svc_mcp_tools::posts::{PostVersion, StoppedPost};

use super::{
    body::PostBody,
    edit::{OperatorEdit, PersonEdit},
};
use crate::http::{
    extract::OptionalJson,
    operation::{Operation, Tag},
    problem::Problem,
};

pub(crate) fn operation() -> Operation {
    Operation::post("/api/brands/{brand_id}/posts/{post_id}/cancel", cancel_post)
        .describe(Tag::Posts, "cancel_post", "Stop what has not gone out yet")
        .details(
            "Like the tool `cancel_post`: a draft is deleted, and scheduled channels are cancelled. By the person whose key created the post, or an administrator of the brand.",
        )
        .optional_body::<PostBody<PostVersion>>()
        .json::<StoppedPost>(200, "What was reached on each channel")
}

pub(crate) fn operator_operation() -> Operation {
    Operation::post("/api/admin/brands/{brand_id}/posts/{post_id}/cancel", operator_cancel_post)
        .describe(Tag::Operator, "operator_cancel_post", "Stop what has not gone out yet, of any brand")
        .optional_body::<PostBody<PostVersion>>()
        .json::<StoppedPost>(200, "What was reached on each channel")
}

async fn operator_cancel_post(
    OperatorEdit(edit): OperatorEdit,
    body: OptionalJson<PostBody<PostVersion>>,
) -> Result<Json<StoppedPost>, Problem> {
    cancel_post(edit, body).await
}

async fn cancel_post(
    edit: PersonEdit,
    OptionalJson(body): OptionalJson<PostBody<PostVersion>>,
) -> Result<Json<StoppedPost>, Problem> {
    let arguments = edit.arguments(body)?;
    let planned = edit.commit("cancel_post", |editor, post| editor.cancel(post, &arguments)).await?;
    Ok(Json(StoppedPost::cancelled(planned)))
}
