//! The requests of the two tool endpoints: authorized by the access decision, and recorded as uses of their key.

use std::{pin::pin, sync::Arc};

use axum::extract::{FromRequest, Request};
use http::{HeaderMap, HeaderName, HeaderValue, header, request::Parts};
use serde_json::{Map, Value};
use svc_mcp_access::{
    Fault, Faults,
    decision::{CallTool, Caller, KeyState, ListTools, Rejection, RejectionCause},
    idempotency::IdempotencyKey,
    rate::{LIMIT, Rate},
    validate::repeated,
};
use svc_mcp_store::{EventKind, EventOutcome, KeyUse};
use svc_mcp_tools::{Registry, registry::PreparedCall};

use super::{
    body::{self, RequestBody},
    credential,
};
use crate::{
    app::{App, RequestStart},
    http::{
        access_log,
        body_budget::BodySize,
        client_address::ClientAddress,
        outcome::RequestOutcome,
        problem::{Code, Problem},
    },
};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const MCP_CLIENT: HeaderName = HeaderName::from_static("x-mcp-client");
pub(crate) const MAX_TOOL_NAME_CHARS: usize = 200;
/// A call is in memory as it was sent, as JSON values, and as the tool's arguments.
const CALL_BODY: BodySize = BodySize { max_bytes: body::MAX_CALL_BODY, copies: 3 };

pub(crate) const NOT_MCP: &str = "This is not an MCP HTTP endpoint: MCP clients must use the stdio bridge, \
    svc_mcp_stdio.py, which you can download from this service at /bridge/svc_mcp_stdio.py.";

/// Who sent a request: its address, and the name that the client gives itself.
#[derive(Debug)]
pub(crate) struct Client {
    address: ClientAddress,
    name: Option<HeaderValue>,
}

impl Client {
    /// The bridge sends the name of the program that uses it. Cloning a header value copies nothing.
    fn of(address: ClientAddress, headers: &HeaderMap) -> Self {
        let has_text = |value: &&HeaderValue| value.as_bytes().iter().any(u8::is_ascii_graphic);
        let name = headers.get(MCP_CLIENT).filter(has_text).or_else(|| headers.get(header::USER_AGENT));
        Self { address, name: name.cloned() }
    }
}

/// A valid key asks for the list of tools.
#[derive(Debug)]
pub(crate) struct ListRequest {
    pub(crate) caller: Caller,
    pub(crate) client: Client,
    pub(crate) parts: Box<Parts>,
    pub(crate) start: RequestStart,
}

impl FromRequest<Arc<App>> for ListRequest {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (parts, _) = request.into_parts();
        let client = ClientAddress::of(&parts);
        Self::authorize(Box::new(parts), app, app.request_start(), client).await
    }
}

impl ListRequest {
    pub(crate) async fn authorize(
        parts: Box<Parts>,
        app: &App,
        start: RequestStart,
        client: ClientAddress,
    ) -> Result<Self, Problem> {
        let operation = async { if expects_mcp(&parts.headers) { Err(not_mcp()) } else { Ok(ListTools) } };
        match app.decide(start, credential::presented(&parts), client.0, |_| operation).await {
            Ok((caller, ())) => {
                let client = Client::of(client, &parts.headers);
                Ok(Self { caller, client, parts, start })
            }
            Err(refusal) => Err(refuse(app, &parts.headers, refusal, (EventKind::List, None), start)),
        }
    }
}

/// A valid key calls a tool that it may call, with valid arguments.
#[derive(Debug)]
pub(crate) struct CallRequest {
    pub(crate) caller: Caller,
    pub(crate) client: Client,
    pub(crate) parts: Box<Parts>,
    pub(crate) prepared: PreparedCall,
    pub(crate) idempotency_key: Option<IdempotencyKey>,
    pub(crate) start: RequestStart,
}

impl FromRequest<Arc<App>> for CallRequest {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let client = ClientAddress::of(&parts);
        Self::authorize((Box::new(parts), body), app, app.request_start(), client).await
    }
}

impl CallRequest {
    pub(crate) async fn authorize(
        (parts, body): (Box<Parts>, impl RequestBody),
        app: &App,
        start: RequestStart,
        client: ClientAddress,
    ) -> Result<Self, Problem> {
        let (mut tool, mut idempotency_key) = (None, None);
        // A large body uses its memory until its arguments are checked.
        let mut memory = None;
        let (headers, found_tool, found_key, used) =
            (&parts.headers, &mut tool, &mut idempotency_key, &mut memory);
        let operation = |key_state: &Arc<KeyState>| {
            let key_state = Arc::clone(key_state);
            async move {
                let timeout = app.body_timeout;
                // Pinned: a future that is passed on by value is in the future of the request twice.
                let read = pin!(body::read_json(headers, body, CALL_BODY.max_bytes, timeout));
                let read = pin!(app.body_budget.read(&key_state.brand_id, headers, CALL_BODY, timeout, read));
                // Slow bodies must not use up the requests that the service handles at the same time.
                let body;
                (body, *used) = app.in_flight.release_while(read).await?;
                *found_key = read_idempotency_key(headers)?;
                let call = read_call(body, &app.registry)?;
                *found_tool = app.registry.find(&call.tool).map(|entry| entry.description().name);
                Ok(call)
            }
        };
        match app.decide(start, credential::presented(&parts), client.0, operation).await {
            Ok((caller, prepared)) => {
                let client = Client::of(client, &parts.headers);
                Ok(Self { caller, client, parts, prepared, idempotency_key, start })
            }
            Err(refusal) => Err(refuse(app, &parts.headers, refusal, (EventKind::Call, tool), start)),
        }
    }
}

