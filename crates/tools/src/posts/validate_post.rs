use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Fault, ToolAccess};

use super::{
    channel::channels_of,
    draft::{Draft, Issue},
};
use crate::tool::{Call, Hints, Outcome, Stopped, Tool, Words};

#[derive(Debug)]
pub struct ValidatePost;

#[derive(Debug, Serialize, JsonSchema)]
pub struct Verdict {
    /// True: `create_post` with the same arguments would work.
    valid: bool,
    issues: Vec<Issue>,
}

impl Tool for ValidatePost {
    type Arguments = Draft;
    type Output = Verdict;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const WORDS: Words = Words {
        name: "validate_post",
        title: "Check a post",
        description: "Checks a post against the limits of the channels it is meant for, without storing or publishing \
            anything. Takes the same arguments as `create_post`. Returns `valid`, and for each problem the channel, a \
            code (`text_too_long`, `unknown_channel`, `schedule_in_past`, …), the limit and the actual value. Use it \
            while wording a post, until it fits everywhere.",
        example: r#"{"text": "Hello from our team!", "channels": ["feed"]}"#,
    };

    fn check(draft: &Draft) -> Vec<Fault> {
        draft.faults()
    }

    async fn run(&self, call: &Call, draft: Draft) -> Result<Outcome<Verdict>, Stopped> {
        let profile = call.profile().await?;
        let issues = draft.issues(&channels_of(&profile), call.now);
        Ok(Outcome::of(Verdict { valid: issues.is_empty(), issues }))
    }
}
