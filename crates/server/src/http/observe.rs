//! What is counted and logged of a request. Counted here, and not by the exporter: an addition for each, and no look-up.

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

use super::{edge::RequestId, seconds::Seconds, tools};
use crate::telemetry::{DECISIONS, REQUEST_SECONDS, REQUESTS};

static METHODS: [Method; 7] =
    [Method::GET, Method::POST, Method::HEAD, Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH];
const STATUSES: [u16; 18] =
    [200, 201, 204, 304, 400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 422, 429, 500, 503];
const UNMATCHED: &str = "unmatched";

/// The counters of every route that was asked for.
#[derive(Debug)]
pub(crate) struct Requests {
    /// The two that agents ask all day.
    pub(crate) list: Arc<Route>,
    pub(crate) call: Arc<Route>,
    all: RwLock<BTreeMap<String, Arc<Route>>>,
}

pub(crate) struct Route {
    /// The route's pattern stands for the address: an address may hold what nobody should read in a log.
    pub(crate) name: String,
    /// By method and status, the last place of each for all others.
    counts: [[AtomicU64; STATUSES.len() + 1]; METHODS.len() + 1],
    seconds: Seconds,
}

/// One answered request.
#[derive(Debug)]
pub(crate) struct Answered<'a> {
    pub(crate) request_id: &'a RequestId,
    pub(crate) method: &'a Method,
    pub(crate) status: StatusCode,
    pub(crate) code: Option<&'static str>,
    pub(crate) took: Duration,
}

impl Default for Requests {
    fn default() -> Self {
        let route = |name: &str| Arc::new(Route::of(name.to_owned()));
        let (list, call) = (route(tools::list::PATH), route(tools::call::PATH));
        let all = [&list, &call].map(|route| (route.name.clone(), Arc::clone(route)));
        Self { list, call, all: RwLock::new(all.into()) }
    }
}

impl Requests {
    /// `name`: the router's, so there are as many as it has routes; `None` where it has none for the request.
    pub(crate) fn of_route(&self, name: Option<&str>) -> Arc<Route> {
        let name = name.unwrap_or(UNMATCHED);
        if let Some(known) = self.all.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Arc::clone(known);
        }
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        let new = all.entry(name.to_owned()).or_insert_with(|| Arc::new(Route::of(name.to_owned())));
        Arc::clone(new)
    }

    /// In Prometheus's format.
    pub(crate) fn write(&self, text: &mut String) {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        head(text, REQUESTS, "counter", "Requests by route, method and status");
        for route in all.values() {
            route.write_counts(text);
        }
        head(text, REQUEST_SECONDS, "histogram", "Time to answer, by route");
        for route in all.values() {
            route.seconds.write(REQUEST_SECONDS, &route.name, text);
        }
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
}

impl Route {
    fn of(name: String) -> Self {
        let counts = std::array::from_fn(|_| std::array::from_fn(|_| AtomicU64::new(0)));
        Self { name, counts, seconds: Seconds::default() }
    }

    pub(crate) fn observe(&self, answered: &Answered<'_>) {
        // A client may send any word as its method; only the usual ones become labels.
        let method = METHODS.iter().position(|known| known == answered.method).unwrap_or(METHODS.len());
        self.count(method, answered.status, answered.took);
        let (route, method, status) = (self.name.as_str(), name_of(method), answered.status.as_u16());
        let Answered { request_id, code, .. } = *answered;
        let request_id = || request_id.as_str();
        let micros = u64::try_from(answered.took.as_micros()).unwrap_or(u64::MAX);
        // What was not done for want of the store is logged where the store is asked, and what was shed is counted:
        // under load there would be a line for each request.
        if status >= 500 && answered.status != StatusCode::SERVICE_UNAVAILABLE {
            tracing::error!(request_id = request_id(), method, route, status, code, micros, "request failed");
        } else {
            tracing::debug!(request_id = request_id(), method, route, status, code, micros, "request");
        }
    }

    fn count(&self, method: usize, status: StatusCode, took: Duration) {
        let known = STATUSES.iter().position(|known| *known == status.as_u16());
        self.counts[method][known.unwrap_or(STATUSES.len())].fetch_add(1, Relaxed);
        self.seconds.record(took);
    }

    fn write_counts(&self, text: &mut String) {
        let route = &self.name;
        for (method, counts) in self.counts.iter().enumerate() {
            for (status, count) in counts.iter().enumerate() {
                let count = count.load(Relaxed);
                if count > 0 {
                    let method = name_of(method);
                    let status = STATUSES.get(status).map_or_else(|| "other".to_owned(), ToString::to_string);
                    let labels = format!(r#"route="{route}",method="{method}",status="{status}""#);
                    let _ = writeln!(text, "{REQUESTS}{{{labels}}} {count}");
                }
            }
        }
    }
}

fn name_of(method: usize) -> &'static str {
    METHODS.get(method).map_or("other", Method::as_str)
}

/// What the access layer decided.
#[derive(Debug, Default)]
pub(crate) struct Decisions {
    allowed: AtomicU64,
    /// By reason. There are a few dozen, and each has a place since it first came.
    denied: RwLock<Vec<(&'static str, AtomicU64)>>,
}

impl Decisions {
    pub(crate) fn allowed(&self) {
        self.allowed.fetch_add(1, Relaxed);
    }

    pub(crate) fn denied(&self, reason: &'static str) {
        let known = self.denied.read().unwrap_or_else(PoisonError::into_inner);
        // Where it lies tells a reason as well as its text does, and sooner; one that lies in two places has two.
        if let Some((_, count)) = known.iter().find(|(known, _)| std::ptr::eq(*known, reason)) {
            count.fetch_add(1, Relaxed);
            return;
        }
        drop(known);
        let mut known = self.denied.write().unwrap_or_else(PoisonError::into_inner);
        known.push((reason, AtomicU64::new(1)));
    }

    /// In Prometheus's format.
    pub(crate) fn write(&self, text: &mut String) {
        let mut denied = BTreeMap::new();
        for (reason, count) in self.denied.read().unwrap_or_else(PoisonError::into_inner).iter() {
            *denied.entry(*reason).or_insert(0) += count.load(Relaxed);
        }
        head(text, DECISIONS, "counter", "Access decisions by result and reason");
        let allowed = self.allowed.load(Relaxed);
        let _ = writeln!(text, r#"{DECISIONS}{{result="allowed",reason=""}} {allowed}"#);
        for (reason, count) in denied {
            let _ = writeln!(text, r#"{DECISIONS}{{result="denied",reason="{reason}"}} {count}"#);
        }
    }
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Route").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_by_route_method_and_status() {
        let requests = Requests::default();
        for (method, status) in [(0, 200), (0, 200), (1, 429), (METHODS.len(), 418)] {
            let status = StatusCode::from_u16(status).expect("a status");
            requests.list.count(method, status, Duration::from_millis(1));
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
    fn decisions_are_told_by_reason_wherever_its_text_lies() {
        let decisions = Decisions::default();
        decisions.allowed();
        let elsewhere: &'static str = Box::leak("rate_limited".to_owned().into_boxed_str());
        for reason in ["rate_limited", elsewhere, elsewhere, "key_unknown"] {
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
