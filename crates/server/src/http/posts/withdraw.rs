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
    Operation::post("/api/brands/{brand_id}/posts/{post_id}/withdraw", withdraw_post)
        .describe(Tag::Posts, "withdraw_post", "Take back what is public")
        .details(
            "Like the tool `withdraw_post`, but it does not wait for the channels. By the person whose key created the post, or an administrator of the brand.",
        )
        .optional_body::<PostBody<PostVersion>>()
        .json::<StoppedPost>(200, "What was reached on each channel")
}

pub(crate) fn operator_operation() -> Operation {
    Operation::post("/api/admin/brands/{brand_id}/posts/{post_id}/withdraw", operator_withdraw_post)
        .describe(Tag::Operator, "operator_withdraw_post", "Take back what is public, of any brand")
        .optional_body::<PostBody<PostVersion>>()
        .json::<StoppedPost>(200, "What was reached on each channel")
}

async fn operator_withdraw_post(
    OperatorEdit(edit): OperatorEdit,
    body: OptionalJson<PostBody<PostVersion>>,
) -> Result<Json<StoppedPost>, Problem> {
    withdraw_post(edit, body).await
}

async fn withdraw_post(
    edit: PersonEdit,
    OptionalJson(body): OptionalJson<PostBody<PostVersion>>,
) -> Result<Json<StoppedPost>, Problem> {
    let arguments = edit.arguments(body)?;
    let planned = edit.commit("withdraw_post", |editor, post| editor.withdraw(post, &arguments)).await?;
    Ok(Json(StoppedPost::withdrawn(planned)))
}
