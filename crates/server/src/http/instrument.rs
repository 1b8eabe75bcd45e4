//! What every request has in common: its id, the limit on requests in flight, panics, metrics, the log, and headers.

use std::{future::poll_fn, panic::AssertUnwindSafe, pin::pin, sync::Arc};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::{
    access_entry::{End, Entry},
    client_address::ClientAddress,
    metrics::{FinishedRequest, RouteMetrics},
    problem::Problem,
    request_info::{REQUEST_ID, RequestInfo, is_probe},
};
use crate::{app::App, jwt::TokenRefusal};

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The id of a request, for the audit log.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

/// The middleware around every route of the router.
pub(crate) async fn instrument_route(
    State(app): State<Arc<App>>,
    route: Option<MatchedPath>,
    client: ClientAddress,
    mut request: Request,
    next: Next,
) -> Response {
    let info = RequestInfo::new(&request, client, &app);
    request.extensions_mut().insert(RequestId(info.id.clone()));
    let route = app.request_metrics.for_route(route.as_ref().map(MatchedPath::as_str));
    let handle = move || async move { Problem::extract(next.run(request).await) };
    let mut response = instrument(&app, &route, &info, handle).await;
    if is_rendered_by_browsers(response.headers()) {
        let is_embeddable = response.extensions().get::<Embeddable>().is_some();
        add_page_headers(response.headers_mut(), is_embeddable);
    }
    response
}

/// Runs a handler and completes its response. The handler's future is large, so it is made where it stays.
pub(crate) async fn instrument<F: Future<Output = Result<Response, Problem>>>(
    app: &App,
    route: &RouteMetrics,
    request: &RequestInfo,
    handler: impl FnOnce() -> F,
) -> Response {
    // Boxed: it is large and rare.
    let mut entry = Entry::start(app, &route.name, request).map(Box::new);
    let permit = app.in_flight.try_acquire();
    let result = if permit.is_some() || is_probe(&route.name) {
        let handler = pin!(handler());
        let mut handler = pin!(AssertUnwindSafe(handler).catch_unwind());
        let handled = poll_fn(|context| match &mut entry {
            Some(entry) => entry.poll(handler.as_mut(), context),
            None => handler.as_mut().poll(context),
        });
        handled.await.unwrap_or_else(|_| {
            metrics::counter!("svc_mcp_panics_total").increment(1);
            Err(Problem::internal())
        })
    } else {
        metrics::counter!("svc_mcp_shed_total", "by" => "http").increment(1);
        Err(Problem::unavailable())
    };
    drop(permit);
    complete(app, route, request, entry, result)
}

fn complete(
    app: &App,
    route: &RouteMetrics,
    request: &RequestInfo,
    entry: Option<Box<Entry<'_>>>,
    result: Result<Response, Problem>,
) -> Response {
    let request_id = request.id();
    let problem = result.as_ref().err();
    let code = problem.map(|problem| problem.code().as_str());
    if let Some(problem) = problem {
        app.problem_metrics.count(problem.code());
    }
    let refusal = problem.and_then(Problem::token_refusal);
    if let Some(refusal) = refusal {
        app.refusal_log.write(refusal, request_id, &route.name, app.clock.ticks());
    }
    let mut response = result.unwrap_or_else(|problem| problem.render(request_id));
    let (status, took) = (response.status(), app.clock.ticks().since(request.start.ticks));
    route.observe(&FinishedRequest { request_id, method: &request.method, status, code, took });
    if let Some(entry) = entry {
        let (status, reason) = (Some(status.as_u16()), refusal.map(TokenRefusal::as_str));
        entry.finish(&End { status, code, reason, took });
    }
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
    headers.insert(REQUEST_ID, request.id.clone());
    response
}

/// HTML pages, feeds and SVG images.
fn is_rendered_by_browsers(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with("text/html") || value.contains("xml"))
}

/// Marks the response of a page whose own policy says which other pages may show it in a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Embeddable;

fn add_page_headers(headers: &mut HeaderMap, is_embeddable: bool) {
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    // This header cannot name origins, so it would forbid every frame.
    if !is_embeddable {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    // No other site keeps a handle to a window of the service, with which it could send that window elsewhere.
    headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
    let load_nothing = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(load_nothing);
}
