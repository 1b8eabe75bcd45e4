use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use svc_mcp_store::EventKind;

use super::{KEY, event};
use crate::{
    app::App,
    http::{
        extract::Manager,
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

pub(crate) fn operation() -> Operation {
    Operation::delete(KEY, revoke_key)
        .describe(Tag::Keys, "revoke_key", "Revoke a key")
        .details(
            "By its creator or an administrator of the brand. The very next request with the key is refused. Revoking it \
             again changes nothing and answers the same.",
        )
        .empty(204, "It is revoked")
}

async fn revoke_key(State(app): State<Arc<App>>, manager: Manager) -> Result<StatusCode, Problem> {
    let key = manager.key(&app).await?;
    if !manager.is_creator(&key) && !manager.is_admin() {
        return Err(Problem::new(
            Code::NotKeyCreator,
            "Only the person who created the key or an administrator of the brand can revoke it. Ask one of them.",
        ));
    }
    let revoked = event(&app, EventKind::Revoked, &key, &manager.user_id, app.clock.now());
    app.store.revoke_key(&manager.brand_id, &key.key_id, &revoked).await?;
    Ok(StatusCode::NO_CONTENT)
}
