//! What a member can see of their brand.

use std::sync::Arc;

use axum::{Json, extract::State};
use serde::Serialize;
use svc_mcp_access::Role;
use utoipa::ToSchema;

use super::{extract::Manager, problem::Problem};
use crate::app::App;

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Members {
    members: Vec<MemberView>,
}

/// A person who acts for the brand
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MemberView {
    user_id: String,
    /// `admin` or `member`
    #[schema(value_type = String, example = "member")]
    role: Role,
    name: Option<String>,
}

/// The people who act for the brand
#[utoipa::path(get, path = "/api/brands/{brand_id}/members", tag = "account", security(("jwt" = [])),
    params(("brand_id" = String, Path)), responses((status = 200, description = "The members", body = Members)))]
pub(crate) async fn members(State(app): State<Arc<App>>, manager: Manager) -> Result<Json<Members>, Problem> {
    let members = app.store.members(&manager.brand_id).await?;
    let view = |member: svc_mcp_access::Member| MemberView {
        user_id: member.user_id.into(),
        role: member.role,
        name: member.name,
    };
    Ok(Json(Members { members: members.into_iter().map(view).collect() }))
}
