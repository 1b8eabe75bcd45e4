//! What every request has in common: its id, the limit on requests in flight, panics, metrics, the log, and headers.

use std::{panic::AssertUnwindSafe, sync::Arc};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};

use super::{
    metrics::{FinishedRequest, RouteMetrics},
    problem::Problem,
};
use crate::app::{App, RequestStart};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The id of a request, for the audit log.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

/// What must be known of a request after its handler has consumed it.
#[derive(Debug)]
pub(crate) struct RequestInfo {
    id: HeaderValue,
    method: Method,
    pub(crate) start: RequestStart,
}

impl RequestInfo {
    pub(crate) fn new<B>(request: &http::Request<B>, app: &App) -> Self {
        let sent_id = request.headers().get(REQUEST_ID).filter(|id| is_acceptable_id(id.as_bytes()));
        let new_id = || HeaderValue::try_from(app.fresh_request_id()).expect("generated ids are ASCII");
        Self {
            id: sent_id.cloned().unwrap_or_else(new_id),
            method: request.method().clone(),
            start: app.request_start(),
        }
    }
}

/// A client's id is kept if it is short, plain, and holds no key: ids are logged.
fn is_acceptable_id(id: &[u8]) -> bool {
    (1..=64).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && std::str::from_utf8(id).is_ok_and(|id| !id.contains(svc_mcp_access::key::PREFIX))
}

/// The middleware around every route of the router.
pub(crate) async fn instrument_route(
    State(app): State<Arc<App>>,
    route: Option<MatchedPath>,
    mut request: Request,
    next: Next,
) -> Response {
    let info = RequestInfo::new(&request, &app);
    request.extensions_mut().insert(RequestId(info.id.clone()));
    let route = app.request_metrics.for_route(route.as_ref().map(MatchedPath::as_str));
    let handler = async { Problem::extract(next.run(request).await) };
    let mut response = instrument(&app, &route, info, handler).await;
    if is_rendered_by_browsers(response.headers()) {
        add_page_headers(response.headers_mut());
    }
    response
}

/// Runs a handler and completes its response.
pub(crate) async fn instrument(
    app: &App,
    route: &RouteMetrics,
    request: RequestInfo,
    handler: impl Future<Output = Result<Response, Problem>>,
) -> Response {
    let permit = app.in_flight.try_acquire();
    let result = if permit.is_some() || is_probe(&route.name) {
        AssertUnwindSafe(handler).catch_unwind().await.unwrap_or_else(|_| {
            metrics::counter!("svc_mcp_panics_total").increment(1);
            Err(Problem::internal())
        })
    } else {
        metrics::counter!("svc_mcp_shed_total", "by" => "http").increment(1);
        Err(Problem::unavailable())
    };
    drop(permit);
    complete(app, route, request, result)
}

/// Probes are answered under overload too: the instance is busy, not gone.
fn is_probe(route: &str) -> bool {
    matches!(route, "/healthz" | "/readyz")
}

fn complete(
    app: &App,
    route: &RouteMetrics,
    request: RequestInfo,
    result: Result<Response, Problem>,
) -> Response {
    let RequestInfo { id, method, start } = request;
    let request_id = id.to_str().unwrap_or_default();
    let code = result.as_ref().err().map(|problem| problem.code().as_str());
    if let Some(refusal) = result.as_ref().err().and_then(Problem::token_refusal) {
        app.refusal_log.write(refusal, request_id, &route.name, app.clock.ticks());
    }
    let mut response = result.unwrap_or_else(|problem| problem.render(request_id));
    let took = app.clock.ticks().since(start.ticks);
    route.observe(&FinishedRequest { request_id, method: &method, status: response.status(), code, took });
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if app.public_url.starts_with("https:") {
        let one_year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, one_year);
    }
    if app.is_shutting_down() {
        // Clients leave now, before the listener closes and cuts off their connections.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    headers.insert(REQUEST_ID, id);
    response
}

/// HTML pages, feeds and SVG images.
fn is_rendered_by_browsers(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with("text/html") || value.contains("xml"))
}

fn add_page_headers(headers: &mut HeaderMap) {
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    // No other site keeps a handle to a window of the service, with which it could send that window elsewhere.
    headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
    let load_nothing = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(load_nothing);
}
