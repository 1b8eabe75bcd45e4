use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use svc_mcp_store::EventKind;

use super::event;
use crate::{
    app::App,
    http::{
        extract::Manager,
        problem::{Code, Problem},
    },
};

/// Revoke a key
///
/// By its creator or an administrator of the brand. The very next request with the key is refused. Revoking it again
/// changes nothing and answers the same.
#[utoipa::path(delete, path = "/api/brands/{brand_id}/mcp-keys/{key_id}", tag = "keys", security(("jwt" = [])),
    params(("brand_id" = String, Path), ("key_id" = String, Path)),
    responses((status = 204, description = "It is revoked")))]
pub(crate) async fn revoke_key(State(app): State<Arc<App>>, manager: Manager) -> Result<StatusCode, Problem> {
    let key = manager.key(&app).await?;
    if !manager.created(&key) && !manager.is_admin() {
        return Err(Problem::new(
            Code::NotKeyCreator,
            "A key is revoked by the person who created it or by an administrator of the brand. Ask one of them.",
        ));
    }
    let revoked = event(&app, EventKind::Revoked, &key, &manager.user_id, app.clock.now());
    app.store.revoke_key(&manager.brand_id, &key.key_id, &revoked).await?;
    Ok(StatusCode::NO_CONTENT)
}
