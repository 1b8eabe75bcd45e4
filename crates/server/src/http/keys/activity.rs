use std::sync::Arc;

use axum::{Json, extract::State};
use serde::Serialize;
use svc_mcp_access::KeyId;
use svc_mcp_store::{ActivityFilter, Event, EventKind, EventOutcome};
use utoipa::ToSchema;

use crate::{
    app::App,
    http::{
        extract::{Manager, Params, parsed},
        problem::Problem,
    },
};

/// A page of events, newest first
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Activity {
    events: Vec<EventView>,
    next_cursor: Option<String>,
}

/// Something that happened to a key or with it
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Event)]
pub(crate) struct EventView {
    event_id: String,
    #[schema(format = DateTime)]
    at: String,
    /// `created`, `revealed`, `revoked`, `list` (the tools were listed) or `call`
    #[schema(example = "call")]
    kind: &'static str,
    key_id: String,
    /// The user who did it; for `list` and `call`, the key's creator
    actor: String,
    tool: Option<String>,
    /// `ok`, `error` (allowed, and failed) or `denied`
    #[schema(example = "denied")]
    outcome: &'static str,
    /// Why it was denied or failed
    #[schema(example = "rate_limited")]
    reason: Option<String>,
    latency_ms: Option<f64>,
}

impl From<Event> for EventView {
    #[expect(clippy::cast_precision_loss, reason = "a latency of more than 2^52 µs is 142 years")]
    fn from(event: Event) -> Self {
        Self {
            event_id: event.event_id,
            at: event.at.to_string(),
            kind: event.kind.as_str(),
            key_id: event.key_id.into(),
            actor: event.actor.into(),
            tool: event.tool,
            outcome: event.outcome.as_str(),
            reason: event.reason,
            latency_ms: event.latency_us.map(|micros| micros as f64 / 1000.0),
        }
    }
}

/// What happened with the brand's keys
#[utoipa::path(get, path = "/api/brands/{brand_id}/mcp-activity", tag = "keys", security(("jwt" = [])),
    params(("brand_id" = String, Path), ("key_id" = Option<String>, Query), ("kind" = Option<String>, Query),
        ("outcome" = Option<String>, Query), ("limit" = Option<u32>, Query, description = "1 to 200, 50 by default"),
        ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "The events", body = Activity)))]
pub(crate) async fn brand_activity(
    State(app): State<Arc<App>>,
    manager: Manager,
    mut params: Params,
) -> Result<Json<Activity>, Problem> {
    let key_id = params.0.optional("key_id", parsed::<KeyId>);
    activity(&app, &manager, params, key_id).await
}

/// What happened with one key
#[utoipa::path(get, path = "/api/brands/{brand_id}/mcp-keys/{key_id}/activity", tag = "keys", security(("jwt" = [])),
    params(("brand_id" = String, Path), ("key_id" = String, Path), ("kind" = Option<String>, Query),
        ("outcome" = Option<String>, Query), ("limit" = Option<u32>, Query, description = "1 to 200, 50 by default"),
        ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "The events", body = Activity)))]
pub(crate) async fn key_activity(
    State(app): State<Arc<App>>,
    manager: Manager,
    params: Params,
) -> Result<Json<Activity>, Problem> {
    let key = manager.key(&app).await?;
    activity(&app, &manager, params, Some(key.key_id)).await
}

async fn activity(
    app: &App,
    manager: &Manager,
    mut params: Params,
    key_id: Option<KeyId>,
) -> Result<Json<Activity>, Problem> {
    let filter = ActivityFilter {
        key_id,
        kind: params.0.optional("kind", |value| {
            let known = value.as_str().and_then(|text| text.parse::<EventKind>().ok());
            known.ok_or_else(|| "must be one of created, revealed, revoked, list, call".to_owned())
        }),
        outcome: params.0.optional("outcome", |value| {
            let known = value.as_str().and_then(|text| text.parse::<EventOutcome>().ok());
            known.ok_or_else(|| "must be one of ok, error, denied".to_owned())
        }),
        after: params.cursor(),
        limit: params.number("limit", 50, 200),
    };
    params.0.finish()?;
    let (events, next) = app.store.activity(&manager.brand_id, &filter).await?;
    Ok(Json(Activity {
        events: events.into_iter().map(EventView::from).collect(),
        next_cursor: next.map(|cursor| cursor.encode()),
    }))
}
