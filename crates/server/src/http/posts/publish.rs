use axum::Json;
use svc_mcp_tools::posts::{EditedPost, PublishArguments};

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
    Operation::post("/api/brands/{brand_id}/posts/{post_id}/publish", publish_post)
        .describe(Tag::Posts, "publish_post", "Publish a draft, or the failed channels of a post")
        .details(
            "Like the tool `publish_post`, but it does not wait for the channels. By the person whose key created the post, \
             or an administrator of the brand.",
        )
        .optional_body::<PostBody<PublishArguments>>()
        .json::<EditedPost>(200, "The post")
}

pub(crate) fn operator_operation() -> Operation {
    Operation::post("/api/admin/brands/{brand_id}/posts/{post_id}/publish", operator_publish_post)
        .describe(
            Tag::Operator,
            "operator_publish_post",
            "Publish a draft, or the failed channels of a post, of any brand",
        )
        .optional_body::<PostBody<PublishArguments>>()
        .json::<EditedPost>(200, "The post")
}

async fn operator_publish_post(
    OperatorEdit(edit): OperatorEdit,
    body: OptionalJson<PostBody<PublishArguments>>,
) -> Result<Json<EditedPost>, Problem> {
    publish_post(edit, body).await
}

async fn publish_post(
    edit: PersonEdit,
    OptionalJson(body): OptionalJson<PostBody<PublishArguments>>,
) -> Result<Json<EditedPost>, Problem> {
    let arguments = edit.arguments(body)?;
    let planned = edit.commit("publish_post", |editor, post| editor.publish(post, &arguments)).await?;
    Ok(Json(EditedPost::new(planned)))
}
