use std::sync::Arc;

use axum::{body::Body, extract::State, response::Response};
use http::{HeaderMap, StatusCode, header};
use svc_mcp_store::{EventKind, EventOutcome};

use crate::{
    app::App,
    http::{
        extract::{ListRequest, Metered, answered},
        pages::is_current,
        problem::Answer,
    },
};

pub(crate) const PATH: &str = "/mcp/v1/tools";

/// List the tools this key may call
///
/// In a fixed order, each as an MCP Tool object. Send the `ETag` back as `If-None-Match` to be told 304 while nothing
/// has changed; that request counts too. Accept gzip to get a seventh of the bytes.
#[utoipa::path(get, path = "/mcp/v1/tools", tag = "tools", security(("mcp_key" = [])),
    responses((status = 200, description = "The tools", body = super::super::openapi::ToolListBody,
        headers(("ETag" = String), ("RateLimit" = String), ("RateLimit-Policy" = String))),
        (status = 304, description = "Nothing has changed")))]
pub(crate) async fn list_tools(
    State(app): State<Arc<App>>,
    request: ListRequest,
    headers: HeaderMap,
) -> Answer {
    answer(&app, request, &headers)
}

pub(crate) fn answer(app: &App, request: ListRequest, headers: &HeaderMap) -> Answer {
    let list = app.tool_lists.for_key(&request.caller.standing);
    let list = list.form(headers);
    let mut response = if is_current(headers, &list.etag) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        Response::new(Body::from(list.body.clone()))
    };
    response.headers_mut().clone_from(&list.headers);
    if response.status() == StatusCode::NOT_MODIFIED {
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.headers_mut().remove(header::CONTENT_ENCODING);
    }
    let metered = Metered {
        kind: EventKind::List,
        tool: None,
        outcome: EventOutcome::Ok,
        reason: None,
        arrival: request.arrival,
    };
    answered(app, request.caller, metered, response)
}
