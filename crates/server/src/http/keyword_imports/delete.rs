use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use svc_mcp_access::BrandId;

use crate::{
    app::App,
    http::{
        extract::{Administrator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::delete("/api/brands/{brand_id}/keyword-imports/{import_id}", delete_keyword_import)
        .describe(Tag::Brand, "delete_keyword_import", "Delete an imported list of keywords")
        .details("Searches that used it keep their results.")
        .empty(204, "It is deleted")
}

async fn delete_keyword_import(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    PathIds((_, import_id)): PathIds<(BrandId, String)>,
) -> Result<StatusCode, Problem> {
    // No id has such a character, and PostgreSQL does not accept NUL even in a search.
    let is_id = !import_id.contains(char::is_control);
    if is_id && administrator.store(&app).delete_keyword_import(&administrator.brand_id, &import_id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found("keyword import"))
    }
}
