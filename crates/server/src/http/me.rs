//! What a signed-in person can see of themselves and of the service.

use std::sync::Arc;

use axum::{Json, extract::State};
use serde::Serialize;
use svc_mcp_access::Role;
use svc_mcp_store::MemberOf;
use utoipa::ToSchema;

use super::{extract::SignedIn, openapi::Catalogue, problem::Problem, tool_lists::catalogue};
use crate::app::App;

/// A user and the brands they act for
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    user_id: String,
    /// Whether the token opens the operator API
    operator: bool,
    brands: Vec<MyBrand>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MyBrand {
    brand_id: String,
    name: String,
    /// `admin` or `member`
    #[schema(value_type = String, example = "admin")]
    role: Role,
    plan: MyPlan,
    /// Whether MCP is active on the brand's plan
    mcp_active: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MyPlan {
    plan_id: String,
    name: String,
}

impl From<MemberOf> for MyBrand {
    fn from(member: MemberOf) -> Self {
        Self {
            brand_id: member.brand.brand_id.into(),
            name: member.brand.name,
            role: member.role,
            mcp_active: member.plan.mcp_enabled,
            plan: MyPlan { plan_id: member.plan.plan_id.into(), name: member.plan.name },
        }
    }
}

/// Who am I, and which brands do I act for?
#[utoipa::path(get, path = "/api/me", tag = "account", security(("jwt" = [])),
    responses((status = 200, description = "The user", body = Me)))]
pub(crate) async fn me(State(app): State<Arc<App>>, user: SignedIn) -> Result<Json<Me>, Problem> {
    let brands = app.store.brands_of(&user.user_id).await?;
    Ok(Json(Me {
        user_id: user.user_id.into(),
        operator: user.operator,
        brands: brands.into_iter().map(MyBrand::from).collect(),
    }))
}

/// The tools there are, for choosing what a key may do
#[utoipa::path(get, path = "/api/tools", tag = "account", security(("jwt" = [])),
    responses((status = 200, description = "Every tool", body = Catalogue)))]
pub(crate) async fn tool_catalogue(State(app): State<Arc<App>>, _: SignedIn) -> Json<serde_json::Value> {
    Json(catalogue(&app.registry))
}
