use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{BrandId, Member, Role, UserId};

use super::PATH;
use crate::{
    app::App,
    http::{
        extract::{
            Input, Operator, PathIds, ValidatedJson,
            schemas::{Email, PLAIN_TEXT},
            trim_fields,
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const MAX_NAME_CHARS: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PutMember {
    /// `admin` or `member`
    #[schemars(with = "String", extend("enum" = [Role::Admin, Role::Member]), example = &"member")]
    role: Role,
    #[schemars(with = "Option<Email>")]
    email: Option<String>,
    #[schemars(length(min = 1, max = MAX_NAME_CHARS), regex(pattern = PLAIN_TEXT))]
    name: Option<String>,
}

impl Input for PutMember {
    fn normalize(body: &mut Value) {
        trim_fields(body, &["email", "name"]);
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Member")]
struct MemberView {
    brand_id: String,
    user_id: String,
    #[schemars(with = "String", example = &"member")]
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

pub(crate) fn operation() -> Operation {
    Operation::put(PATH, put_member)
        .describe(Tag::Operator, "put_member", "Make a user a member of a brand, or change their role")
        .body::<PutMember>()
        .json::<MemberView>(200, "The member")
}

async fn put_member(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds((brand_id, user_id)): PathIds<(BrandId, UserId)>,
    ValidatedJson(body): ValidatedJson<PutMember>,
) -> Result<Json<MemberView>, Problem> {
    if app.store.brand(&brand_id).await?.is_none() {
        return Err(Problem::not_found("brand"));
    }
    let member = Member { brand_id, user_id, role: body.role, email: body.email, name: body.name };
    app.store.put_member(&member).await?;
    Ok(Json(member.into()))
}
