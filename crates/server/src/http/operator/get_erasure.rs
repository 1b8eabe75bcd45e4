use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
};

use super::erasure_view::ErasureView;
use crate::{
    app::App,
    http::{
        extract::Operator,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/erasures/{receipt_id}", get_erasure)
        .describe(Tag::Operator, "get_erasure", "The receipt of one erasure")
        .json::<ErasureView>(200, "The receipt")
}

async fn get_erasure(
    State(app): State<Arc<App>>,
    _: Operator,
    Path(receipt_id): Path<String>,
) -> Result<Json<ErasureView>, Problem> {
    let erasure = app.store.erasure(&receipt_id).await?;
    erasure.map(|erasure| Json(erasure.into())).ok_or_else(|| Problem::not_found("receipt"))
}
