use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::PlanId;

use super::{PATH, PlanView};
use crate::{
    app::App,
    http::{
        extract::{Operator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get(PATH, get_plan)
        .describe(Tag::Operator, "get_plan", "One plan")
        .json::<PlanView>(200, "The plan")
}

async fn get_plan(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds(plan_id): PathIds<PlanId>,
) -> Result<Json<PlanView>, Problem> {
    let plan = app.store.plan(&plan_id).await?;
    plan.map(|plan| Json(plan.into())).ok_or_else(|| Problem::not_found("plan"))
}
