use svc_mcp_access::{Fault, ToolAccess};

use super::{
    edit::{EditedPost, PostEditor, PublishArguments},
    edit_call::edit_post,
};
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError};

#[derive(Debug)]
pub struct PublishPost;

impl Tool for PublishPost {
    type Arguments = PublishArguments;
    type Output = EditedPost;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: false, open_world: true };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "publish_post",
        title: "Publish a post",
        description: "Publishes a draft, or tries the failed channels of a post again: at once, or at `scheduled_at`. \
            Published posts are public: use it only when you were asked to publish. Channels on which the post is \
            published, scheduled or cancelled are left alone. Returns the post with the state on each channel; a \
            channel that cannot be reached is retried for about a day.",
        example: r#"{"post_id": "post_4fT9aZ0kQw3LmN8xYb2C", "scheduled_at": "2027-01-31T09:00:00Z"}"#,
    };

    fn check(arguments: &PublishArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: PublishArguments) -> Result<Outcome<EditedPost>, ToolError> {
        let plan = |editor: &PostEditor<'_>, post| editor.publish(post, &arguments);
        edit_post(call, &arguments.post_id, plan, EditedPost::new).await
    }
}
