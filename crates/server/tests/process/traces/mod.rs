//! Traces: what a receiver of OTLP gets, and what the service does if there is none.

mod calls;
mod collector;
mod jobs;
mod outage;
pub(crate) mod receiver;

use serde_json::Value;

use crate::support::{Sandbox, TestService};
use receiver::{Receiver, Span};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// A service that sends its spans to this URL, and may reach this machine.
async fn start(sandbox: Sandbox, collector: &str) -> TestService {
    let sandbox = sandbox
        .with("OTEL_EXPORTER_OTLP_ENDPOINT", collector)
        .with("SVC_OUTBOUND_ALLOW", "127.0.0.1")
        .with("SVC_MANAGEMENT_LIMIT", "0");
    TestService::start(sandbox, &[]).await
}

/// The only span of this name in a trace.
fn only<'a>(spans: &'a [Span], trace: &str, name: &str) -> &'a Span {
    let found: Vec<&Span> = spans.iter().filter(|span| span.trace == trace && span.name == name).collect();
    let names: Vec<(&str, &str)> =
        spans.iter().map(|span| (span.trace.as_str(), span.name.as_str())).collect();
    assert_eq!(found.len(), 1, "{name} in {trace}: {names:?}");
    found[0]
}

fn attribute<'a>(span: &'a Span, name: &str) -> &'a Value {
    span.attributes.get(name).unwrap_or_else(|| panic!("no {name} in {span:?}"))
}
