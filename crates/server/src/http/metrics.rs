//! Metrics and log lines of requests and access decisions. They are counted here and not by the metrics exporter, because an
//! addition to a known counter costs less than a lookup by labels.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use http::{Method, StatusCode};

use super::{histogram::DurationHistogram, outcome::RequestOutcome, problem::Code};
use crate::telemetry::{DECISIONS, PROBLEMS, REQUEST_SECONDS, REQUESTS, TOOL_CALLS};

static METHODS: [Method; 7] =
    [Method::GET, Method::POST, Method::HEAD, Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH];
const STATUSES: [u16; 18] =
    [200, 201, 204, 304, 400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 422, 429, 500, 503];
const UNMATCHED: &str = "unmatched";

/// The metrics of every route that was requested.
#[derive(Debug, Default)]
pub(crate) struct RequestMetrics(RwLock<BTreeMap<String, Arc<RouteMetrics>>>);

pub(crate) struct RouteMetrics {
    /// The route's pattern, not the request's path: a path may hold what must not be logged.
    pub(crate) name: String,
    /// By method and status. The last entry of each is for all others.
    counts: [[AtomicU64; STATUSES.len() + 1]; METHODS.len() + 1],
    durations: DurationHistogram,
}

#[derive(Debug)]
pub(crate) struct FinishedRequest<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) method: &'a Method,
    pub(crate) status: StatusCode,
    pub(crate) code: Option<&'static str>,
    pub(crate) took: Duration,
}

impl RequestMetrics {
    /// `pattern` is one of the router's, so the number of entries is bounded. `None`: no route matched.
    pub(crate) fn for_route(&self, pattern: Option<&str>) -> Arc<RouteMetrics> {
        let name = pattern.unwrap_or(UNMATCHED);
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Arc::clone(known);
        }
        let mut routes = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let route = routes.entry(name.to_owned()).or_insert_with(|| Arc::new(RouteMetrics::new(name)));
        Arc::clone(route)
    }

    /// In Prometheus's format.
    pub(crate) fn write(&self, text: &mut String) {
        let routes = self.0.read().unwrap_or_else(PoisonError::into_inner);
        write_header(text, REQUESTS, "counter", "Requests by route, method and status");
        for route in routes.values() {
            route.write_counts(text);
        }
        write_header(text, REQUEST_SECONDS, "histogram", "Time to answer, by route");
        for route in routes.values() {
            route.durations.write(REQUEST_SECONDS, &route.name, text);
        }
    }
}

fn write_header(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
}

impl RouteMetrics {
    fn new(name: &str) -> Self {
        let counts = std::array::from_fn(|_| std::array::from_fn(|_| AtomicU64::new(0)));
        Self { name: name.to_owned(), counts, durations: DurationHistogram::default() }
    }

    /// Counts and logs a request.
    pub(crate) fn observe(&self, request: &FinishedRequest<'_>) {
        // A client may send any text as its method. Only the usual methods become labels.
        let method = METHODS.iter().position(|known| known == request.method).unwrap_or(METHODS.len());
        self.count(method, request.status, request.took);
        let FinishedRequest { request_id, code, .. } = *request;
        let (route, method, status) = (self.name.as_str(), name_at(method), request.status.as_u16());
        let micros = u64::try_from(request.took.as_micros()).unwrap_or(u64::MAX);
        // A 503 is not logged as an error: the store logs its own errors, and shed requests are counted. Under load there
        // would be a line for each request.
        if status >= 500 && request.status != StatusCode::SERVICE_UNAVAILABLE {
            tracing::error!(request_id, method, route, status, code, micros, "request failed");
        } else {
            tracing::debug!(request_id, method, route, status, code, micros, "request");
        }
    }

    fn count(&self, method: usize, status: StatusCode, took: Duration) {
        let known = STATUSES.iter().position(|known| *known == status.as_u16());
        self.counts[method][known.unwrap_or(STATUSES.len())].fetch_add(1, Relaxed);
        self.durations.record(took);
    }

    fn write_counts(&self, text: &mut String) {
        let route = &self.name;
        for (method, counts) in self.counts.iter().enumerate() {
            for (status, count) in counts.iter().enumerate() {
                let count = count.load(Relaxed);
                if count > 0 {
                    let method = name_at(method);
                    let status = STATUSES.get(status).map_or_else(|| "other".to_owned(), ToString::to_string);
                    let labels = format!(r#"route="{route}",method="{method}",status="{status}""#);
                    let _ = writeln!(text, "{REQUESTS}{{{labels}}} {count}");
                }
            }
        }
    }
}

fn name_at(method: usize) -> &'static str {
    METHODS.get(method).map_or("other", Method::as_str)
}

/// The name of a usual method. A client may send any text as its method.
pub(crate) fn method_name(method: &Method) -> &'static str {
    METHODS.iter().find(|known| *known == method).map_or("other", Method::as_str)
}

/// The problems that were answered, by code.
#[derive(Debug)]
pub(crate) struct ProblemMetrics([AtomicU64; Code::ALL.len()]);

