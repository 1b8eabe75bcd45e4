use axum::Json;
use svc_mcp_tools::approvals::{ApprovalStatus, ApproveError, plan};

use super::{
    APPROVAL, ManagedApproval,
    decision::{Reader, problem},
};
use crate::http::{
    operation::{Operation, Tag},
    problem::Problem,
};

pub(crate) fn operation() -> Operation {
    Operation::get(APPROVAL, get_approval)
        .describe(Tag::Approvals, "get_approval", "One call that waits for approval, or waited for it")
        .details("While it is pending, `preview`, `digest` and `problem` show what the call would do now.")
        .json::<ManagedApproval>(200, "The approval")
}

async fn get_approval(reader: Reader) -> Result<Json<ManagedApproval>, Problem> {
    let view = ManagedApproval::from(reader.approval.clone());
    if reader.approval.status != ApprovalStatus::Pending {
        return Ok(Json(view));
    }
    match plan(reader.decider(), &reader.approval).await {
        Ok(planned) => Ok(Json(view.with_plan(planned))),
        // The key may not act now. What it asked for can still be read.
        Err(ApproveError::Denied(_) | ApproveError::InvalidArguments(_)) => Ok(Json(view)),
        Err(error) => Err(problem(error)),
    }
}
