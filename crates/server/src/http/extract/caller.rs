//! A key, and what it asks for. Both tool endpoints go through here, and both ask the one decision.

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Request};
use http::{HeaderMap, HeaderName, header, request::Parts};
use serde_json::Value;
use svc_mcp_access::{
    decision::{CallTool, Caller, ListTools, Refusal, Refused},
    idempotency::IdempotencyKey,
    rate::LIMIT,
};
use svc_mcp_store::{EventKind, EventOutcome, Use};
use svc_mcp_tools::{Registry, registry::Prepared};

use super::{
    body::{self, RequestBody},
    credential,
};
use crate::{
    app::{App, Arrival},
    http::{
        answer::Answer,
        problem::{Code, Problem},
    },
};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

pub(crate) const NOT_MCP: &str = "This is not an MCP HTTP endpoint: MCP clients must use the stdio bridge, \
    svc_mcp_stdio.py, which this service offers at /bridge/svc_mcp_stdio.py.";

/// A good key that asks for the list of tools.
#[derive(Debug)]
pub(crate) struct ListRequest {
    pub(crate) caller: Caller,
    pub(crate) arrival: Arrival,
}

impl FromRequestParts<Arc<App>> for ListRequest {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Answer> {
        Self::of(parts, app, app.arrival()).await
    }
}

impl ListRequest {
    pub(crate) async fn of(parts: &Parts, app: &App, arrival: Arrival) -> Result<Self, Answer> {
        let asked = async { if expects_mcp(parts) { Err(not_mcp()) } else { Ok(ListTools) } };
        match app.decide(arrival, credential::presented(parts), asked).await {
            Ok((caller, ())) => Ok(Self { caller, arrival }),
            Err(refusal) => Err(refused(app, parts, refusal, (EventKind::List, None), arrival)),
        }
    }
}

/// A good key that calls a tool it may call, with arguments that fit.
#[derive(Debug)]
pub(crate) struct CallRequest {
    pub(crate) caller: Caller,
    pub(crate) prepared: Prepared,
    pub(crate) idempotency_key: Option<IdempotencyKey>,
    pub(crate) arrival: Arrival,
}

impl FromRequest<Arc<App>> for CallRequest {
    type Rejection = Answer;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Answer> {
        let (parts, body) = request.into_parts();
        Self::of(parts, body, app, app.arrival()).await
    }
}

impl CallRequest {
    pub(crate) async fn of(
        parts: Parts,
        body: impl RequestBody,
        app: &App,
        arrival: Arrival,
    ) -> Result<Self, Answer> {
        let (mut tool, mut idempotency_key) = (None, None);
        let asked = async {
            let body = body::read_json(&parts.headers, body, body::CALL_BODY, app.body_timeout).await?;
            idempotency_key = read_idempotency_key(&parts.headers)?;
            let call = read_call(body, &app.registry)?;
            tool = app.registry.find(&call.tool).map(|entry| entry.words().name);
            Ok(call)
        };
        match app.decide(arrival, credential::presented(&parts), asked).await {
            Ok((caller, prepared)) => Ok(Self { caller, prepared, idempotency_key, arrival }),
            Err(refusal) => Err(refused(app, &parts, refusal, (EventKind::Call, tool), arrival)),
        }
    }
}

fn read_call(body: Value, registry: &Registry) -> Result<CallTool<'_, Registry>, Problem> {
    if is_json_rpc(&body) {
        return Err(not_mcp());
    }
    let mut fields = super::Fields::of(body)?;
    let tool = fields.required("name", |value| {
        let name = value.as_str().ok_or("must be a text")?;
        if name.len() > 200 { Err("is too long".to_owned()) } else { Ok(name.to_owned()) }
    });
    let arguments = fields.nested("arguments", Ok);
    fields.finish()?;
    Ok(CallTool {
        catalog: registry,
        tool: tool.expect("finish found no fault"),
        arguments: arguments.expect("finish found no fault"),
    })
}

fn read_idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Problem> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
    let parsed = value.to_str().ok().and_then(|text| text.parse().ok());
    parsed.map(Some).ok_or_else(|| {
        let fault = svc_mcp_access::idempotency::InvalidIdempotencyKey;
        Problem::invalid_request(vec![svc_mcp_access::Fault::new("Idempotency-Key", fault)])
    })
}

fn is_json_rpc(body: &Value) -> bool {
    let message = body.as_array().and_then(|batch| batch.first()).unwrap_or(body);
    message.get("jsonrpc").is_some()
}

fn expects_mcp(parts: &Parts) -> bool {
    let accepts = parts.headers.get_all(header::ACCEPT).iter();
    accepts.filter_map(|value| value.to_str().ok()).any(|value| value.contains("text/event-stream"))
}

fn not_mcp() -> Problem {
    Problem::new(Code::NotMcpEndpoint, NOT_MCP)
}

/// The answer to a refused request, recorded where the key is known.
fn refused(
    app: &App,
    parts: &Parts,
    refusal: Refusal<Problem>,
    (kind, tool): (EventKind, Option<&'static str>),
    arrival: Arrival,
) -> Answer {
    let (mut problem, reason) = match refusal.why {
        Refused::Denied(denial) => {
            let reason = denial.reason();
            (Problem::from(denial), reason)
        }
        Refused::Unreadable(problem) => {
            let reason = problem.code().as_str();
            (problem, reason)
        }
    };
    app.decisions.denied(reason);
    if expects_mcp(parts) && problem.code() != Code::NotMcpEndpoint {
        problem = problem.hint(NOT_MCP);
    }
    if let (Code::RateLimited, Some(rate)) = (problem.code(), &refusal.rate) {
        problem = problem.retry_after(rate.frees_in_seconds());
    }
    let mut answer = Answer::from(problem);
    if let Some(standing) = refusal.standing {
        let latency = app.clock.ticks().since(arrival.ticks);
        answer.took = Some(latency);
        app.recorder.record(Use {
            standing,
            at: arrival.at,
            kind,
            tool,
            outcome: EventOutcome::Denied,
            reason: Some(reason),
            latency,
            in_window: refusal.rate.map_or(0, |rate| LIMIT - rate.remaining),
        });
    }
    if let Some(rate) = refusal.rate {
        answer.tell(rate);
    }
    answer
}

/// What became of an admitted request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Metered {
    pub(crate) kind: EventKind,
    pub(crate) tool: Option<&'static str>,
    pub(crate) outcome: EventOutcome,
    pub(crate) reason: Option<&'static str>,
    pub(crate) arrival: Arrival,
}

/// The answer to an admitted request: recorded, and telling the limit.
pub(crate) fn answered(app: &App, caller: Caller, metered: Metered, answer: impl Into<Answer>) -> Answer {
    app.decisions.allowed();
    let mut answer = answer.into();
    answer.tell(caller.rate);
    let latency = app.clock.ticks().since(metered.arrival.ticks);
    answer.took = Some(latency);
    app.recorder.record(Use {
        standing: caller.standing,
        at: metered.arrival.at,
        kind: metered.kind,
        tool: metered.tool,
        outcome: metered.outcome,
        reason: metered.reason,
        latency,
        in_window: LIMIT - caller.rate.remaining,
    });
    answer
}
