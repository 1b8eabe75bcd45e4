use std::{collections::BTreeSet, sync::Arc};

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_access::{
    ApprovalRule, Fault, Networks, Scope, Timestamp,
    key::{ChangeRefused, KeyChanges},
};
use svc_mcp_store::{EventKind, UpdateKeyError};

use super::{
    KEY, KeyView, event,
    fields::{self, MAX_LABEL_CHARS, MAX_NETWORKS, key_limit_reached},
};
use crate::{
    app::App,
    http::{
        extract::{
            Input, Manager, ValidatedJson,
            schemas::{self, NetworkText, PLAIN_TEXT, Time, ToolName},
        },
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

/// What to change. A field that is absent stays as it is. Null removes the restriction by `tools`, `expires_at` or
/// `allowed_networks`; any other field that is null stays as it is
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::option_option, reason = "null and absent mean different things")]
struct UpdateKey {
    /// 1 to 100 characters
    #[schemars(length(min = 1, max = MAX_LABEL_CHARS), regex(pattern = PLAIN_TEXT))]
    label: Option<String>,
    /// Only to a narrower one: `full` to `write` or `read`, `write` to `read`
    #[schemars(
        with = "Option<String>",
        extend("enum" = [Scope::Read, Scope::Write, Scope::Full, Value::Null])
    )]
    scope: Option<Scope>,
    /// When it stops working, in the future; null: never
    #[serde(default, deserialize_with = "schemas::nullable")]
    #[schemars(with = "Option<Time>")]
    expires_at: Option<Option<Timestamp>>,
    /// Only these tools; null: all tools of the scope
    #[serde(default, deserialize_with = "schemas::nullable")]
    #[schemars(with = "Option<Vec<ToolName>>", length(min = 1))]
    tools: Option<Option<BTreeSet<String>>>,
    /// Which calls wait for a person's approval: `none`, `outward` or `all`
    #[schemars(
        with = "Option<String>",
        extend("enum" = [ApprovalRule::None, ApprovalRule::Outward, ApprovalRule::All, Value::Null])
    )]
    approval: Option<ApprovalRule>,
    /// Only from these networks, 1 to 20; null: from anywhere
    #[serde(default, deserialize_with = "schemas::nullable")]
    #[schemars(with = "Option<Vec<NetworkText>>", length(min = 1, max = MAX_NETWORKS))]
    allowed_networks: Option<Option<Networks>>,
    /// True: the key is refused until it is resumed. False: it works again
    paused: Option<bool>,
}

impl Input for UpdateKey {
    fn normalize(body: &mut Value) {
        fields::normalize(body);
    }

    fn check(body: &Value, app: &App) -> Vec<Fault> {
        fields::check(body, app)
    }
}

impl From<UpdateKey> for KeyChanges {
    fn from(body: UpdateKey) -> Self {
        Self {
            label: body.label,
            scope: body.scope,
            tools: body.tools.map(|tools| tools.map(|tools| tools.into_iter().collect())),
            expires_at: body.expires_at,
            approval: body.approval,
            allowed_networks: body.allowed_networks,
            paused: body.paused,
        }
    }
}

pub(crate) fn operation() -> Operation {
    Operation::patch(KEY, update_key)
        .describe(Tag::Keys, "update_key", "Change, pause or resume a key")
        .details(
            "By its creator or an administrator of the brand. All changes are made together, or none, and are effective for \
             the next request. An administrator can only narrow another person's key: fewer tools, an earlier expiry, a \
             stricter rule of approval, a smaller set of networks. The scope becomes only narrower, for everybody. While a \
             key is paused, what it has queued is held. What is still held 24 hours after its time is cancelled.",
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
    let now = app.clock.now();
    let updated = event(&app, EventKind::Updated, &key, &manager.user_id, now);
    let key = manager
        .store(&app)
        .update_key(&manager.brand_id, &key.key_id, &body.into(), &updated)
        .await
        .map_err(refused)?;
    Ok(Json(KeyView::new(key, now)))
}

fn refused(error: UpdateKeyError) -> Problem {
    match error {
        UpdateKeyError::NotFound => Problem::not_found("key"),
        UpdateKeyError::Refused(ChangeRefused::Revoked) => {
            Problem::new(Code::KeyRevoked, "A revoked key cannot be changed. Create a new one.")
        }
        UpdateKeyError::Refused(ChangeRefused::ScopeWidened) => Problem::new(
            Code::ScopeCannotWiden,
            "The scope of a key can only become narrower. Create a new key with the scope that you need.",
        ),
        UpdateKeyError::Refused(ChangeRefused::NotCreator(field)) => Problem::new(
            Code::NotKeyCreator,
            format!(
                "With this `{field}` the key could do more. Only the person who created it can allow that. Ask them."
            ),
        ),
        UpdateKeyError::QuotaReached(reached) => key_limit_reached(reached),
        UpdateKeyError::Store(error) => error.into(),
    }
}
