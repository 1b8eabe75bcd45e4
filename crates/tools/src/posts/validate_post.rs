use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Fault, ToolAccess};

use super::post_arguments::{PostArguments, PostIssue};
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError};

#[derive(Debug)]
pub struct ValidatePost;

#[derive(Debug, Serialize, JsonSchema)]
pub struct PostValidation {
    /// True: `create_post` accepts the same arguments.
    valid: bool,
    issues: Vec<PostIssue>,
}

impl Tool for ValidatePost {
    type Arguments = PostArguments;
    type Output = PostValidation;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "validate_post",
        title: "Check a post",
        description: "Checks a post against the limits of its channels without storing or publishing anything. Takes \
            the same arguments as `create_post`. Returns `valid`, and for each problem the channel, a code \
            (`text_too_long`, `unknown_channel`, `schedule_in_past`, …), the limit and the actual value. Use it while \
            writing a post, until it fits every channel.",
        example: r#"{"text": "Hello from our team!", "channels": ["feed"]}"#,
    };

    fn check(arguments: &PostArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: PostArguments) -> Result<Outcome<PostValidation>, ToolError> {
        let profile = call.profile().await?;
        let issues = arguments.issues(&profile.channels_with_feed(), call.now);
        Ok(Outcome::new(PostValidation { valid: issues.is_empty(), issues }))
    }
}
