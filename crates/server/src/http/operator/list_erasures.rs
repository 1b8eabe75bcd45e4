use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;

use super::{PageQuery, erasure_view::ErasureView};
use crate::{
    app::App,
    http::{
        extract::{Operator, ValidatedQuery},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// A page of receipts, newest first
#[derive(Debug, Serialize, JsonSchema)]
struct ErasureList {
    erasures: Vec<ErasureView>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/erasures", list_erasures)
        .describe(Tag::Operator, "list_erasures", "The receipts of all erasures")
        .query::<PageQuery>()
        .json::<ErasureList>(200, "The receipts, newest first")
}

async fn list_erasures(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<PageQuery>,
) -> Result<Json<ErasureList>, Problem> {
    let (erasures, next) = app.store.erasures(query.cursor.as_ref(), query.limit.get()).await?;
    Ok(Json(ErasureList {
        erasures: erasures.into_iter().map(ErasureView::from).collect(),
        next_cursor: next.map(|cursor| cursor.encode()),
    }))
}
