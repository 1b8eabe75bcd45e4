use std::sync::Arc;

use axum::{Json, extract::State};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{Plan, PlanId};
use svc_mcp_store::PlanInUse;
use utoipa::ToSchema;

use super::PathIds;
use crate::{
    app::App,
    http::{
        extract::{Fields, JsonBody, Operator, text},
        problem::{Code, Problem},
    },
};

#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "the document's picture of what `read_plan` takes")]
pub(crate) struct PutPlan {
    #[schema(example = "Business")]
    name: String,
    /// Whether brands on this plan have MCP
    mcp_enabled: bool,
}

/// What a brand has paid for
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Plan)]
pub(crate) struct PlanView {
    plan_id: String,
    name: String,
    mcp_enabled: bool,
}

impl From<Plan> for PlanView {
    fn from(plan: Plan) -> Self {
        Self { plan_id: plan.plan_id.into(), name: plan.name, mcp_enabled: plan.mcp_enabled }
    }
}

pub(crate) fn read_plan(plan_id: PlanId, body: Value) -> Result<Plan, Problem> {
    let mut fields = Fields::of(body)?;
    let name = fields.required("name", text(100));
    let mcp_enabled =
        fields.required("mcp_enabled", |value| value.as_bool().ok_or("must be true or false".into()));
    fields.finish()?;
    let (name, mcp_enabled) = name.zip(mcp_enabled).expect("finish found no fault");
    Ok(Plan { plan_id, name, mcp_enabled })
}

/// Create or change a plan
///
/// Takes effect on the next request of every key of every brand on the plan. Keys are kept.
#[utoipa::path(put, path = "/api/admin/plans/{plan_id}", tag = "operator", security(("jwt" = [])),
    params(("plan_id" = String, Path)), request_body = PutPlan,
    responses((status = 200, description = "The plan", body = PlanView)))]
pub(crate) async fn put_plan(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds(plan_id): PathIds<PlanId>,
    JsonBody(body): JsonBody,
) -> Result<Json<PlanView>, Problem> {
    let plan = read_plan(plan_id, body)?;
    app.store.put_plan(&plan).await?;
    Ok(Json(plan.into()))
}

/// One plan
#[utoipa::path(get, path = "/api/admin/plans/{plan_id}", tag = "operator", security(("jwt" = [])),
    params(("plan_id" = String, Path)), responses((status = 200, description = "The plan", body = PlanView)))]
pub(crate) async fn get_plan(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds(plan_id): PathIds<PlanId>,
) -> Result<Json<PlanView>, Problem> {
    let plan = app.store.plan(&plan_id).await?;
    plan.map(|plan| Json(plan.into())).ok_or_else(|| Problem::not_found("plan"))
}

/// Delete a plan that no brand is on
#[utoipa::path(delete, path = "/api/admin/plans/{plan_id}", tag = "operator", security(("jwt" = [])),
    params(("plan_id" = String, Path)), responses((status = 204, description = "It is gone")))]
pub(crate) async fn delete_plan(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds(plan_id): PathIds<PlanId>,
) -> Result<StatusCode, Problem> {
    match app.store.delete_plan(&plan_id).await? {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(PlanInUse) => {
            Err(Problem::new(Code::PlanInUse, "Put its brands on another plan first, then delete it."))
        }
    }
}
