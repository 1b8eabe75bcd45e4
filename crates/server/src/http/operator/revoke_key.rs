use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::KeyId;
use svc_mcp_store::EventKind;

use crate::{
    app::App,
    http::{
        extract::{Operator, PathIds},
        keys::{event, revoke::RevokedKey},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::post("/api/admin/keys/{key_id}/revoke", revoke_key)
        .describe(Tag::Operator, "operator_revoke_key", "Revoke a key of any brand")
        .details("The very next request with the key is refused, and what it has queued is cancelled.")
        .json::<RevokedKey>(200, "It is revoked, and this was cancelled")
}

async fn revoke_key(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(key_id): PathIds<KeyId>,
) -> Result<Json<RevokedKey>, Problem> {
    let key = app.store.find_key(&key_id).await?.ok_or_else(|| Problem::not_found("key"))?;
    let revoked = event(&app, EventKind::Revoked, &key, &operator.user_id, app.clock.now());
    let stopped = operator.store(&app).revoke_key_as_operator(&key.brand_id, &key_id, &revoked).await?;
    Ok(Json(stopped.into()))
}
