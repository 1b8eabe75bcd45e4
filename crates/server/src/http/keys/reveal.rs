use std::sync::Arc;

use axum::{Json, extract::State, response::IntoResponse};
use http::header;
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::key::{KeyToken, SealOwner};
use svc_mcp_store::EventKind;

use super::event;
use crate::{
    app::App,
    http::{
        extract::Manager,
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

#[derive(Serialize, JsonSchema)]
struct RevealedKey {
    key_id: String,
    /// The secret
    #[schemars(example = &"svc_mcp_…")]
    api_key: String,
}

pub(crate) fn operation() -> Operation {
    Operation::post("/api/brands/{brand_id}/mcp-keys/{key_id}/reveal", reveal_key)
        .describe(Tag::Keys, "reveal_key", "Show a key's secret again")
        .details(
            "Only to the person who created it, and only where `can_reveal` is true. That it was shown is recorded first.",
        )
        .json::<RevealedKey>(200, "The secret")
}

async fn reveal_key(State(app): State<Arc<App>>, manager: Manager) -> Result<impl IntoResponse, Problem> {
    let key = manager.key(&app).await?;
    if !manager.is_creator(&key) {
        return Err(Problem::new(
            Code::NotKeyCreator,
            "Only the person who created a key can see it again. Create a key of your own instead.",
        ));
    }
    if key.revoked_at.is_some() {
        return Err(not_revealable("It is revoked; create a new one."));
    }
    let sealing = app.sealing.as_ref().filter(|_| key.can_reveal);
    let sealing = sealing.ok_or_else(|| not_revealable("Revoke it and create a new one."))?;
    let revealed = event(&app, EventKind::Revealed, &key, &manager.user_id, app.clock.now());
    let sealed = manager.store(&app).sealed_key(&manager.brand_id, &key.key_id, &revealed).await?;
    let sealed = sealed.ok_or_else(|| not_revealable("Revoke it and create a new one."))?;
    let owner = SealOwner::key(&manager.brand_id, &key.key_id);
    let token = sealing.open(&sealed, owner).ok().and_then(|clear| KeyToken::from_clear(clear).ok());
    let token = token.ok_or_else(|| {
        tracing::error!(key_id = %key.key_id, sealing_key = sealed.sealing_key, "a sealed key cannot be opened");
        not_revealable(
            "It was sealed with a key that is not configured. Revoke it and create a new one.",
        )
    })?;
    let body = RevealedKey { key_id: key.key_id.into(), api_key: token.expose().to_owned() };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(body)))
}

fn not_revealable(what_to_do: &str) -> Problem {
    Problem::new(
        Code::KeyNotRevealable,
        format!("The secret of this key cannot be shown again. {what_to_do}"),
    )
}
