use std::{collections::BTreeSet, sync::Arc};

use axum::{Json, extract::State, response::IntoResponse};
use http::{HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{
    KeyId, Scope, Secret, Timestamp,
    key::{ACTIVE_KEYS_PER_BRAND, Key, KeyToken, NewKey},
    validate::repeated,
};
use svc_mcp_store::{EventKind, KeyLimitReached};
use utoipa::ToSchema;

use super::{KeyView, event};
use crate::{
    app::App,
    http::{
        extract::{Fields, JsonBody, Manager, parsed, text},
        problem::{Code, Problem},
    },
};

const LONGEST_LABEL: usize = 100;

/// What a key is to be
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "the document's picture of what `Wish::read` takes")]
pub(crate) struct CreateKey {
    /// 1 to 100 characters
    #[schema(example = "Claude on my laptop")]
    label: String,
    /// `read` (the default), `write` or `full`
    #[schema(example = "read")]
    scope: Option<String>,
    /// Whether the secret can be shown again; true by default, and without effect where revealing is off
    can_reveal: Option<bool>,
    /// When it stops working; never by default
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    /// Only these tools
    tools: Option<Vec<String>>,
}

/// A key and, this once, its secret
#[derive(Serialize, ToSchema)]
pub(crate) struct CreatedKey {
    #[serde(flatten)]
    key: KeyView,
    /// The secret. It is shown only here
    #[schema(example = "svc_mcp_…")]
    api_key: String,
}

struct Wish {
    label: String,
    scope: Scope,
    can_reveal: bool,
    expires_at: Option<Timestamp>,
    tools: Option<Vec<String>>,
}

/// Create a key
///
/// Answers with the secret in `api_key`, once. A key may be created while MCP is inactive on the brand's plan: it works
/// once MCP is active. A brand has at most 50 active keys.
#[utoipa::path(post, path = "/api/brands/{brand_id}/mcp-keys", tag = "keys", security(("jwt" = [])),
    params(("brand_id" = String, Path)), request_body = CreateKey,
    responses((status = 201, description = "The key", body = CreatedKey, headers(("Location" = String)))))]
pub(crate) async fn create_key(
    State(app): State<Arc<App>>,
    manager: Manager,
    JsonBody(body): JsonBody,
) -> Result<impl IntoResponse, Problem> {
    let now = app.clock.now();
    let wish = Wish::read(body, &app, now)?;
    let mut random = app.entropy.clone();
    let token = KeyToken::generate(&mut random);
    let sealing = app.sealing.as_ref().filter(|_| wish.can_reveal);
    let key = Key {
        key_id: KeyId::fresh(&mut random),
        brand_id: manager.brand_id.clone(),
        created_by: manager.user_id.clone(),
        label: wish.label,
        scope: wish.scope,
        prefix: token.shown_prefix().to_owned(),
        can_reveal: sealing.is_some(),
        created_at: now,
        last_used_at: None,
        expires_at: wish.expires_at,
        revoked_at: None,
        tools: wish.tools,
    };
    let sealed = sealing.map(|keys| {
        let owner = [key.brand_id.as_str(), key.key_id.as_str()];
        keys.seal(&Secret::new(token.expose().to_owned()), &owner, &mut random)
    });
    let created = event(&app, EventKind::Created, &key, &manager.user_id, now);
    let new = NewKey { key, digest: token.digest(), sealed };
    let kept = app.store.create_key(&manager.brand_id, &new, &created).await?;
    kept.map_err(|KeyLimitReached| {
        Problem::new(
            Code::KeyLimitReached,
            format!(
                "A brand has at most {ACTIVE_KEYS_PER_BRAND} active keys. Revoke one that is no longer used."
            ),
        )
    })?;
    let location = format!("/api/brands/{}/mcp-keys/{}", new.key.brand_id, new.key.key_id);
    let headers = [
        (header::LOCATION, HeaderValue::try_from(location).expect("ids are plain ASCII")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    let body = CreatedKey { key: KeyView::of(new.key, now), api_key: token.expose().to_owned() };
    Ok((StatusCode::CREATED, headers, Json(body)))
}

impl Wish {
    fn read(body: Value, app: &App, now: Timestamp) -> Result<Self, Problem> {
        let mut fields = Fields::of(body)?;
        let label = fields.required("label", text(LONGEST_LABEL));
        let scope = fields.optional("scope", parsed).unwrap_or_default();
        let can_reveal =
            fields.optional("can_reveal", |value| value.as_bool().ok_or("must be true or false".into()));
        let expires_at = fields.optional("expires_at", |value| {
            let at: Timestamp = parsed(value)?;
            if at > now { Ok(at) } else { Err("must be in the future".into()) }
        });
        let tools = fields.optional("tools", |value| read_tools(value, app));
        fields.finish()?;
        Ok(Self {
            label: label.expect("finish found no fault"),
            scope,
            can_reveal: can_reveal.unwrap_or(true),
            expires_at,
            tools,
        })
    }
}

/// Names of tools there are, each once. A name that no tool has would be a key that can do less than its maker thinks.
fn read_tools(value: &Value, app: &App) -> Result<Vec<String>, String> {
    let names = value.as_array().ok_or("must be a list of tool names")?;
    if names.is_empty() {
        return Err("must name at least one tool; leave it out to allow all of the scope".into());
    }
    let mut tools = BTreeSet::new();
    for name in names {
        let name = name.as_str().ok_or("must be a list of tool names")?;
        if app.registry.find(name).is_none() {
            return Err(format!("there is no tool `{}`", repeated(name)));
        }
        tools.insert(name.to_owned());
    }
    Ok(tools.into_iter().collect())
}
