//! Why a tool returned no result.

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Quota, QuotaReached, StoreError};

use crate::result::MAX_TEXT_CHARS;

/// The tool ran but could not do what was asked. The model reads this and decides what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct ToolFailure {
    /// A fixed name for the reason.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What to do next.
    pub hint: String,
    /// Whether the same call may work later.
    pub retryable: bool,
    /// Set if the code is `quota_reached`.
    #[serde(flatten)]
    pub quota: Option<Box<QuotaDetails>>,
}

/// Which quota of the brand is used up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuotaDetails {
    pub quota: &'static str,
    pub limit: u32,
    pub used: u32,
    /// When some of it becomes free. Null: not known, or only people can free it.
    pub frees_at: Option<String>,
}

impl ToolFailure {
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into(), retryable: false, quota: None }
    }

    /// What the call has read was changed before its own changes were committed.
    pub fn changed_meanwhile() -> Self {
        Self {
            retryable: true,
            ..Self::new(
                "post_changed",
                "The post was changed by somebody else at the same time. Nothing was done.",
                "Read the post again with get_post, and decide again.",
            )
        }
    }

    /// The output of a tool does not fit into a result.
    pub(crate) fn result_too_large() -> Self {
        Self::new(
            "result_too_large",
            format!("The result has more than {MAX_TEXT_CHARS} characters, which is the limit."),
            "Request less at once: use a smaller `limit` or a narrower filter.",
        )
    }

    /// The call needs `wanted` more of a quota than the brand has left.
    pub fn quota_reached(reached: QuotaReached, wanted: u32) -> Self {
        let QuotaReached { quota, limit, used, frees_at } = reached;
        let what = quota.description();
        let hint = match (quota, frees_at) {
            (Quota::ReportEmailsPerDay, _) => {
                "Use fewer `recipients`, or wait until midnight UTC.".to_owned()
            }
            (Quota::OpenLongJobs, _) => {
                "Wait until one of them has ended: `get_audit` and `get_analysis` show their progress."
                    .to_owned()
            }
            (Quota::Drafts, _) => {
                "Publish drafts with publish_post or delete them with cancel_post, or ask the operator for a larger quota.".to_owned()
            }
            (Quota::Schedules, _) => {
                "Delete one with delete_schedule, or ask the operator for a larger quota.".to_owned()
            }
            (Quota::PendingApprovals, _) => {
                "Wait until people have decided on some of them: `list_approvals` shows them.".to_owned()
            }
            (_, Some(at)) => format!("Try again after {at}, or ask the operator for a larger quota."),
            (_, None) => "Ask the operator for a larger quota.".to_owned(),
        };
        Self {
            retryable: wanted <= limit && (frees_at.is_some() || quota == Quota::OpenLongJobs),
            quota: Some(Box::new(QuotaDetails {
                quota: quota.as_str(),
                limit,
                used,
                frees_at: frees_at.map(|at| at.to_string()),
            })),
            ..Self::new(
                "quota_reached",
                format!(
                    "The brand can have {limit} {what}. {used} are used, and this call needs {wanted}. Nothing was \
                     changed."
                ),
                hint,
            )
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    #[error(transparent)]
    Failed(#[from] ToolFailure),
    /// The store failed. The tool itself did nothing wrong.
    #[error(transparent)]
    Store(#[from] StoreError),
}
