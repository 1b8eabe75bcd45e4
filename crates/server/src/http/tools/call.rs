use std::sync::Arc;

use axum::{body::Body, extract::State, response::Response};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::json;
use svc_mcp_access::{decision::Denial, idempotency::IdempotencyKey};
use svc_mcp_store::{EventKind, EventOutcome};
use svc_mcp_tools::{
    Call,
    execute::{ExecuteError, Execution, ToolResult, execute},
    registry::PreparedCall,
    trace::{self, NewSpan},
};

use crate::{
    app::App,
    http::{
        extract::{CallRequest, UseOutcome, record_admitted},
        openapi::{CallBody, CallResult},
        operation::{Operation, Tag},
        outcome::{AWAITING_APPROVAL, TOOL_FAILED},
        problem::{Code, Problem},
        rate_limit,
        reused_headers::response_in_memory_of,
    },
};

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

pub(crate) const PATH: &str = "/mcp/v1/tools/call";
const IDEMPOTENCY_KEY_PATTERN: &str = "^[!-~]{1,255}$";

pub(crate) fn operation() -> Operation {
    let key = json!({"type": "string", "pattern": IDEMPOTENCY_KEY_PATTERN});
    Operation::post(PATH, call_tool)
        .describe(Tag::Tools, "call_tool", "Call a tool")
        .details(
            "Answers with the MCP result object. A tool that ran and failed for a reason of its own is a 200 with `isError: \
             true` and `structuredContent {code, message, hint, retryable}`. With `Idempotency-Key`, or the argument \
             `idempotency_key`, a write tool runs once: the same key and body replay the first answer for 24 hours.",
        )
        .header("Idempotency-Key", "1 to 255 visible ASCII characters", &key)
        .body::<CallBody>()
        .json::<CallResult>(200, "The tool's result")
        .with_headers(&["RateLimit", "RateLimit-Policy", "Idempotency-Replayed"])
}

pub(crate) async fn call_tool(
    State(app): State<Arc<App>>,
    request: CallRequest,
) -> Result<Response, Problem> {
    let CallRequest { caller, client, parts, prepared, idempotency_key, start } = request;
    let (tool, rate) = (prepared.tool, caller.rate);
    let call = app.call(caller.clone());
    let executed = if trace::is_on() {
        let describe = || NewSpan::internal(format!("tool {tool}")).with("svc_mcp.tool", tool);
        Box::pin(trace::in_span(describe, run(&app, &call, prepared, idempotency_key))).await
    } else {
        run(&app, &call, prepared, idempotency_key).await
    };
    let (outcome, reason) = match &executed {
        Ok(executed) if executed.is_error => (EventOutcome::Error, Some(TOOL_FAILED)),
        Ok(executed) if executed.awaits_approval => (EventOutcome::Ok, Some(AWAITING_APPROVAL)),
        Ok(_) => (EventOutcome::Ok, None),
        Err(ExecuteError::Store(error)) => (EventOutcome::Error, Some(Denial::Store(*error).reason())),
        Err(ExecuteError::InProgress) => (EventOutcome::Denied, Some(Code::InProgress.as_str())),
        Err(ExecuteError::Denied(denial)) => (EventOutcome::Denied, Some(denial.reason())),
        Err(ExecuteError::Reused) => (EventOutcome::Denied, Some(Code::IdempotencyReused.as_str())),
    };
    let outcome = UseOutcome { kind: EventKind::Call, tool: Some(tool), outcome, reason };
    record_admitted(&app, caller, &client, start, outcome);
    let executed = executed.map_err(|error| not_executed(error).with_rate(Some(rate)))?;
    let mut response = result(executed, parts.headers);
    rate_limit::insert_headers(response.headers_mut(), &rate);
    Ok(response)
}

async fn run(
    app: &App,
    call: &Call,
    prepared: PreparedCall,
    idempotency_key: Option<IdempotencyKey>,
) -> Result<ToolResult, ExecuteError> {
    match execute(call, prepared, idempotency_key).await? {
        Execution::Done(result) => Ok(result),
        // Calls that wait must not use up the requests that the service handles at the same time.
        Execution::Waiting(waiting) => Ok(app.in_flight.release_while(Box::pin(waiting.finish())).await),
    }
}

fn result(executed: ToolResult, request_headers: HeaderMap) -> Response {
    let mut response = response_in_memory_of(request_headers, Body::from(executed.body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if executed.replayed {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

fn not_executed(error: ExecuteError) -> Problem {
    match error {
        ExecuteError::Store(error) => error.into(),
        ExecuteError::Denied(denial) => denial.into(),
        ExecuteError::InProgress => Problem::new(
            Code::InProgress,
            "Wait for `Retry-After` seconds and send the same request again. You will get the first request's result.",
        )
        .retry_after(1),
        ExecuteError::Reused => Problem::new(
            Code::IdempotencyReused,
            "An idempotency key belongs to one request. Send this request with a new key.",
        ),
    }
}
