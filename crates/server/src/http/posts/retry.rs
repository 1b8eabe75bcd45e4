use axum::Json;
use svc_mcp_tools::posts::{EditedPost, PostVersion};

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
    Operation::post("/api/brands/{brand_id}/posts/{post_id}/retry", retry_post)
        .describe(Tag::Posts, "retry_post", "Publish the failed channels of a post again")
        .details(
            "At once. It does not wait for the channels. By the person whose key created the post, or an administrator of the brand.",
        )
        .optional_body::<PostBody<PostVersion>>()
        .json::<EditedPost>(200, "The post")
}

pub(crate) fn operator_operation() -> Operation {
    Operation::post("/api/admin/brands/{brand_id}/posts/{post_id}/retry", operator_retry_post)
        .describe(
            Tag::Operator,
            "operator_retry_post",
            "Publish the failed channels of a post again, of any brand",
        )
        .optional_body::<PostBody<PostVersion>>()
        .json::<EditedPost>(200, "The post")
}

async fn operator_retry_post(
    OperatorEdit(edit): OperatorEdit,
    body: OptionalJson<PostBody<PostVersion>>,
) -> Result<Json<EditedPost>, Problem> {
    retry_post(edit, body).await
}

async fn retry_post(
    edit: PersonEdit,
    OptionalJson(body): OptionalJson<PostBody<PostVersion>>,
) -> Result<Json<EditedPost>, Problem> {
    let arguments = edit.arguments(body)?;
    let planned = edit.commit("retry_post", |editor, post| editor.retry(post, &arguments)).await?;
    Ok(Json(EditedPost::new(planned)))
}
