use std::{collections::BTreeSet, sync::Arc};

use axum::{Json, extract::State, response::IntoResponse};
use http::{HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_access::{
    ApprovalRule, Fault, Networks, Scope, Timestamp,
    key::{KeySpec, NewKey},
};
use svc_mcp_store::{CreateKeyError, EventKind};

use super::{
    KEYS, KeyWithSecret, event,
    fields::{self, MAX_LABEL_CHARS, MAX_NETWORKS, key_limit_reached},
};
use crate::{
    app::App,
    http::{
        extract::{
            Input, Manager, ValidatedJson,
            schemas::{NetworkText, PLAIN_TEXT, Time, ToolName},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// The key to create
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateKey {
    /// 1 to 100 characters
    #[schemars(
        length(min = 1, max = MAX_LABEL_CHARS),
        regex(pattern = PLAIN_TEXT),
        example = &"Claude on my laptop"
    )]
    label: String,
    /// `read` (the default), `write` or `full`
    #[schemars(
        with = "Option<String>",
        extend("enum" = [Scope::Read, Scope::Write, Scope::Full, Value::Null]),
        example = &"read"
    )]
    scope: Option<Scope>,
    /// Whether the secret can be shown again; true by default, and without effect where revealing is off
    can_reveal: Option<bool>,
    /// When it stops working, in the future; never by default
    #[schemars(with = "Option<Time>")]
    expires_at: Option<Timestamp>,
    /// Only these tools; all tools of the scope by default
    #[schemars(with = "Option<Vec<ToolName>>", length(min = 1))]
    tools: Option<BTreeSet<String>>,
    /// Which calls wait for a person's approval: `none` (the default), `outward` (what people outside notice) or `all` (every
    /// change). The brand may have a stricter rule
    #[schemars(
        with = "Option<String>",
        extend("enum" = [ApprovalRule::None, ApprovalRule::Outward, ApprovalRule::All, Value::Null]),
        example = &"outward"
    )]
    approval: Option<ApprovalRule>,
    /// Only from these networks, 1 to 20, such as `203.0.113.0/24` or `2001:db8::/32`. An address is a network too. From
    /// anywhere by default
    #[schemars(with = "Option<Vec<NetworkText>>", length(min = 1, max = MAX_NETWORKS))]
    allowed_networks: Option<Networks>,
}

impl Input for CreateKey {
    fn normalize(body: &mut Value) {
        fields::normalize(body);
    }

    fn check(body: &Value, app: &App) -> Vec<Fault> {
        fields::check(body, app)
    }
}

pub(crate) fn operation() -> Operation {
    Operation::post(KEYS, create_key)
        .describe(Tag::Keys, "create_key", "Create a key")
        .details(
            "Answers with the secret in `api_key`, once. A key may be created while MCP is inactive on the brand's plan: \
             it works once MCP is active. A brand has at most 50 active keys, or the number that its plan sets.",
        )
        .body::<CreateKey>()
        .json::<KeyWithSecret>(201, "The key")
        .with_headers(&["Location"])
}

async fn create_key(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedJson(body): ValidatedJson<CreateKey>,
) -> Result<impl IntoResponse, Problem> {
    let now = app.clock.now();
    let mut random = app.entropy.clone();
    let spec = KeySpec {
        brand_id: manager.brand_id.clone(),
        created_by: manager.user_id.clone(),
        label: body.label,
        scope: body.scope.unwrap_or_default(),
        expires_at: body.expires_at,
        tools: body.tools.map(|tools| tools.into_iter().collect()),
        approval: body.approval.unwrap_or_default(),
        allowed_networks: body.allowed_networks,
    };
    let sealing = app.sealing.as_deref().filter(|_| body.can_reveal.unwrap_or(true));
    let (new, token) = NewKey::generate(spec, sealing, now, &mut random);
    let created = event(&app, EventKind::Created, &new.key, &manager.user_id, now);
    manager.store(&app).create_key(&manager.brand_id, &new, &created).await.map_err(|error| match error {
        CreateKeyError::Store(error) => error.into(),
        CreateKeyError::BrandSuspended => Problem::brand_suspended(),
        CreateKeyError::QuotaReached(reached) => key_limit_reached(reached),
    })?;
    let location = format!("/api/brands/{}/mcp-keys/{}", new.key.brand_id, new.key.key_id);
    let headers = [
        (header::LOCATION, HeaderValue::try_from(location).expect("ids are plain ASCII")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    let body = KeyWithSecret::new(new.key, &token, now);
    Ok((StatusCode::CREATED, headers, Json(body)))
}
