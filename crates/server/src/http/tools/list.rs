use std::sync::Arc;

use axum::{extract::State, response::Response};
use svc_mcp_store::{EventKind, EventOutcome};

use crate::{
    app::App,
    http::{
        extract::{ListRequest, UseOutcome, record_admitted},
        openapi::ToolListBody,
        operation::{Operation, Tag},
        problem::Problem,
        rate_limit,
    },
};

pub(crate) const PATH: &str = "/mcp/v1/tools";

pub(crate) fn operation() -> Operation {
    Operation::get(PATH, list_tools)
        .describe(Tag::Tools, "list_tools", "List the tools this key may call")
        .details(
            "In a fixed order, each as an MCP Tool object. Send the `ETag` back as `If-None-Match` to get 304 while nothing \
             has changed; that request counts too. With gzip, the answer is a quarter of the size.",
        )
        .json::<ToolListBody>(200, "The tools")
        .with_headers(&["ETag", "RateLimit", "RateLimit-Policy"])
        .empty(304, "Nothing has changed")
}

pub(crate) async fn list_tools(
    State(app): State<Arc<App>>,
    request: ListRequest,
) -> Result<Response, Problem> {
    let ListRequest { caller, client, parts, start } = request;
    let mut response = app.tool_lists.for_key(&caller.key_state).response(parts.headers);
    rate_limit::insert_headers(response.headers_mut(), &caller.rate);
    let outcome = UseOutcome { kind: EventKind::List, tool: None, outcome: EventOutcome::Ok, reason: None };
    record_admitted(&app, caller, &client, start, outcome);
    Ok(response)
}
