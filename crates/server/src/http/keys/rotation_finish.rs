use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_store::EventKind;

use super::{KeyView, event};
use crate::{
    app::App,
    http::{
        extract::Manager,
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

pub(crate) fn operation() -> Operation {
    Operation::post("/api/brands/{brand_id}/mcp-keys/{key_id}/rotate/finish", finish_rotation)
        .describe(Tag::Keys, "finish_rotation", "End the old secret of a rotated key")
        .details(
            "By the creator of the key or an administrator of the brand. The very next request with the old secret is refused; \
             the new one works on. Changes nothing if no old secret works any more.",
        )
        .json::<KeyView>(200, "The key")
}

async fn finish_rotation(State(app): State<Arc<App>>, manager: Manager) -> Result<Json<KeyView>, Problem> {
    let key = manager.key(&app).await?;
    if !manager.is_creator(&key) && !manager.is_admin() {
        return Err(Problem::new(
            Code::NotKeyCreator,
            "Only the person who created the key or an administrator of the brand can end its old secret. Ask one of them.",
        ));
    }
    let now = app.clock.now();
    let finished = event(&app, EventKind::RotationFinished, &key, &manager.user_id, now);
    manager.store(&app).finish_rotation(&manager.brand_id, &key.key_id, &finished).await?;
    let key = manager.key(&app).await?;
    Ok(Json(KeyView::new(key, now)))
}
