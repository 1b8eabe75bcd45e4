use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::{BrandId, EndpointId};

use super::{ENDPOINT, EndpointView};
use crate::{
    app::App,
    http::{
        extract::{Administrator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get(ENDPOINT, get_event_endpoint)
        .describe(Tag::Brand, "get_event_endpoint", "One event endpoint")
        .json::<EndpointView>(200, "The endpoint")
}

async fn get_event_endpoint(
    State(app): State<Arc<App>>,
    _: Administrator,
    PathIds((brand_id, endpoint_id)): PathIds<(BrandId, EndpointId)>,
) -> Result<Json<EndpointView>, Problem> {
    let stored = app.store.event_endpoint(&brand_id, &endpoint_id).await?;
    stored.map(|stored| Json(stored.into())).ok_or_else(|| Problem::not_found("event endpoint"))
}
