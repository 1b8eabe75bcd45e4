use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::Timestamp;
use svc_mcp_store::{ActivitySearch, BrandEvent, Cursor};

use crate::{
    app::App,
    http::{
        activity::EventView,
        extract::{
            Input, Operator, PageLimit, ValidatedQuery,
            schemas::{self, LongCursorText, Time},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListActivity {
    /// Only events of this time or later
    #[schemars(with = "Option<Time>")]
    since: Option<Timestamp>,
    /// Only events before this time
    #[schemars(with = "Option<Time>")]
    until: Option<Timestamp>,
    #[serde(default)]
    limit: PageLimit<50, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<LongCursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListActivity {}

/// An event of a brand
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OperatorEvent {
    brand_id: String,
    #[serde(flatten)]
    event: EventView,
}

impl From<BrandEvent> for OperatorEvent {
    fn from(event: BrandEvent) -> Self {
        Self { brand_id: event.brand_id.to_string(), event: event.event.into() }
    }
}

/// A page of events of all brands, oldest first
#[derive(Debug, Serialize, JsonSchema)]
struct OperatorActivity {
    events: Vec<OperatorEvent>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/activity", list_activity)
        .describe(Tag::Operator, "list_activity", "What happened with the keys of all brands")
        .details(
            "Oldest first. The service writes requests with keys within a second, and events of a minute that is not over \
             yet can still change. So read the last minutes again.",
        )
        .query::<ListActivity>()
        .json::<OperatorActivity>(200, "The events")
}

async fn list_activity(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<ListActivity>,
) -> Result<Json<OperatorActivity>, Problem> {
    let ListActivity { since, until, limit, cursor } = query;
    let page = app
        .store
        .search_activity(&ActivitySearch { since, until, after: cursor, limit: limit.get() })
        .await?;
    let events = page.items.into_iter().map(OperatorEvent::from).collect();
    Ok(Json(OperatorActivity { events, next_cursor: page.next.map(|cursor| cursor.encode()) }))
}
