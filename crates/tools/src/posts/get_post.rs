use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::ToolAccess;

use super::{edit::post_not_found, view::PostView};
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError};

#[derive(Debug)]
pub struct GetPost;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// As given by `create_post` or `list_posts`.
    #[schemars(length(min = 1, max = 64))]
    post_id: String,
}

impl Tool for GetPost {
    type Arguments = Arguments;
    type Output = PostView;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "get_post",
        title: "One post",
        description: "Returns one post by its `post_id`: its text and, for each channel, the status (draft, scheduled, \
            publishing, published, failed, uncertain, cancelled, withdrawing, withdrawn), the public address once it is \
            published, and the error if it failed. Use it to check a post you created.",
        example: r#"{"post_id": "post_4fT9aZ0kQw3LmN8xYb2C"}"#,
    };

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<PostView>, ToolError> {
        let post = call.context.records.post(call.brand_id(), &arguments.post_id).await?;
        let post = post.ok_or_else(|| post_not_found(&arguments.post_id))?;
        Ok(Outcome::new(post.into()))
    }
}
