//! What happened to keys and with them, and to posts.

pub(crate) mod brand;
pub(crate) mod key;

use axum::Json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, KeyId};
use svc_mcp_store::{ActivityFilter, Cursor, Event, EventKind, EventOutcome};

use super::{
    extract::{
        Input, PageLimit,
        schemas::{self, CursorText, Time},
    },
    problem::Problem,
};
use crate::app::App;

const OUTCOMES: [EventOutcome; 3] = [EventOutcome::Ok, EventOutcome::Error, EventOutcome::Denied];

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ActivityQuery {
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = EventKind::ALL.map(EventKind::as_str)))]
    kind: Option<EventKind>,
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = OUTCOMES.map(EventOutcome::as_str)))]
    outcome: Option<EventOutcome>,
    #[serde(default)]
    limit: PageLimit<50, 200>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ActivityQuery {}

/// A page of events, newest first
#[derive(Debug, Serialize, JsonSchema)]
struct Activity {
    events: Vec<EventView>,
    /// Allowed requests of all keys of the brand, in the time of this page, that are counted in the usage but have no
    /// event, because there were too many at a time
    left_out: u64,
    next_cursor: Option<String>,
}

/// Something that happened to a key or with it
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Event")]
pub(crate) struct EventView {
    event_id: String,
    #[schemars(with = "Time")]
    at: String,
    /// `created`, `revealed`, `updated`, `paused`, `resumed`, `revoked`, `cancelled` (work that the key had queued), `list`
    /// (the tools were listed), `call`, `approved` or `rejected` (a person decided on a call), `post` (a person changed a
    /// post), `audit` (a person started one), `leaked` (its secret was reported as public, and the key was revoked), or `expiring` (it expires soon)
    #[schemars(example = &"call")]
    kind: &'static str,
    /// For `audit`, the id of the audit
    key_id: String,
    /// The user who did it; for `list` and `call`, the key's creator; `svc-mcp` if the service did it
    actor: String,
    /// For `post` and `audit`, the tool that does the same
    tool: Option<String>,
    /// The post that a person changed
    post_id: Option<String>,
    /// `ok`, `error` (allowed, but failed) or `denied`
    #[schemars(example = &"denied")]
    outcome: &'static str,
    /// Why it was denied, failed or cancelled, why a key was paused, what was updated, or `awaiting_approval`
    #[schemars(example = &"rate_limited")]
    reason: Option<String>,
    latency_ms: Option<f64>,
    /// Denied requests of one key in one minute for one reason are one event. `tool` is null if they named several
    #[schemars(range(min = 1))]
    count: u64,
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
            post_id: event.post_id,
            outcome: event.outcome.as_str(),
            reason: event.reason,
            latency_ms: event.latency_us.map(|micros| micros as f64 / 1000.0),
            count: event.count,
        }
    }
}

async fn find(
    app: &App,
    brand_id: &BrandId,
    key_id: Option<KeyId>,
    query: ActivityQuery,
) -> Result<Json<Activity>, Problem> {
    let ActivityQuery { kind, outcome, limit, cursor } = query;
    let filter = ActivityFilter { key_id, kind, outcome, after: cursor, limit: limit.get() };
    let (events, next) = app.store.activity(brand_id, &filter).await?;
    // The last page reaches back to the beginning.
    let from = next.as_ref().map(|cursor| cursor.at);
    let left_out = app.store.events_left_out(brand_id, from, filter.after.map(|cursor| cursor.at)).await?;
    Ok(Json(Activity {
        events: events.into_iter().map(EventView::from).collect(),
        left_out,
        next_cursor: next.map(|cursor| cursor.encode()),
    }))
}
