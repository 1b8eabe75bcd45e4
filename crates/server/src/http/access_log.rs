//! The access log: one line for each request, with who sent it and how it ended.
//!
//! A line names the route, the tool and ids that the service has checked. It holds nothing else that a client wrote: no path,
//! no query, no argument. Lines are made here and not by `tracing`, because that would cost more, and the list of tools is requested very often.

use std::{
    cell::RefCell,
    fmt::{self, Write as _},
    io::Write as _,
    net::IpAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use serde::Serialize;
use svc_mcp_access::{BrandId, KeyId, Timestamp, UserId, decision::KeyState};
use tracing_appender::non_blocking::NonBlocking;

use super::outcome::RequestOutcome;
use crate::config::LogFormat;

/// The target of the lines, for the filter of `SVC_LOG`.
pub(crate) const TARGET: &str = "svc_mcp::access";

thread_local! {
    /// What is known of the request whose handler runs on this thread at this moment. `None`: it is not logged.
    static CURRENT: RefCell<Option<Participants>> = const { RefCell::new(None) };
}

/// Who takes part in a request. The extractors note it, in any order.
#[derive(Debug, Default)]
pub(super) struct Participants {
    pub(super) key_state: Option<Arc<KeyState>>,
    pub(super) key_id: Option<KeyId>,
    pub(super) brand_id: Option<BrandId>,
    pub(super) user_id: Option<UserId>,
    pub(super) tool: Option<&'static str>,
    pub(super) reason: Option<&'static str>,
    pub(super) outcome: Option<RequestOutcome>,
}

impl Participants {
    /// Polls the handler of a request. What it notes meanwhile is added. The handler must not panic.
    pub(super) fn poll<F: Future>(
        &mut self,
        handler: Pin<&mut F>,
        context: &mut Context<'_>,
    ) -> Poll<F::Output> {
        CURRENT.set(Some(std::mem::take(self)));
        let polled = handler.poll(context);
        *self = CURRENT.take().unwrap_or_default();
        polled
    }
}

fn note(change: impl FnOnce(&mut Participants)) {
    CURRENT.with_borrow_mut(|current| {
        if let Some(participants) = current {
            change(participants);
        }
    });
}

pub(crate) fn note_user(user: &UserId) {
    note(|participants| participants.user_id = Some(user.clone()));
}

pub(crate) fn note_brand(brand: &BrandId) {
    note(|participants| participants.brand_id = Some(brand.clone()));
}

pub(crate) fn note_key(key: &KeyId) {
    note(|participants| participants.key_id = Some(key.clone()));
}

/// A request with an MCP key that exists.
pub(crate) fn note_key_state(key_state: &Arc<KeyState>) {
    note(|participants| participants.key_state = Some(Arc::clone(key_state)));
}

/// How a request to a tool endpoint ended. `outcome` is `None` if the status says it.
pub(crate) fn note_outcome(
    tool: Option<&'static str>,
    reason: Option<&'static str>,
    outcome: Option<RequestOutcome>,
) {
    note(|participants| {
        (participants.tool, participants.reason, participants.outcome) = (tool, reason, outcome);
    });
}

/// Writes the lines. `App` has none if the access log is off.
#[derive(Debug)]
pub struct AccessLog {
    writer: NonBlocking,
    format: LogFormat,
}

impl AccessLog {
    pub(crate) fn new(writer: NonBlocking, format: LogFormat) -> Self {
        Self { writer, format }
    }

    /// Whether the filter of the log shows the lines. SIGHUP can change it.
    pub(super) fn is_shown() -> bool {
        tracing::enabled!(target: TARGET, tracing::Level::INFO)
    }

    pub(super) fn write(&self, line: &Line<'_>) {
        let text = match self.format {
            LogFormat::Json => line.json(),
            LogFormat::Text => line.text(),
        };
        // It never fails: a line that does not fit is counted as lost.
        let _ = self.writer.clone().write_all(text.as_bytes());
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Line<'a> {
    pub(super) timestamp: Timestamp,
    pub(super) level: &'static str,
    pub(super) message: &'static str,
    pub(super) request_id: &'a str,
    pub(super) method: &'a str,
    pub(super) route: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<&'static str>,
    pub(super) outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'static str>,
    pub(super) micros: u64,
    pub(super) client: IpAddr,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) brand_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool: Option<&'static str>,
    /// If traces are on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trace_id: Option<String>,
    pub(super) target: &'static str,
}

impl Line<'_> {
    const CAPACITY: usize = 512;

    fn json(&self) -> String {
        let mut line = Vec::with_capacity(Self::CAPACITY);
        // Writing to memory does not fail, and every field is a text or a number.
        let _ = serde_json::to_writer(&mut line, self);
        line.push(b'\n');
        String::from_utf8(line).unwrap_or_default()
    }

    fn text(&self) -> String {
        let mut line = String::with_capacity(Self::CAPACITY);
        let _ = write!(line, "{}  {} {}", self.timestamp, self.level, self.message);
        let mut add = |name: &str, value: Option<&dyn fmt::Display>| {
            if let Some(value) = value {
                let _ = write!(line, " {name}={value}");
            }
        };
        add("request_id", Some(&self.request_id));
        add("method", Some(&self.method));
        add("route", Some(&self.route));
        add("status", self.status.as_ref().map(|value| value as _));
        add("code", self.code.as_ref().map(|value| value as _));
        add("outcome", Some(&self.outcome));
        add("reason", self.reason.as_ref().map(|value| value as _));
        add("micros", Some(&self.micros));
        add("client", Some(&self.client));
        add("key_id", self.key_id.as_ref().map(|value| value as _));
        add("brand_id", self.brand_id.as_ref().map(|value| value as _));
        // The host application chooses the form of user ids. Quotes keep one apart from the next field.
        add("user_id", self.user_id.map(|user| format!("{user:?}")).as_ref().map(|value| value as _));
        add("tool", self.tool.as_ref().map(|value| value as _));
        add("trace_id", self.trace_id.as_ref().map(|value| value as _));
        line.push('\n');
        line
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn line() -> Line<'static> {
        Line {
            timestamp: Timestamp::from_millis(1_800_000_000_123),
            level: "INFO",
            message: "request",
            request_id: "req_1",
            method: "POST",
            route: "/mcp/v1/tools/call",
            status: Some(200),
            code: None,
            outcome: "tool_error",
            reason: Some("tool_failed"),
            micros: 1234,
            client: IpAddr::from([192, 0, 2, 1]),
            key_id: Some("key_1"),
            brand_id: Some("acme"),
            user_id: Some("auth0|ada \"x\""),
            tool: Some("create_post"),
            trace_id: Some("4bf92f3577b34da6a3ce929d0e0e4736".into()),
            target: TARGET,
        }
    }

    #[test]
    fn both_formats_have_the_same_fields() {
        let json: Value = serde_json::from_str(line().json().trim_end()).expect("JSON");
        let expected = json!({
            "timestamp": "2027-01-15T08:00:00.123Z", "level": "INFO", "message": "request", "request_id": "req_1",
            "method": "POST", "route": "/mcp/v1/tools/call", "status": 200, "outcome": "tool_error",
            "reason": "tool_failed", "micros": 1234, "client": "192.0.2.1", "key_id": "key_1", "brand_id": "acme",
            "user_id": "auth0|ada \"x\"", "tool": "create_post",
            "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736", "target": TARGET,
        });
        assert_eq!(json, expected);
        assert_eq!(
            line().text(),
            "2027-01-15T08:00:00.123Z  INFO request request_id=req_1 method=POST route=/mcp/v1/tools/call status=200 \
             outcome=tool_error reason=tool_failed micros=1234 client=192.0.2.1 key_id=key_1 brand_id=acme \
             user_id=\"auth0|ada \\\"x\\\"\" tool=create_post \
             trace_id=4bf92f3577b34da6a3ce929d0e0e4736\n"
        );
    }

    #[test]
    fn nothing_is_noted_outside_of_a_logged_request() {
        note_brand(&"acme".parse().expect("an id"));
        assert!(CURRENT.take().is_none());
    }
}
