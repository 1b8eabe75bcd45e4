use std::{borrow::Cow, sync::Arc};

use axum::{Json, extract::State, response::IntoResponse};
use http::{HeaderValue, header};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use svc_mcp_access::{
    BrandId, EndpointId, Fault, Secret,
    key::{SealOwner, Sealed},
};
use svc_mcp_store::PutEndpointError;
use svc_mcp_tools::{
    events::{EventEndpoint, EventQueue, EventType, MAX_ENDPOINTS},
    net::parse_http_url,
    standard_webhooks::SigningSecret,
};

use super::{ENDPOINT, EndpointView};
use crate::{
    app::App,
    http::{
        extract::{Administrator, Input, PathIds, ValidatedJson, schemas::HttpUrl},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

/// An event endpoint. Its signing secret is generated
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PutEndpoint {
    /// It must be a public server
    #[schemars(with = "HttpUrl", example = &"https://crm.example/events")]
    url: String,
    /// Only events of these types; left out or null: all
    #[serde(default)]
    #[schemars(with = "Option<Vec<TypeName>>", length(min = 1, max = 30))]
    types: Option<Vec<String>>,
    /// While it is false, no events are kept for the endpoint
    #[serde(default = "enabled_by_default")]
    enabled: bool,
    /// Replace the signing secret. The old one ends at once
    #[serde(default)]
    rotate_secret: bool,
}

/// The name of a type, for the schema.
struct TypeName;

impl JsonSchema for TypeName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "EventTypeName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = EventType::of_brands().map(EventType::as_str).collect();
        json_schema!({"type": "string", "enum": names})
    }
}

fn enabled_by_default() -> bool {
    true
}

impl Input for PutEndpoint {}

/// An endpoint and, if one was generated, its signing secret
#[derive(Serialize, JsonSchema)]
struct PutEndpointAnswer {
    #[serde(flatten)]
    endpoint: EndpointView,
    /// The signing secret. It is shown only here
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"whsec_…")]
    secret: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::put(ENDPOINT, put_event_endpoint)
        .describe(Tag::Brand, "put_event_endpoint", "Create or change an event endpoint")
        .details(
            "The answer that creates it has the signing secret, this once. Saving an endpoint that the service has switched off \
             switches it on. A brand has at most 5.",
        )
        .body::<PutEndpoint>()
        .json::<PutEndpointAnswer>(200, "The endpoint")
}

async fn put_event_endpoint(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    PathIds((brand_id, endpoint_id)): PathIds<(BrandId, EndpointId)>,
    ValidatedJson(body): ValidatedJson<PutEndpoint>,
) -> Result<impl IntoResponse, Problem> {
    if endpoint_id.as_str() == EventQueue::Operator.name() {
        let message = "must not be operator: this is the name of the operator's own endpoint";
        return Err(Problem::invalid_request(Fault::new("endpoint_id", message)));
    }
    let url = parse_http_url(&body.url)
        .map_err(|error| Problem::invalid_request(Fault::new("url", error.to_string())))?;
    let types = body.types.map(|names| {
        let mut types: Vec<EventType> = names.iter().filter_map(|name| name.parse().ok()).collect();
        types.sort_unstable();
        types.dedup();
        types
    });
    let before = app.store.event_endpoint(&brand_id, &endpoint_id).await?;
    let now = app.clock.now();
    let created_at = before.as_ref().map_or(now, |before| before.created_at);
    let (sealed, generated) = if let Some(before) = before.filter(|_| !body.rotate_secret) {
        (before.sealed, None)
    } else {
        let secret = SigningSecret::generate(&mut app.entropy.clone());
        (seal(&app, &brand_id, &endpoint_id, &secret)?, Some(secret))
    };
    let endpoint = EventEndpoint {
        endpoint_id,
        url: url.into(),
        types,
        enabled: body.enabled,
        sealed,
        failing_since: None,
        disabled_at: None,
        disabled_reason: None,
        dropped: 0,
        created_at,
        updated_at: now,
    };
    let put = administrator.store(&app).put_event_endpoint(&brand_id, &endpoint).await;
    let put = put.map_err(|error| match error {
        PutEndpointError::Store(error) => error.into(),
        PutEndpointError::LimitReached => Problem::new(
            Code::EndpointLimitReached,
            format!(
                "A brand has at most {MAX_ENDPOINTS} event endpoints. Delete one that is no longer used."
            ),
        ),
    })?;
    let secret = generated.map(|secret| secret.expose().to_owned());
    let no_store = HeaderValue::from_static("no-store");
    Ok(([(header::CACHE_CONTROL, no_store)], Json(PutEndpointAnswer { endpoint: put.into(), secret })))
}

fn seal(app: &App, brand: &BrandId, endpoint: &EndpointId, secret: &Secret) -> Result<Sealed, Problem> {
    let keys = app.sealing.as_ref().ok_or_else(|| {
        Problem::new(
            Code::SealingOff,
            "The signing secret of an endpoint is stored sealed, and sealing is off here. Nothing was changed; ask the operator \
             to set SVC_REVEAL_KEYS.",
        )
    })?;
    Ok(keys.seal(secret, SealOwner::event_endpoint(brand, endpoint), &mut app.entropy.clone()))
}
