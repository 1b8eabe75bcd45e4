//! Members of the body that only some errors have.

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::QuotaReached;
use svc_mcp_tools::approvals::Approval;

#[derive(Debug, Clone)]
pub(super) enum MoreMembers {
    Quota(QuotaReached),
    Decision(DecisionMembers),
}

/// How a call was decided before
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct DecisionMembers {
    /// `done`, `failed`, `rejected`, `expired` or `cancelled`
    #[schemars(example = &"done")]
    approval_status: &'static str,
    /// Null: it has expired
    decided_by: Option<String>,
    decided_at: Option<String>,
}

impl From<&Approval> for DecisionMembers {
    fn from(approval: &Approval) -> Self {
        let decision = approval.decision.as_ref();
        Self {
            approval_status: approval.status.as_str(),
            decided_by: decision.map(|decision| decision.by.to_string()),
            decided_at: decision.map(|decision| decision.at.to_string()),
        }
    }
}

/// Which quota of the brand is used up
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct QuotaMembers {
    #[schemars(example = &"keys")]
    quota: &'static str,
    limit: u32,
    used: u32,
    /// When some of it becomes free. Null: not known, or only people can free it
    frees_at: Option<String>,
}

impl From<&QuotaReached> for QuotaMembers {
    fn from(reached: &QuotaReached) -> Self {
        Self {
            quota: reached.quota.as_str(),
            limit: reached.limit,
            used: reached.used,
            frees_at: reached.frees_at.map(|at| at.to_string()),
        }
    }
}
