use std::sync::Arc;

use axum::extract::State;
use http::HeaderMap;
use svc_mcp_store::{EventKind, EventOutcome};

use crate::{
    app::App,
    http::{
        answer::{Answer, What},
        extract::{ListRequest, Metered, answered},
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
    let response = list.form(headers).response(headers);
    let metered = Metered {
        kind: EventKind::List,
        tool: None,
        outcome: EventOutcome::Ok,
        reason: None,
        arrival: request.arrival,
    };
    answered(app, request.caller, metered, What::Ready(response))
}
