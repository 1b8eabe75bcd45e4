use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{KeyId, Timestamp, UserId};

use super::arguments_diff::{ArgumentChange, arguments_diff};

/// A call that nobody has decided on expires after this time.
pub const EXPIRES_AFTER: Duration = Duration::from_hours(72);
/// A person reads what they approve, and the arguments are stored until then.
pub const MAX_ARGUMENTS_BYTES: usize = 100 * 1024;

/// A call that waits for a decision, or waited for one.
#[derive(Debug, Clone, PartialEq)]
pub struct Approval {
    pub approval_id: String,
    pub key_id: KeyId,
    pub tool: String,
    /// As the agent sent them.
    pub arguments: Value,
    /// What the tool would have returned when the agent called it. `None`: the tool cannot tell before it runs.
    pub preview: Option<Value>,
    /// Of the tool, the arguments and the preview.
    pub digest: String,
    pub status: ApprovalStatus,
    pub requested_at: Timestamp,
    pub expires_at: Timestamp,
    /// `None`: it is pending, or it has expired.
    pub decision: Option<Decision>,
    /// What the tool returned.
    pub result: Option<Value>,
    /// Why the tool failed.
    pub failure: Option<Value>,
}

impl Approval {
    /// The note of the approver.
    pub fn note(&self) -> Option<String> {
        self.decision.as_ref().filter(|_| self.was_approved())?.note.clone()
    }

    /// Why the call was rejected or cancelled.
    pub fn reason(&self) -> Option<String> {
        self.decision.as_ref().filter(|_| !self.was_approved())?.note.clone()
    }

    /// What the approver changed in the arguments.
    pub fn argument_changes(&self) -> Vec<ArgumentChange> {
        let approved = self.decision.as_ref().and_then(|decision| decision.arguments.as_ref());
        approved.map(|approved| arguments_diff(&self.arguments, approved)).unwrap_or_default()
    }

    fn was_approved(&self) -> bool {
        matches!(self.status, ApprovalStatus::Approved | ApprovalStatus::Done | ApprovalStatus::Failed)
    }
}

/// How a call was decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub by: UserId,
    pub at: Timestamp,
    /// The note of the approver, or why the call was rejected or cancelled.
    pub note: Option<String>,
    /// The arguments that were approved, if the approver changed them.
    pub arguments: Option<Value>,
}

// `Approved` is not seen from outside, because an approved call is done or has failed in the same transaction.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ApprovalStatus {
    Pending,
    Approved,
    Done,
    Failed,
    Rejected,
    Expired,
    Cancelled,
}

impl ApprovalStatus {
    pub const NAMES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Which approvals to list.
#[derive(Debug, Clone, Default)]
pub struct ApprovalFilter {
    pub key_id: Option<KeyId>,
    pub status: Option<ApprovalStatus>,
}
