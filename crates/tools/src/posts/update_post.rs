use svc_mcp_access::{Fault, ToolAccess};

use super::{
    edit::{EditedPost, UpdateArguments},
    edit_call::edit_post,
};
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError};

#[derive(Debug)]
pub struct UpdatePost;

impl Tool for UpdatePost {
    type Arguments = UpdateArguments;
    type Output = EditedPost;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: true, open_world: true };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "update_post",
        title: "Change a post",
        description: "Changes a draft or a scheduled post. Fields that you leave out stay as they are; an empty text or list \
            removes one; `channels` and `media` replace the whole list. Nothing is stored if a post that goes out \
            does not fit. A draft stays a draft (use `publish_post`). Published text is not edited. With \
            `expected_version`, the call fails with `post_changed` if somebody changed the post since you read it.",
        example: r#"{"post_id": "post_4fT9aZ0kQw3LmN8xYb2C", "text": "Our new opening hours: 7 to 18.", "expected_version": 1}"#,
    };

    fn check(arguments: &UpdateArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: UpdateArguments) -> Result<Outcome<EditedPost>, ToolError> {
        let post_id = arguments.post_id.clone();
        edit_post(call, &post_id, |editor, post| editor.update(post, arguments), EditedPost::new).await
    }
}
