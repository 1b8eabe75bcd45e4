use std::sync::Arc;

use axum::{Json, extract::State};

use super::KeyView;
use crate::{
    app::App,
    http::{extract::Manager, problem::Problem},
};

/// One key
#[utoipa::path(get, path = "/api/brands/{brand_id}/mcp-keys/{key_id}", tag = "keys", security(("jwt" = [])),
    params(("brand_id" = String, Path), ("key_id" = String, Path)),
    responses((status = 200, description = "The key", body = KeyView)))]
pub(crate) async fn get_key(State(app): State<Arc<App>>, manager: Manager) -> Result<Json<KeyView>, Problem> {
    let key = manager.key(&app).await?;
    Ok(Json(KeyView::of(key, app.clock.now())))
}
