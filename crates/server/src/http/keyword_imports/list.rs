use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;

use super::{IMPORTS, KeywordImportView};
use crate::{
    app::App,
    http::{
        extract::Administrator,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Serialize, JsonSchema)]
struct KeywordImportList {
    /// Newest first
    imports: Vec<KeywordImportView>,
}

pub(crate) fn operation() -> Operation {
    Operation::get(IMPORTS, list_keyword_imports)
        .describe(Tag::Brand, "list_keyword_imports", "List the imported lists of keywords")
        .json::<KeywordImportList>(200, "The lists, newest first")
}

async fn list_keyword_imports(
    State(app): State<Arc<App>>,
    administrator: Administrator,
) -> Result<Json<KeywordImportList>, Problem> {
    let imports = app.store.keyword_imports(&administrator.brand_id).await?;
    Ok(Json(KeywordImportList { imports: imports.into_iter().map(KeywordImportView::from).collect() }))
}
