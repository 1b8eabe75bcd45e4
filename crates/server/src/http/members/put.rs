use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{BrandId, Fault, Member, Role, UserId};
use svc_mcp_store::{MemberChange, TextChange};

use super::PATH;
use crate::{
    app::App,
    http::{
        extract::{
            Input, Operator, PathIds, ValidatedJson,
            schemas::{Email, PLAIN_TEXT, text_change},
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
    /// `admin` or `member`. A new member needs it. If it is left out, it stays as it is
    #[schemars(
        with = "Option<String>",
        extend("enum" = [Role::Admin, Role::Member, Value::Null]),
        example = &"member"
    )]
    role: Option<Role>,
    /// If it is left out, it stays as it is. Null removes it
    #[serde(default, deserialize_with = "text_change")]
    #[schemars(with = "Option<Email>")]
    email: TextChange,
    /// If it is left out, it stays as it is. Null removes it
    #[serde(default, deserialize_with = "text_change")]
    #[schemars(
        with = "Option<String>",
        length(min = 1, max = MAX_NAME_CHARS),
        regex(pattern = PLAIN_TEXT)
    )]
    name: TextChange,
}

impl Input for PutMember {
    fn normalize(body: &mut Value) {
        trim_fields(body, &["email", "name"]);
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Member")]
pub(crate) struct MemberView {
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
        .describe(Tag::Operator, "put_member", "Make a user a member of a brand, or change a member")
        .details(
            "The user id in the path is percent-encoded: `auth0|4f2a` is `auth0%7C4f2a`. What the body leaves out stays as it \
             is.",
        )
        .body::<PutMember>()
        .json::<MemberView>(200, "The member")
}

async fn put_member(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds((brand_id, user_id)): PathIds<(BrandId, UserId)>,
    ValidatedJson(body): ValidatedJson<PutMember>,
) -> Result<Json<MemberView>, Problem> {
    if app.store.brand(&brand_id).await?.is_none() {
        return Err(Problem::not_found("brand"));
    }
    let PutMember { role, email, name } = body;
    let member =
        operator.store(&app).change_member(&brand_id, &user_id, &MemberChange { role, email, name }).await?;
    let no_role = || Problem::invalid_request(Fault::new("role", "is required for a new member"));
    member.map(|member| Json(member.into())).ok_or_else(no_role)
}
