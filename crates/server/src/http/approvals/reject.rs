use axum::Json;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_tools::approvals::reject as reject_call;

use super::{
    ManagedApproval,
    decision::{Approver, problem},
};
use crate::http::{
    extract::{Input, ValidatedJson, trim_fields},
    operation::{Operation, Tag},
    problem::Problem,
};

const MAX_REASON_CHARS: usize = 1_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reject {
    /// Why, for the agent
    #[schemars(length(min = 1, max = MAX_REASON_CHARS))]
    reason: String,
}

impl Input for Reject {
    fn normalize(body: &mut Value) {
        trim_fields(body, &["reason"]);
    }
}

pub(crate) fn operation() -> Operation {
    Operation::post("/api/brands/{brand_id}/approvals/{approval_id}/reject", reject)
        .describe(Tag::Approvals, "reject", "Reject a call")
        .details(
            "By an administrator, or by the person who created the key unless the brand has `approvers: admins`. The call \
             does not run, and the agent sees the reason.",
        )
        .body::<Reject>()
        .json::<ManagedApproval>(200, "The approval")
}

async fn reject(
    approver: Approver,
    ValidatedJson(body): ValidatedJson<Reject>,
) -> Result<Json<ManagedApproval>, Problem> {
    let judgement = approver.judgement(Some(body.reason));
    let reader = &approver.0;
    let decided = reject_call(reader.decider(), &reader.approval.approval_id, &judgement).await;
    decided.map(|approval| Json(approval.into())).map_err(problem)
}
