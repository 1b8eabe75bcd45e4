use std::sync::Arc;

use axum::{Json, extract::State};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, Member, Role, UserId, validate::email_address};
use utoipa::ToSchema;

use super::PathIds;
use crate::{
    app::App,
    http::{
        extract::{Fields, JsonBody, Operator, parsed, text},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "the document's picture of what `put_member` takes")]
pub(crate) struct PutMember {
    /// `admin` or `member`
    #[schema(example = "member")]
    role: String,
    email: Option<String>,
    name: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Member)]
pub(crate) struct MemberView {
    brand_id: String,
    user_id: String,
    #[schema(value_type = String, example = "member")]
    role: Role,
    email: Option<String>,
    name: Option<String>,
}

impl From<Member> for MemberView {
    fn from(member: Member) -> Self {
        Self {
            brand_id: member.brand_id.into(),
            user_id: member.user_id.into(),
            role: member.role,
            email: member.email,
            name: member.name,
        }
    }
}

/// Make a user a member of a brand, or change their role
#[utoipa::path(put, path = "/api/admin/brands/{brand_id}/members/{user_id}", tag = "operator", security(("jwt" = [])),
    params(("brand_id" = String, Path), ("user_id" = String, Path)), request_body = PutMember,
    responses((status = 200, description = "The member", body = MemberView)))]
pub(crate) async fn put_member(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds((brand_id, user_id)): PathIds<(BrandId, UserId)>,
    JsonBody(body): JsonBody,
) -> Result<Json<MemberView>, Problem> {
    let mut fields = Fields::of(body)?;
    let role: Option<Role> = fields.required("role", parsed);
    let email = fields.optional("email", |value| email_address(value.as_str().ok_or("must be a text")?));
    let name = fields.optional("name", text(200));
    fields.finish()?;
    if app.store.brand(&brand_id).await?.is_none() {
        return Err(Problem::not_found("brand"));
    }
    let member = Member { brand_id, user_id, role: role.expect("finish found no fault"), email, name };
    app.store.put_member(&member).await?;
    Ok(Json(member.into()))
}

/// Remove a user from a brand
///
/// Their keys stop working at once, and work again if they come back.
#[utoipa::path(delete, path = "/api/admin/brands/{brand_id}/members/{user_id}", tag = "operator",
    security(("jwt" = [])), params(("brand_id" = String, Path), ("user_id" = String, Path)),
    responses((status = 204, description = "They are no member")))]
pub(crate) async fn remove_member(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds((brand_id, user_id)): PathIds<(BrandId, UserId)>,
) -> Result<StatusCode, Problem> {
    if app.store.brand(&brand_id).await?.is_none() {
        return Err(Problem::not_found("brand"));
    }
    app.store.remove_member(&brand_id, &user_id).await?;
    Ok(StatusCode::NO_CONTENT)
}
