use svc_mcp_access::ToolAccess;

use super::{
    edit::{PostEditor, PostVersion, StoppedPost},
    edit_call::edit_post,
};
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError};

#[derive(Debug)]
pub struct CancelPost;

impl Tool for CancelPost {
    type Arguments = PostVersion;
    type Output = StoppedPost;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: true, idempotent: true, open_world: false };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "cancel_post",
        title: "Cancel a post",
        description: "Stops what has not gone out yet: a draft is deleted, and channels that are scheduled or wait for another \
            attempt become `cancelled`. What is published, or is being published now, is left alone: use \
            `withdraw_post`.",
        example: r#"{"post_id": "post_4fT9aZ0kQw3LmN8xYb2C"}"#,
    };

    async fn run(&self, call: &Call, arguments: PostVersion) -> Result<Outcome<StoppedPost>, ToolError> {
        let plan = |editor: &PostEditor<'_>, post| editor.cancel(post, &arguments);
        edit_post(call, &arguments.post_id, plan, StoppedPost::cancelled).await
    }
}
