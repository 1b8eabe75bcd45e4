use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::Role;
use svc_mcp_store::MemberOf;

use crate::{
    app::App,
    http::{
        extract::SignedIn,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// A user and the brands they act for
#[derive(Debug, Serialize, JsonSchema)]
struct Me {
    user_id: String,
    /// Whether the token or the session opens the operator API
    operator: bool,
    brands: Vec<MyBrand>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct MyBrand {
    brand_id: String,
    name: String,
    /// `admin` or `member`
    #[schemars(with = "String", example = &"admin")]
    role: Role,
    plan: MyPlan,
    /// Whether MCP is active on the brand's plan
    mcp_active: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct MyPlan {
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

pub(crate) fn operation() -> Operation {
    Operation::get("/api/me", me)
        .describe(Tag::Account, "me", "Who am I, and which brands do I act for?")
        .json::<Me>(200, "The user")
}

async fn me(State(app): State<Arc<App>>, user: SignedIn) -> Result<Json<Me>, Problem> {
    let brands = app.store.brands_of(&user.user_id).await?;
    Ok(Json(Me {
        user_id: user.user_id.into(),
        operator: user.operator,
        brands: brands.into_iter().map(MyBrand::from).collect(),
    }))
}
