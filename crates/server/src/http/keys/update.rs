use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_access::ApprovalRule;
use svc_mcp_store::EventKind;

use super::{KEY, KeyView, event};
use crate::{
    app::App,
    http::{
        extract::{Input, Manager, ValidatedJson},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

/// What to change. A field that is absent or null stays as it is
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateKey {
    /// True: the key is refused until it is resumed. False: it works again
    paused: Option<bool>,
    /// Which calls wait for a person's approval: `none`, `outward` or `all`. An administrator can make the rule of another
    /// person's key only stricter
    #[schemars(
        with = "Option<String>",
        extend("enum" = [ApprovalRule::None, ApprovalRule::Outward, ApprovalRule::All, Value::Null])
    )]
    approval: Option<ApprovalRule>,
}

impl Input for UpdateKey {}

pub(crate) fn operation() -> Operation {
    Operation::patch(KEY, update_key)
        .describe(Tag::Keys, "update_key", "Change, pause or resume a key")
        .details(
            "By its creator or an administrator of the brand. Effective for the next request. While a key is paused, what it \
             has queued is held. What is still held 24 hours after its time is cancelled.",
        )
        .body::<UpdateKey>()
        .json::<KeyView>(200, "The key")
}

async fn update_key(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedJson(body): ValidatedJson<UpdateKey>,
) -> Result<Json<KeyView>, Problem> {
    let key = manager.key(&app).await?;
    if !manager.is_creator(&key) && !manager.is_admin() {
        return Err(Problem::new(
            Code::NotKeyCreator,
            "Only the person who created the key or an administrator of the brand can change it. Ask one of them.",
        ));
    }
    if key.revoked_at.is_some() {
        return Err(Problem::new(Code::KeyRevoked, "A revoked key cannot be changed. Create a new one."));
    }
    if !manager.is_creator(&key) && body.approval.is_some_and(|approval| approval < key.approval) {
        return Err(Problem::new(
            Code::NotKeyCreator,
            "Only the person who created the key can let it do more without approval. Ask them.",
        ));
    }
    let now = app.clock.now();
    if let Some(approval) = body.approval {
        let mut updated = event(&app, EventKind::Updated, &key, &manager.user_id, now);
        updated.reason = Some("approval");
        app.store.set_key_approval(&manager.brand_id, &key.key_id, approval, &updated).await?;
    }
    match body.paused {
        Some(true) => {
            let paused = event(&app, EventKind::Paused, &key, &manager.user_id, now);
            app.store.pause_key(&manager.brand_id, &key.key_id, &paused).await?;
        }
        Some(false) => {
            let resumed = event(&app, EventKind::Resumed, &key, &manager.user_id, now);
            app.store.resume_key(&manager.brand_id, &key.key_id, &resumed).await?;
        }
        None => {}
    }
    let key = manager.key(&app).await?;
    Ok(Json(KeyView::new(key, now)))
}
