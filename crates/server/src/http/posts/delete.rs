use http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_tools::posts::PostVersion;

use super::{
    OPERATOR_POST, POST,
    edit::{OperatorEdit, PersonEdit},
};
use crate::http::{
    extract::{Input, ValidatedQuery},
    operation::{Operation, Tag},
    problem::Problem,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeletePost {
    /// If the post has another version, it is not deleted
    #[schemars(range(min = 1))]
    expected_version: Option<u32>,
}

impl Input for DeletePost {}

pub(crate) fn operation() -> Operation {
    Operation::delete(POST, delete_post)
        .describe(Tag::Posts, "delete_post", "Delete a post that has not gone out")
        .details(
            "A draft, or a post whose channels are all scheduled, failed or cancelled. What is or was public stays as a \
             record. By the person whose key created the post, or an administrator of the brand.",
        )
        .query::<DeletePost>()
        .empty(204, "It is deleted")
}

pub(crate) fn operator_operation() -> Operation {
    Operation::delete(OPERATOR_POST, operator_delete_post)
        .describe(Tag::Operator, "operator_delete_post", "Delete a post of any brand that has not gone out")
        .query::<DeletePost>()
        .empty(204, "It is deleted")
}

async fn operator_delete_post(
    OperatorEdit(edit): OperatorEdit,
    query: ValidatedQuery<DeletePost>,
) -> Result<StatusCode, Problem> {
    delete_post(edit, query).await
}

async fn delete_post(
    edit: PersonEdit,
    ValidatedQuery(query): ValidatedQuery<DeletePost>,
) -> Result<StatusCode, Problem> {
    let arguments = PostVersion { post_id: edit.post_id.clone(), expected_version: query.expected_version };
    edit.commit("delete_post", |editor, post| editor.delete(post, &arguments)).await?;
    Ok(StatusCode::NO_CONTENT)
}
