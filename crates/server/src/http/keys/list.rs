use std::sync::Arc;

use axum::{Json, extract::State};
use serde::Serialize;
use svc_mcp_store::KeyFilter;
use utoipa::ToSchema;

use super::KeyView;
use crate::{
    app::App,
    http::{
        extract::{Manager, Params},
        problem::Problem,
    },
};

/// A page of keys, newest first
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeyList {
    keys: Vec<KeyView>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

/// List the brand's keys
#[utoipa::path(get, path = "/api/brands/{brand_id}/mcp-keys", tag = "keys", security(("jwt" = [])),
    params(("brand_id" = String, Path), ("include_revoked" = Option<bool>, Query), ("limit" = Option<u32>, Query,
        description = "1 to 100, 50 by default"), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "The keys", body = KeyList)))]
pub(crate) async fn list_keys(
    State(app): State<Arc<App>>,
    manager: Manager,
    mut params: Params,
) -> Result<Json<KeyList>, Problem> {
    let filter = KeyFilter {
        include_revoked: params.flag("include_revoked"),
        after: params.cursor(),
        limit: params.number("limit", 50, 100),
    };
    params.0.finish()?;
    let (keys, next) = app.store.keys(&manager.brand_id, &filter).await?;
    let now = app.clock.now();
    Ok(Json(KeyList {
        keys: keys.into_iter().map(|key| KeyView::of(key, now)).collect(),
        next_cursor: next.map(|cursor| cursor.encode()),
    }))
}
