use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use svc_mcp_access::{BrandId, EndpointId};

use super::ENDPOINT;
use crate::{
    app::App,
    http::{
        extract::{Administrator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::delete(ENDPOINT, delete_event_endpoint)
        .describe(Tag::Brand, "delete_event_endpoint", "Delete an event endpoint")
        .details("Its deliveries are deleted too. Deleting it again changes nothing and answers the same.")
        .empty(204, "It is deleted")
}

async fn delete_event_endpoint(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    PathIds((brand_id, endpoint_id)): PathIds<(BrandId, EndpointId)>,
) -> Result<StatusCode, Problem> {
    administrator.store(&app).delete_event_endpoint(&brand_id, &endpoint_id).await?;
    Ok(StatusCode::NO_CONTENT)
}
