use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;

use super::{ENDPOINTS, EndpointView};
use crate::{
    app::App,
    http::{
        extract::Administrator,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Serialize, JsonSchema)]
struct EventEndpoints {
    event_endpoints: Vec<EndpointView>,
}

pub(crate) fn operation() -> Operation {
    Operation::get(ENDPOINTS, list_event_endpoints)
        .describe(Tag::Brand, "list_event_endpoints", "The brand's event endpoints")
        .json::<EventEndpoints>(200, "The endpoints")
}

async fn list_event_endpoints(
    State(app): State<Arc<App>>,
    administrator: Administrator,
) -> Result<Json<EventEndpoints>, Problem> {
    let stored = app.store.event_endpoints(&administrator.brand_id).await?;
    Ok(Json(EventEndpoints { event_endpoints: stored.into_iter().map(EndpointView::from).collect() }))
}
