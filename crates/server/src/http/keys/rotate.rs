use std::{sync::Arc, time::Duration};

use axum::{Json, extract::State, response::IntoResponse};
use http::header;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::key::NewSecret;
use svc_mcp_store::{EventKind, RotateKeyError};

use super::{KeyWithSecret, event};
use crate::{
    app::App,
    http::{
        extract::{Input, Manager, OptionalJson},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

const DEFAULT_GRACE_SECONDS: u32 = 86_400;
const MAX_GRACE_SECONDS: u32 = 604_800;

/// How to rotate the key
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RotateKey {
    /// How long the old secret works, in seconds: 0 to 604800 (7 days), 86400 (1 day) by default. 0: it is refused at once
    #[schemars(range(min = 0, max = MAX_GRACE_SECONDS), example = 3600)]
    grace_seconds: Option<u32>,
}

impl Input for RotateKey {}

pub(crate) fn operation() -> Operation {
    Operation::post("/api/brands/{brand_id}/mcp-keys/{key_id}/rotate", rotate_key)
        .describe(Tag::Keys, "rotate_key", "Give a key a new secret")
        .details(
            "Only by the person who created the key. Answers with the new secret in `api_key`, once. Everything else about the \
             key stays as it is, also its history and its limit, which both secrets share. The old secret works until the grace \
             or the key ends, whichever is first. While it works, the key cannot be rotated again: finish the rotation first. If \
             the answer was lost, reveal the key, or finish the rotation and rotate again.",
        )
        .optional_body::<RotateKey>()
        .json::<KeyWithSecret>(200, "The key, with its new secret")
}

async fn rotate_key(
    State(app): State<Arc<App>>,
    manager: Manager,
    OptionalJson(body): OptionalJson<RotateKey>,
) -> Result<impl IntoResponse, Problem> {
    let key = manager.key(&app).await?;
    if !manager.is_creator(&key) {
        return Err(Problem::new(
            Code::NotKeyCreator,
            "Only the person who created a key can rotate it. Create a key of your own instead.",
        ));
    }
    let now = app.clock.now();
    let grace = Duration::from_secs(body.grace_seconds.unwrap_or(DEFAULT_GRACE_SECONDS).into());
    let sealing = app.sealing.as_deref().filter(|_| key.can_reveal);
    let (brand_id, key_id) = (&manager.brand_id, &key.key_id);
    let (new, token) = NewSecret::generate(brand_id, key_id, sealing, &mut app.entropy.clone());
    let rotated = event(&app, EventKind::Rotated, &key, &manager.user_id, now);
    let key = manager.store(&app).rotate_key(brand_id, key_id, &new, now.plus(grace), &rotated)
        .await
        .map_err(|error| match error {
            RotateKeyError::Unknown => Problem::not_found("key"),
            RotateKeyError::Revoked => {
                Problem::new(Code::KeyRevoked, "A revoked key cannot be rotated. Create a new one.")
            }
            RotateKeyError::Expired => {
                Problem::new(Code::KeyExpired, "An expired key cannot be rotated. Create a new one.")
            }
            RotateKeyError::AlreadyRotating { until } => Problem::new(
                Code::AlreadyRotating,
                format!(
                    "The key was rotated before, and its old secret works until {until}. Wait until then, or finish that \
                     rotation first (`POST …/rotate/finish`)."
                ),
            ),
            RotateKeyError::Store(error) => error.into(),
        })?;
    let body = KeyWithSecret::new(key, &token, now);
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(body)))
}
