use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::ToolAccess;

use super::{edit::post_not_found, post_arguments::MAX_TEXT_CHARS, view::PostView};
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError};

#[derive(Debug)]
pub struct GetPost;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// From `create_post` or `list_posts`.
    #[schemars(length(min = 1, max = 64))]
    post_id: String,
    /// Skips this many characters. For the rest of a text that was cut because it is too long for one result.
    #[serde(default)]
    #[schemars(range(max = MAX_TEXT_CHARS))]
    text_from: usize,
}

impl Tool for GetPost {
    type Arguments = Arguments;
    type Output = PostView;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "get_post",
        title: "One post",
        description: "Returns one post: its text and, for each channel, the status, the public address once it is published, \
            and the error if it failed.",
        example: r#"{"post_id": "post_4fT9aZ0kQw3LmN8xYb2C"}"#,
    };

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<PostView>, ToolError> {
        let Arguments { post_id, text_from } = arguments;
        let post = call.context.records.post(call.brand_id(), &post_id).await?;
        let mut post: PostView = post.ok_or_else(|| post_not_found(&post_id))?.into();
        if text_from > 0 {
            post.text = post.text.chars().skip(text_from).collect();
        }
        Ok(Outcome::new(post))
    }
}
