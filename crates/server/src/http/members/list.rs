use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Member, Role};

use crate::{
    app::App,
    http::{
        extract::Manager,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Serialize, JsonSchema)]
struct Members {
    members: Vec<MemberView>,
}

/// A person who acts for the brand
#[derive(Debug, Serialize, JsonSchema)]
struct MemberView {
    user_id: String,
    /// `admin` or `member`
    #[schemars(with = "String", example = &"member")]
    role: Role,
    name: Option<String>,
}

impl From<Member> for MemberView {
    fn from(member: Member) -> Self {
        Self { user_id: member.user_id.into(), role: member.role, name: member.name }
    }
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/brands/{brand_id}/members", members)
        .describe(Tag::Account, "members", "The people who act for the brand")
        .json::<Members>(200, "The members")
}

async fn members(State(app): State<Arc<App>>, manager: Manager) -> Result<Json<Members>, Problem> {
    let members = app.store.members(&manager.brand_id).await?;
    Ok(Json(Members { members: members.into_iter().map(MemberView::from).collect() }))
}
