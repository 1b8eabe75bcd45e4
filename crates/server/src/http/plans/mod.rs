//! Plans, managed by the operator.

pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod put;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::Plan;

const PATH: &str = "/api/admin/plans/{plan_id}";

/// What a brand has paid for
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Plan")]
struct PlanView {
    plan_id: String,
    name: String,
    mcp_enabled: bool,
}

impl From<Plan> for PlanView {
    fn from(plan: Plan) -> Self {
        Self { plan_id: plan.plan_id.into(), name: plan.name, mcp_enabled: plan.mcp_enabled }
    }
}