impl Default for ProblemMetrics {
    fn default() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl ProblemMetrics {
    pub(crate) fn count(&self, code: Code) {
        self.0[code as usize].fetch_add(1, Relaxed);
    }

    /// In Prometheus's format.
    pub(crate) fn write(&self, text: &mut String) {
        write_header(text, PROBLEMS, "counter", "Requests that were answered with an error, by its code");
        for (code, count) in Code::ALL.iter().zip(&self.0) {
            let (code, count) = (code.as_str(), count.load(Relaxed));
            if count > 0 {
                let _ = writeln!(text, r#"{PROBLEMS}{{code="{code}"}} {count}"#);
            }
        }
    }
}

/// Calls of known tools, by how they ended.
#[derive(Debug, Default)]
pub(crate) struct ToolCallMetrics(RwLock<BTreeMap<(&'static str, &'static str), AtomicU64>>);

impl ToolCallMetrics {
    pub(crate) fn count(&self, tool: &'static str, outcome: RequestOutcome) {
        let labels = (tool, outcome.as_str());
        if let Some(count) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&labels) {
            count.fetch_add(1, Relaxed);
            return;
        }
        let mut counts = self.0.write().unwrap_or_else(PoisonError::into_inner);
        counts.entry(labels).or_default().fetch_add(1, Relaxed);
    }

    /// In Prometheus's format.
    pub(crate) fn write(&self, text: &mut String) {
        write_header(text, TOOL_CALLS, "counter", "Calls of tools by outcome");
        for ((tool, outcome), count) in self.0.read().unwrap_or_else(PoisonError::into_inner).iter() {
            let count = count.load(Relaxed);
            let _ = writeln!(text, r#"{TOOL_CALLS}{{tool="{tool}",outcome="{outcome}"}} {count}"#);
        }
    }
}

/// The results of access decisions.
#[derive(Debug, Default)]
pub(crate) struct DecisionMetrics {
    allowed: AtomicU64,
    denied_by_reason: RwLock<BTreeMap<&'static str, AtomicU64>>,
}

impl DecisionMetrics {
    pub(crate) fn allowed(&self) {
        self.allowed.fetch_add(1, Relaxed);
    }

    pub(crate) fn denied(&self, reason: &'static str) {
        let counts = self.denied_by_reason.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get(reason) {
            count.fetch_add(1, Relaxed);
            return;
        }
        drop(counts);
        let mut counts = self.denied_by_reason.write().unwrap_or_else(PoisonError::into_inner);
        counts.entry(reason).or_default().fetch_add(1, Relaxed);
    }

    /// In Prometheus's format.
    pub(crate) fn write(&self, text: &mut String) {
        write_header(text, DECISIONS, "counter", "Access decisions by result and reason");
        let allowed = self.allowed.load(Relaxed);
        let _ = writeln!(text, r#"{DECISIONS}{{result="allowed",reason=""}} {allowed}"#);
        for (reason, count) in self.denied_by_reason.read().unwrap_or_else(PoisonError::into_inner).iter() {
            let count = count.load(Relaxed);
            let _ = writeln!(text, r#"{DECISIONS}{{result="denied",reason="{reason}"}} {count}"#);
        }
    }
}

impl std::fmt::Debug for RouteMetrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("RouteMetrics").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_method_and_status() {
        let requests = RequestMetrics::default();
        for (method, status) in [(0, 200), (0, 200), (1, 429), (METHODS.len(), 418)] {
            let status = StatusCode::from_u16(status).expect("a status");
            requests.for_route(Some("/mcp/v1/tools")).count(method, status, Duration::from_millis(1));
        }
        let mut text = String::new();
        requests.write(&mut text);
        let counted: Vec<_> = text.lines().filter(|line| line.starts_with(REQUESTS)).collect();
        let expected =
            [("GET", "200", 2), ("POST", "429", 1), ("other", "other", 1)].map(|(method, status, count)| {
                format!(r#"{REQUESTS}{{route="/mcp/v1/tools",method="{method}",status="{status}"}} {count}"#)
            });
        assert_eq!(counted, expected);
        assert!(text.contains(&format!(r#"{REQUEST_SECONDS}_count{{route="/mcp/v1/tools"}} 4"#)), "{text}");
    }

    #[test]
    fn decisions_are_counted_by_reason() {
        let decisions = DecisionMetrics::default();
        decisions.allowed();
        let other_address: &'static str = Box::leak("rate_limited".to_owned().into_boxed_str());
        for reason in ["rate_limited", other_address, other_address, "key_unknown"] {
            decisions.denied(reason);
        }
        let mut text = String::new();
        decisions.write(&mut text);
        let counted: Vec<_> = text.lines().filter(|line| line.starts_with(DECISIONS)).collect();
        let expected = [("allowed", "", 1), ("denied", "key_unknown", 1), ("denied", "rate_limited", 3)].map(
            |(result, reason, count)| {
                format!(r#"{DECISIONS}{{result="{result}",reason="{reason}"}} {count}"#)
            },
        );
        assert_eq!(counted, expected);
    }
}
