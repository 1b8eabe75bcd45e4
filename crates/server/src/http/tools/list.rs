use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use svc_mcp_store::{EventKind, EventOutcome};

use crate::{
    app::App,
    http::{
        extract::{ListRequest, Metered, answered},
        pages::is_current,
    },
};

/// List the tools this key may call
///
/// In a fixed order, each as an MCP Tool object. Send the `ETag` back as `If-None-Match` to be told 304 while nothing
/// has changed; that request counts too.
#[utoipa::path(get, path = "/mcp/v1/tools", tag = "tools", security(("mcp_key" = [])),
    responses((status = 200, description = "The tools", body = super::super::openapi::ToolListBody,
        headers(("ETag" = String), ("RateLimit" = String), ("RateLimit-Policy" = String))),
        (status = 304, description = "Nothing has changed")))]
pub(crate) async fn list_tools(State(app): State<Arc<App>>, request: ListRequest) -> Response {
    let list = app.tool_lists.for_key(&request.caller.standing);
    let headers = [
        (header::ETAG, list.etag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
    ];
    let response = if is_current(&request.headers, &list.etag) {
        (StatusCode::NOT_MODIFIED, headers).into_response()
    } else {
        let json = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        (headers, json, list.body).into_response()
    };
    let metered = Metered {
        kind: EventKind::List,
        tool: None,
        outcome: EventOutcome::Ok,
        reason: None,
        arrival: request.arrival,
    };
    answered(&app, request.caller, metered, response)
}
