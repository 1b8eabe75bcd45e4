use std::{collections::BTreeSet, sync::Arc};

use axum::{Json, extract::State, response::IntoResponse};
use http::{HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{
    ApprovalRule, Fault, Scope, Timestamp,
    key::{KeySpec, NewKey},
};
use svc_mcp_store::{CreateKeyError, EventKind};

use super::{KEYS, KeyView, event};
use crate::{
    app::App,
    http::{
        extract::{
            Input, Manager, ValidatedJson,
            schemas::{PLAIN_TEXT, Time, ToolName},
            trim_fields,
        },
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

const MAX_LABEL_CHARS: usize = 100;

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
}

impl Input for CreateKey {
    fn normalize(body: &mut Value) {
        trim_fields(body, &["label"]);
    }

    fn check(body: &Value, app: &App) -> Vec<Fault> {
        let expires_at = body["expires_at"].as_str().and_then(|text| text.parse::<Timestamp>().ok());
        let is_past = expires_at.is_some_and(|at| at <= app.clock.now());
        is_past.then(|| Fault::new("expires_at", "must be in the future")).into_iter().collect()
    }
}

/// A key and, this once, its secret
#[derive(Serialize, JsonSchema)]
struct CreatedKey {
    #[serde(flatten)]
    key: KeyView,
    /// The secret. It is shown only here
    #[schemars(example = &"svc_mcp_…")]
    api_key: String,
}

pub(crate) fn operation() -> Operation {
    Operation::post(KEYS, create_key)
        .describe(Tag::Keys, "create_key", "Create a key")
        .details(
            "Answers with the secret in `api_key`, once. A key may be created while MCP is inactive on the brand's plan: \
             it works once MCP is active. A brand has at most 50 active keys, or the number that its plan sets.",
        )
        .body::<CreateKey>()
        .json::<CreatedKey>(201, "The key")
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
    };
    let sealing = app.sealing.as_deref().filter(|_| body.can_reveal.unwrap_or(true));
    let (new, token) = NewKey::generate(spec, sealing, now, &mut random);
    let created = event(&app, EventKind::Created, &new.key, &manager.user_id, now);
    app.store.create_key(&manager.brand_id, &new, &created).await.map_err(|error| match error {
        CreateKeyError::Store(error) => error.into(),
        CreateKeyError::QuotaReached(reached) => Problem::new(
            Code::KeyLimitReached,
            format!("The brand can have {} active keys. Revoke one that is no longer used.", reached.limit),
        )
        .with_quota(reached),
    })?;
    let location = format!("/api/brands/{}/mcp-keys/{}", new.key.brand_id, new.key.key_id);
    let headers = [
        (header::LOCATION, HeaderValue::try_from(location).expect("ids are plain ASCII")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    let body = CreatedKey { key: KeyView::new(new.key, now), api_key: token.expose().to_owned() };
    Ok((StatusCode::CREATED, headers, Json(body)))
}