/// Checked by hand: a second schema would cost every call, and this body has two fields.
fn read_call(body: Value, registry: &Registry) -> Result<CallTool<'_, Registry>, Problem> {
    if is_json_rpc(&body) {
        return Err(not_mcp());
    }
    let Value::Object(mut fields) = body else {
        return Err(Problem::invalid_request(Fault::new("body", "must be a JSON object")));
    };
    let tool = fields.remove("name");
    let arguments = fields.remove("arguments").filter(|value| !value.is_null());
    let mut faults = Faults::default();
    faults.extend(fields.keys().map(|name| Fault::new(repeated(name), "is not known here")));
    match tool {
        Some(Value::String(tool)) if tool.chars().count() <= MAX_TOOL_NAME_CHARS && faults.is_empty() => {
            let arguments = arguments.unwrap_or_else(|| Value::Object(Map::new()));
            return Ok(CallTool { catalog: registry, tool, arguments });
        }
        Some(Value::String(tool)) if tool.chars().count() <= MAX_TOOL_NAME_CHARS => {}
        Some(Value::String(_)) => {
            faults.push(Fault::new("name", format!("must be at most {MAX_TOOL_NAME_CHARS} characters")));
        }
        Some(Value::Null) | None => faults.push(Fault::new("name", "is required")),
        Some(_) => faults.push(Fault::new("name", "must be a string")),
    }
    Err(Problem::invalid_request(faults))
}

fn read_idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Problem> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
    let parsed = value.to_str().ok().and_then(|text| text.parse().ok());
    parsed.map(Some).ok_or_else(|| {
        let fault = svc_mcp_access::idempotency::InvalidIdempotencyKey;
        Problem::invalid_request(Fault::new("Idempotency-Key", fault))
    })
}

fn is_json_rpc(body: &Value) -> bool {
    let message = body.as_array().and_then(|batch| batch.first()).unwrap_or(body);
    message.get("jsonrpc").is_some()
}

fn expects_mcp(headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(header::ACCEPT).iter();
    accepts.filter_map(|value| value.to_str().ok()).any(|value| value.contains("text/event-stream"))
}

fn not_mcp() -> Problem {
    Problem::new(Code::NotMcpEndpoint, NOT_MCP)
}

/// Counts a refused request, and records it if its key is known.
fn refuse(
    app: &App,
    headers: &HeaderMap,
    refusal: Rejection<Problem>,
    (kind, tool): (EventKind, Option<&'static str>),
    start: RequestStart,
) -> Problem {
    let (mut problem, reason) = match refusal.cause {
        RejectionCause::Denied(denial) => {
            let reason = denial.reason();
            (Problem::from(denial), reason)
        }
        RejectionCause::Body(problem) => {
            let reason = problem.code().as_str();
            (problem, reason)
        }
    };
    app.decision_metrics.denied(reason);
    if expects_mcp(headers) && problem.code() != Code::NotMcpEndpoint {
        problem = problem.hint(NOT_MCP);
    }
    if let (Code::RateLimited, Some(rate)) = (problem.code(), &refusal.rate) {
        problem = problem.retry_after(rate.frees_in_seconds());
    }
    if refusal.key_state.is_none() && app.notes_requests() {
        access_log::note_outcome(tool, Some(reason), None);
    }
    if let Some(key_state) = refusal.key_state {
        let outcome = UseOutcome { kind, tool, outcome: EventOutcome::Denied, reason: Some(reason) };
        record(app, key_state, refusal.rate, start, outcome);
    }
    problem.with_rate(refusal.rate)
}

/// How a request with a known key ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UseOutcome {
    pub(crate) kind: EventKind,
    pub(crate) tool: Option<&'static str>,
    pub(crate) outcome: EventOutcome,
    pub(crate) reason: Option<&'static str>,
}

/// Counts and records an admitted request.
pub(crate) fn record_admitted(
    app: &App,
    caller: Caller,
    client: &Client,
    start: RequestStart,
    outcome: UseOutcome,
) {
    app.decision_metrics.allowed();
    if outcome.outcome != EventOutcome::Denied {
        let name = client.name.as_ref().map_or(&b""[..], HeaderValue::as_bytes);
        caller.key_state.usage.set_client(client.address.0, name);
    }
    record(app, caller.key_state, Some(caller.rate), start, outcome);
}

fn record(
    app: &App,
    key_state: Arc<KeyState>,
    rate: Option<Rate>,
    start: RequestStart,
    UseOutcome { kind, tool, outcome, reason }: UseOutcome,
) {
    if kind == EventKind::Call || app.notes_requests() {
        let ended = RequestOutcome::of_event(outcome, reason);
        if let (EventKind::Call, Some(tool)) = (kind, tool) {
            app.tool_call_metrics.count(tool, ended);
        }
        if app.notes_requests() {
            access_log::note_key_state(&key_state);
            access_log::note_outcome(tool, reason, Some(ended));
        }
    }
    app.recorder.record(KeyUse {
        key_state,
        at: start.at,
        kind,
        tool,
        outcome,
        reason,
        latency: app.clock.ticks().since(start.ticks),
        in_window: rate.map_or(0, |rate| LIMIT - rate.remaining),
    });
}
