//! Approvals as agents see them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Approval, ApprovalStatus, ArgumentChange};
use crate::page::{MAX_PAGE_BYTES, result_bytes};

/// An approval in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ApprovalListItem {
    approval_id: String,
    /// The tool that was called.
    tool: String,
    status: ApprovalStatus,
    requested_at: String,
    /// Without a decision by then, the call does not run.
    expires_at: String,
    /// Null: nobody has decided.
    decided_at: Option<String>,
    /// The note of the approver.
    note: Option<String>,
    /// Why the call was rejected or cancelled.
    reason: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ApprovalView {
    #[serde(flatten)]
    item: ApprovalListItem,
    /// While it is pending: what the call would have returned when it was made.
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    preview: Option<Value>,
    /// What the approver changed in the arguments.
    changes: Vec<ArgumentChange>,
    /// If it is done: what the tool returned.
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    result: Option<Value>,
    /// True: it is done, and the result is too large to be repeated here.
    result_omitted: bool,
    /// If it has failed: `code`, `message` and `hint`.
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    failure: Option<Value>,
}

impl From<Approval> for ApprovalListItem {
    fn from(approval: Approval) -> Self {
        Self {
            note: approval.note(),
            reason: approval.reason(),
            decided_at: approval.decision.map(|decision| decision.at.to_string()),
            approval_id: approval.approval_id,
            tool: approval.tool,
            status: approval.status,
            requested_at: approval.requested_at.to_string(),
            expires_at: approval.expires_at.to_string(),
        }
    }
}

impl From<Approval> for ApprovalView {
    fn from(mut approval: Approval) -> Self {
        let changes = approval.argument_changes();
        let preview = approval.preview.take().filter(|_| approval.status == ApprovalStatus::Pending);
        let (result, failure) = (approval.result.take(), approval.failure.take());
        let item = approval.into();
        let mut view = Self { item, preview, changes, result, result_omitted: false, failure };
        if result_bytes(&view) > MAX_PAGE_BYTES {
            view.result_omitted = view.result.take().is_some();
            view.preview = None;
        }
        view
    }
}
