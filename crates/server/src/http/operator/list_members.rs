use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::BrandId;

use super::PageQuery;
use crate::{
    app::App,
    http::{
        extract::{Operator, PathIds, ValidatedQuery},
        members::put::MemberView,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// A page of members, sorted by id
#[derive(Debug, Serialize, JsonSchema)]
struct MemberList {
    members: Vec<MemberView>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/brands/{brand_id}/members", list_members)
        .describe(Tag::Operator, "list_members", "List the members of a brand")
        .query::<PageQuery>()
        .json::<MemberList>(200, "The members")
}

async fn list_members(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds(brand_id): PathIds<BrandId>,
    ValidatedQuery(query): ValidatedQuery<PageQuery>,
) -> Result<Json<MemberList>, Problem> {
    if app.store.brand(&brand_id).await?.is_none() {
        return Err(Problem::not_found("brand"));
    }
    let page = app.store.list_members(&brand_id, query.cursor.as_ref(), query.limit.get()).await?;
    let members = page.items.into_iter().map(MemberView::from).collect();
    Ok(Json(MemberList { members, next_cursor: page.next.map(|cursor| cursor.encode()) }))
}
