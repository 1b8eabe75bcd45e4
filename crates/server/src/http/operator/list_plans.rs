use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;

use super::PageQuery;
use crate::{
    app::App,
    http::{
        extract::{Operator, ValidatedQuery},
        operation::{Operation, Tag},
        plans::PlanView,
        problem::Problem,
    },
};

/// A page of plans, sorted by id
#[derive(Debug, Serialize, JsonSchema)]
struct PlanList {
    plans: Vec<PlanView>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/plans", list_plans)
        .describe(Tag::Operator, "list_plans", "List the plans")
        .query::<PageQuery>()
        .json::<PlanList>(200, "The plans")
}

async fn list_plans(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<PageQuery>,
) -> Result<Json<PlanList>, Problem> {
    let page = app.store.list_plans(query.cursor.as_ref(), query.limit.get()).await?;
    let plans = page.items.into_iter().map(PlanView::from).collect();
    Ok(Json(PlanList { plans, next_cursor: page.next.map(|cursor| cursor.encode()) }))
}
