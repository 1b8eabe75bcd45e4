//! Stores a call instead of running it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use svc_mcp_access::{ApprovalRule, id};

use super::{Approval, ApprovalStatus, EXPIRES_AFTER, MAX_ARGUMENTS_BYTES, NewApproval, digest::digest};
use crate::{
    Change,
    tool::{Call, ToolFailure},
};

/// The result of a call that waits for approval.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct AwaitingApproval {
    pub(crate) status: AwaitingStatus,
    pub(crate) approval_id: String,
    /// Without a decision by then, the call does not run.
    pub(crate) expires_at: String,
    /// Call this tool with the `approval_id` to see the decision.
    pub(crate) poll_with: &'static str,
    /// What the call would return. Null: the tool cannot tell before it runs.
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub(crate) preview: Option<Value>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AwaitingStatus {
    AwaitingApproval,
}

/// Whether the changes of a call wait for approval.
pub(crate) fn needs_approval(rule: ApprovalRule, changes: &[Change]) -> bool {
    match rule {
        ApprovalRule::None => false,
        ApprovalRule::Outward => changes.iter().any(Change::is_outward),
        ApprovalRule::All => !changes.is_empty(),
    }
}

/// The approval to store, and the result of the call.
pub(crate) fn request_approval(
    call: &Call,
    tool: &str,
    arguments: &Value,
    preview: Option<Value>,
) -> Result<(NewApproval, AwaitingApproval), ToolFailure> {
    let size = arguments.to_string().len();
    if size > MAX_ARGUMENTS_BYTES {
        return Err(ToolFailure::new(
            "approval_too_large",
            format!(
                "Calls of this key wait for a person's approval, and such a call can have {MAX_ARGUMENTS_BYTES} bytes of \
                 arguments. This one has {size}. Nothing was done."
            ),
            "Send less at once.",
        ));
    }
    let random = &mut call.context.entropy.clone();
    let approval = Approval {
        approval_id: id::fresh("approval", random),
        key_id: call.caller.key_state.key_id.clone(),
        tool: tool.to_owned(),
        arguments: arguments.clone(),
        digest: digest(tool, arguments, preview.as_ref().unwrap_or(&Value::Null)),
        preview: preview.clone(),
        status: ApprovalStatus::Pending,
        requested_at: call.now,
        expires_at: call.now.plus(EXPIRES_AFTER),
        decision: None,
        result: None,
        failure: None,
    };
    let awaiting = AwaitingApproval {
        status: AwaitingStatus::AwaitingApproval,
        approval_id: approval.approval_id.clone(),
        expires_at: approval.expires_at.to_string(),
        poll_with: "get_approval",
        preview,
    };
    Ok((NewApproval { approval, notice_job_id: id::fresh("job", random) }, awaiting))
}
