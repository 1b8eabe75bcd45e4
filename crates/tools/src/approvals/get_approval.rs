use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{ToolAccess, validate::repeated};

use super::view::ApprovalView;
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure};

#[derive(Debug)]
pub struct GetApproval;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// As given by the call that waits, or by `list_approvals`.
    #[schemars(length(min = 1, max = 64))]
    approval_id: String,
}

impl Tool for GetApproval {
    type Arguments = Arguments;
    type Output = ApprovalView;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "get_approval",
        title: "One approval",
        description: "Shows whether a person has decided on a call of yours that waits for approval. `pending`: not yet; ask \
            again after some minutes and do not repeat the call. `done`: it has run; `result` is what the tool \
            returned, `changes` what the approver changed. `failed`: approved, but the tool failed. `rejected`: \
            `reason` says why. `expired`, `cancelled`: it will not run.",
        example: r#"{"approval_id": "approval_4fT9aZ0kQw3LmN8xYb2C"}"#,
    };

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<ApprovalView>, ToolError> {
        let approval_id = &arguments.approval_id;
        let found = call.context.records.approval(call.brand_id(), approval_id, call.now).await?;
        // A key sees only its own.
        let own = found.filter(|approval| approval.key_id == call.caller.key_state.key_id);
        let approval = own.ok_or_else(|| {
            ToolFailure::new(
                "approval_not_found",
                format!("This key has no approval `{}`.", repeated(approval_id)),
                "Call list_approvals to see the calls that wait or waited for approval.",
            )
        })?;
        Ok(Outcome::new(approval.into()))
    }
}
