use std::sync::Arc;

use axum::extract::State;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response};
use http_body_util::Full;
use svc_mcp_store::{EventKind, EventOutcome};
use svc_mcp_tools::execute::{Executed, NotExecuted, execute};

use crate::{
    app::App,
    http::{
        answer::{Answer, What},
        extract::{CallRequest, Metered, answered},
        problem::{Code, Problem},
    },
};

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

pub(crate) const PATH: &str = "/mcp/v1/tools/call";

/// Call a tool
///
/// Answers with the MCP result object. A tool that ran and failed for a reason of its own is a 200 with `isError: true`
/// and `structuredContent {code, message, hint, retryable}`. With `Idempotency-Key`, a write tool runs once: the same
/// key and body replay the first answer for 24 hours.
#[utoipa::path(post, path = "/mcp/v1/tools/call", tag = "tools", security(("mcp_key" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters")),
    request_body = super::super::openapi::CallBody,
    responses((status = 200, description = "The tool's result", body = super::super::openapi::CallResult,
        headers(("RateLimit" = String), ("RateLimit-Policy" = String), ("Idempotency-Replayed" = String)))))]
pub(crate) async fn call_tool(State(app): State<Arc<App>>, request: CallRequest) -> Answer {
    answer(&app, request).await
}

pub(crate) async fn answer(app: &App, request: CallRequest) -> Answer {
    let CallRequest { caller, prepared, idempotency_key, arrival } = request;
    let tool = prepared.tool;
    let executed = execute(&app.call(caller.clone()), prepared, idempotency_key).await;
    let (outcome, reason) = match &executed {
        Ok(executed) if executed.is_error => (EventOutcome::Error, Some("tool_failed")),
        Ok(_) => (EventOutcome::Ok, None),
        Err(NotExecuted::Unavailable) => (EventOutcome::Error, Some(Code::Unavailable.as_str())),
        Err(NotExecuted::InProgress) => (EventOutcome::Denied, Some(Code::InProgress.as_str())),
        Err(NotExecuted::Reused) => (EventOutcome::Denied, Some(Code::IdempotencyReused.as_str())),
    };
    let metered = Metered { kind: EventKind::Call, tool: Some(tool), outcome, reason, arrival };
    match executed {
        Ok(executed) => answered(app, caller, metered, What::Ready(result(app, executed))),
        Err(why) => answered(app, caller, metered, not_executed(why)),
    }
}

fn result(app: &App, executed: Executed) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(executed.body));
    *response.headers_mut() = app.ready.result();
    if executed.replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

fn not_executed(why: NotExecuted) -> Problem {
    match why {
        NotExecuted::Unavailable => Problem::unavailable(),
        NotExecuted::InProgress => Problem::new(
            Code::InProgress,
            "Wait for `Retry-After` seconds and send the same request again: you will get the first one's answer.",
        )
        .retry_after(1),
        NotExecuted::Reused => Problem::new(
            Code::IdempotencyReused,
            "An idempotency key stands for one request. Send this one with a new key.",
        ),
    }
}
