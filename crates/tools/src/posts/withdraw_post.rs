use svc_mcp_access::ToolAccess;

use super::{
    edit::{PostEditor, PostVersion, StoppedPost},
    edit_call::edit_post,
};
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError};

#[derive(Debug)]
pub struct WithdrawPost;

impl Tool for WithdrawPost {
    type Arguments = PostVersion;
    type Output = StoppedPost;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: true, idempotent: true, open_world: true };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "withdraw_post",
        title: "Withdraw a post",
        description: "Takes back what is public: removes the post from the feed, Mastodon and Bluesky, and sends a webhook the \
            event `post.withdrawn`. This cannot be undone: use it only when you were asked to. `targets` says for \
            each channel: `withdrawn`, `withdrawing` (retried; call `get_post` later), or still `published` with the \
            reason. For what has not gone out yet use `cancel_post`.",
        example: r#"{"post_id": "post_4fT9aZ0kQw3LmN8xYb2C"}"#,
    };

    async fn run(&self, call: &Call, arguments: PostVersion) -> Result<Outcome<StoppedPost>, ToolError> {
        let plan = |editor: &PostEditor<'_>, post| editor.withdraw(post, &arguments);
        edit_post(call, &arguments.post_id, plan, StoppedPost::withdrawn).await
    }
}
