use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{BrandId, UserId};
use svc_mcp_store::{KeysOf, RevokedKeys};

use crate::{
    app::App,
    http::{
        extract::{Operator, PathIds},
        keys::revoke::RevokedKey,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const DETAILS: &str = "The very next request with each key is refused, and what the keys have queued is cancelled, also what \
    an earlier revoke kept. The keys are revoked in batches: after an error, send the request again to revoke the others.";

/// What was revoked and stopped
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RevokedKeys")]
pub(crate) struct RevokedKeysView {
    /// The number of keys. Those that were revoked before do not count
    revoked: u32,
    #[serde(flatten)]
    stopped: RevokedKey,
}

impl From<RevokedKeys> for RevokedKeysView {
    fn from(done: RevokedKeys) -> Self {
        Self { revoked: done.revoked, stopped: done.stopped.into() }
    }
}

pub(crate) fn of_brand_operation() -> Operation {
    Operation::post("/api/admin/brands/{brand_id}/revoke-keys", revoke_keys_of_brand)
        .describe(Tag::Operator, "revoke_keys_of_brand", "Revoke all keys of a brand")
        .details(DETAILS)
        .json::<RevokedKeysView>(200, "They are revoked")
}

pub(crate) fn of_user_operation() -> Operation {
    Operation::post("/api/admin/users/{user_id}/revoke-keys", revoke_keys_of_user)
        .describe(
            Tag::Operator,
            "revoke_keys_of_user",
            "Revoke all keys that a user has created, in all brands",
        )
        .details(DETAILS)
        .json::<RevokedKeysView>(200, "They are revoked")
}

async fn revoke_keys_of_brand(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(brand_id): PathIds<BrandId>,
) -> Result<Json<RevokedKeysView>, Problem> {
    if app.store.brand(&brand_id).await?.is_none() {
        return Err(Problem::not_found("brand"));
    }
    revoke_keys(&app, &operator, &KeysOf::Brand(brand_id)).await
}

async fn revoke_keys_of_user(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(user_id): PathIds<UserId>,
) -> Result<Json<RevokedKeysView>, Problem> {
    revoke_keys(&app, &operator, &KeysOf::User(user_id)).await
}

async fn revoke_keys(
    app: &App,
    operator: &Operator,
    whose: &KeysOf,
) -> Result<Json<RevokedKeysView>, Problem> {
    let (now, events) = (app.clock.now(), app.fresh_event_id());
    let done = operator.store(app).revoke_keys_of(whose, &operator.user_id, now, &events).await?;
    Ok(Json(done.into()))
}
