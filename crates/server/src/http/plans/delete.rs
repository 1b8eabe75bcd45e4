use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use svc_mcp_access::PlanId;
use svc_mcp_store::DeletePlanError;

use super::PATH;
use crate::{
    app::App,
    http::{
        extract::{Operator, PathIds},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

pub(crate) fn operation() -> Operation {
    Operation::delete(PATH, delete_plan)
        .describe(Tag::Operator, "delete_plan", "Delete a plan that no brand is on")
        .empty(204, "It is deleted")
}

async fn delete_plan(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(plan_id): PathIds<PlanId>,
) -> Result<StatusCode, Problem> {
    operator.store(&app).delete_plan(&plan_id).await.map_err(|error| match error {
        DeletePlanError::Store(error) => error.into(),
        DeletePlanError::InUse => {
            Problem::new(Code::PlanInUse, "Put its brands on another plan first, then delete it.")
        }
    })?;
    Ok(StatusCode::NO_CONTENT)
}
