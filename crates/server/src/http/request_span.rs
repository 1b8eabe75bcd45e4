//! The span of one request. It has the fields of the access log that name no person: no address of the client, no user.

use svc_mcp_tools::trace::{self, Attached, NewSpan, OpenSpan};

use super::{
    access_log::Line,
    outcome::RequestOutcome,
    request_info::{RequestInfo, is_probe},
};

#[derive(Debug)]
pub(super) struct RequestSpan(OpenSpan);

impl RequestSpan {
    /// `None`: traces are off, or it is a probe, which comes every few seconds.
    pub(super) fn start(route: &str, request: &RequestInfo) -> Option<Self> {
        if !trace::is_on() || is_probe(route) {
            return None;
        }
        let parent = request.parent.as_deref().cloned();
        let describe = || {
            let method = request.method_name();
            NewSpan::server(format!("{method} {route}"))
                .with("http.request.method", method)
                .with("http.route", route.to_owned())
                .with("svc_mcp.request_id", request.id().to_owned())
        };
        trace::start(parent, describe).map(Self)
    }

    /// What runs until the guard is dropped belongs to the span.
    pub(super) fn attach(&self) -> Attached {
        self.0.attach()
    }

    pub(super) fn trace_id(&self) -> String {
        self.0.trace_id()
    }

    /// Adds what is known at the end.
    pub(super) fn describe(&self, line: &Line<'_>) {
        if !self.0.is_recording() {
            return;
        }
        if let Some(status) = line.status {
            self.0.note("http.response.status_code", i64::from(status));
        }
        self.0.note("svc_mcp.outcome", line.outcome);
        let texts = [
            ("svc_mcp.code", line.code),
            ("svc_mcp.reason", line.reason),
            ("svc_mcp.key_id", line.key_id),
            ("svc_mcp.brand_id", line.brand_id),
            ("svc_mcp.tool", line.tool),
        ];
        for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text?))) {
            self.0.note(name, text.to_owned());
        }
        if line.outcome == RequestOutcome::Error.as_str() {
            self.0.fail(line.code.unwrap_or("error"));
        }
    }
}
