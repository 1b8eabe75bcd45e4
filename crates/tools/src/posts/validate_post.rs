use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Fault, ToolAccess};

use super::{
    edit::DRAFT_TIME_NOTE,
    media_check::{MediaFindings, check_media},
    post_arguments::{PostArguments, PostIssue, PublishMode},
};
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError};

#[derive(Debug)]
pub struct ValidatePost;

#[derive(Debug, Serialize, JsonSchema)]
pub struct PostValidation {
    /// True: `create_post` accepts the same arguments, also to publish.
    valid: bool,
    issues: Vec<PostIssue>,
    /// What to know although it is no issue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Tool for ValidatePost {
    type Arguments = PostArguments;
    type Output = PostValidation;

    const ACCESS: ToolAccess = ToolAccess::Read;
    /// The hosts of the pictures are asked.
    const HINTS: Hints = Hints { open_world: true, ..Hints::READ };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "validate_post",
        title: "Check a post",
        description: "Checks a post against the limits of its channels without storing anything, and looks whether its \
            pictures exist. Takes the arguments of `create_post`. Returns `valid`, and for each problem the channel, \
            a code (`text_too_long`, `unknown_channel`, `media_not_found`, …), the limit and the actual value.",
        example: r#"{"text": "Hello from our team!", "channels": ["feed"]}"#,
    };

    fn check(arguments: &PostArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: PostArguments) -> Result<Outcome<PostValidation>, ToolError> {
        let profile = call.profile().await?;
        let mut issues = arguments.issues(&profile.channels_with_feed(), &profile.brand.time_zone, call.now);
        let MediaFindings { issues: media_issues, mut notes } =
            check_media(&call.context.outbound, call.brand_id(), &arguments.media).await;
        issues.extend(media_issues);
        let has_draft_time = arguments.mode == PublishMode::Draft && arguments.scheduled_at.is_some();
        notes.extend(has_draft_time.then(|| DRAFT_TIME_NOTE.to_owned()));
        Ok(Outcome::new(PostValidation { valid: issues.is_empty(), issues, notes }))
    }
}
