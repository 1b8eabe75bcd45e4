use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::BrandId;
use svc_mcp_tools::posts::PostVersion;

use super::{POST, edit::PersonEdit};
use crate::{
    app::App,
    http::{
        extract::{Input, Manager, PathIds, ValidatedQuery},
        operation::{Operation, Tag},
        problem::Problem,
    },
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

async fn delete_post(
    State(app): State<Arc<App>>,
    manager: Manager,
    PathIds((_, post_id)): PathIds<(BrandId, String)>,
    ValidatedQuery(query): ValidatedQuery<DeletePost>,
) -> Result<StatusCode, Problem> {
    let edit = PersonEdit { app: &app, manager: &manager, post_id: &post_id, action: "delete_post" };
    let arguments = PostVersion { post_id: post_id.clone(), expected_version: query.expected_version };
    edit.commit(|editor, post| editor.delete(post, &arguments)).await?;
    Ok(StatusCode::NO_CONTENT)
}
