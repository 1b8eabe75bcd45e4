use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use svc_mcp_tools::{
    approvals::{Approval, ApprovalStatus, ArgumentChange, PlannedApproval},
    tool::ToolFailure,
};

use crate::http::extract::schemas::{AnyObject, Time};

/// A call that waits for approval, or waited for it
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Approval")]
pub(super) struct ManagedApproval {
    #[schemars(example = &"approval_4fT9aZ0kQw3LmN8xYb2C")]
    approval_id: String,
    /// The key that made the call
    key_id: String,
    /// The tool that was called
    #[schemars(example = &"create_post")]
    tool: String,
    /// As the agent sent them
    #[schemars(with = "AnyObject")]
    arguments: Value,
    status: ApprovalStatus,
    #[schemars(with = "Time")]
    requested_at: String,
    /// Without a decision by then, the call does not run
    #[schemars(with = "Time")]
    expires_at: String,
    /// What the call would return. For one pending approval, as of now; in a list, as of the call. Null: the tool cannot tell
    /// before it runs, or the call would fail
    #[schemars(with = "Option<AnyObject>")]
    preview: Option<Value>,
    /// Of the tool, the arguments and the preview. To approve, send it back: it says what you have seen
    digest: String,
    /// Why the call would fail now; only for one pending approval
    problem: Option<ToolFailure>,
    #[schemars(with = "Option<Time>")]
    decided_at: Option<String>,
    /// The user who approved or rejected it, or who took the access of the key away
    decided_by: Option<String>,
    /// The note of the approver
    note: Option<String>,
    /// Why it was rejected or cancelled
    reason: Option<String>,
    /// What the approver changed in the arguments
    changes: Vec<ArgumentChange>,
    /// If it is done: what the tool returned
    #[schemars(with = "Option<AnyObject>")]
    result: Option<Value>,
    /// If it has failed: `code`, `message` and `hint`
    #[schemars(with = "Option<AnyObject>")]
    failure: Option<Value>,
}

impl From<Approval> for ManagedApproval {
    fn from(approval: Approval) -> Self {
        let decision = approval.decision.as_ref();
        Self {
            decided_at: decision.map(|decision| decision.at.to_string()),
            decided_by: decision.map(|decision| decision.by.to_string()),
            note: approval.note(),
            reason: approval.reason(),
            changes: approval.argument_changes(),
            approval_id: approval.approval_id,
            key_id: approval.key_id.into(),
            tool: approval.tool,
            arguments: approval.arguments,
            status: approval.status,
            requested_at: approval.requested_at.to_string(),
            expires_at: approval.expires_at.to_string(),
            preview: approval.preview,
            digest: approval.digest,
            problem: None,
            result: approval.result,
            failure: approval.failure,
        }
    }
}

impl ManagedApproval {
    /// Shows what the call would do now.
    pub(super) fn with_plan(mut self, plan: PlannedApproval) -> Self {
        (self.preview, self.digest, self.problem) = (plan.preview, plan.digest, plan.failure);
        self
    }
}
