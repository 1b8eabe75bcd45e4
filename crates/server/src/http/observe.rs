//! What is counted and logged of a request. Counters are looked up once for each route, not once for each request.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock, PoisonError, RwLock},
    time::Duration,
};

use http::{Method, StatusCode};
use metrics::{Counter, counter};

use super::{edge::RequestId, seconds::Seconds, tools};
use crate::telemetry::REQUEST_SECONDS;

const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "other"];
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
    counters: [[OnceLock<Counter>; STATUSES.len() + 1]; METHODS.len()],
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

    /// What the exporter does not hold, in Prometheus's format.
    pub(crate) fn write(&self) -> String {
        let name = REQUEST_SECONDS;
        let mut text = format!("# HELP {name} Time to answer, by route\n# TYPE {name} histogram\n");
        for route in self.all.read().unwrap_or_else(PoisonError::into_inner).values() {
            route.seconds.write(name, &route.name, &mut text);
        }
        text
    }
}

impl Route {
    fn of(name: String) -> Self {
        let counters = std::array::from_fn(|_| std::array::from_fn(|_| OnceLock::new()));
        Self { name, counters, seconds: Seconds::default() }
    }

    pub(crate) fn observe(&self, answered: &Answered<'_>) {
        let method = METHODS.iter().position(|known| *known == answered.method.as_str());
        // A client may send any word as its method; only the usual ones become labels.
        let method = method.unwrap_or(METHODS.len() - 1);
        self.count(method, answered.status, answered.took);
        let (route, method, status) = (self.name.as_str(), METHODS[method], answered.status.as_u16());
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
        let counter = &self.counters[method][known.unwrap_or(STATUSES.len())];
        counter
            .get_or_init(|| {
                let status = known.map_or_else(|| "other".to_owned(), |known| STATUSES[known].to_string());
                let (route, method) = (self.name.clone(), METHODS[method]);
                counter!("svc_mcp_requests_total", "route" => route, "method" => method, "status" => status)
            })
            .increment(1);
        self.seconds.record(took);
    }
}

/// The counters of refusals, each looked up when its reason first comes. There are a few dozen reasons.
#[derive(Default)]
pub(crate) struct Denials(RwLock<Vec<(&'static str, Counter)>>);

impl Denials {
    pub(crate) fn count(&self, reason: &'static str) {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        // Where it lies tells a reason as well as its text does, and sooner; one that lies in two places has two handles.
        if let Some((_, counter)) = known.iter().find(|(known, _)| std::ptr::eq(*known, reason)) {
            return counter.increment(1);
        }
        drop(known);
        let counter = counter!("svc_mcp_decisions_total", "result" => "denied", "reason" => reason);
        counter.increment(1);
        self.0.write().unwrap_or_else(PoisonError::into_inner).push((reason, counter));
    }
}

impl std::fmt::Debug for Denials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Denials")
    }
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Route").field(&self.name).finish()
    }
}
