//! Around every request: its id, what is counted and logged of it, the security headers, and a net for panics.

use std::{panic::AssertUnwindSafe, sync::Arc};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::{observe::Answered, problem::Problem};
use crate::app::App;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The name of the request: given by the caller, or made here.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    fn of(headers: &HeaderMap, app: &App) -> Self {
        let given = headers.get(REQUEST_ID).filter(|value| is_plain_id(value.as_bytes()));
        let id = given
            .cloned()
            .unwrap_or_else(|| HeaderValue::try_from(app.fresh_id("req")).expect("ids are plain ASCII"));
        Self(id)
    }

    fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

/// A caller's id is kept where it looks like one, and not like something that must not be logged.
fn is_plain_id(id: &[u8]) -> bool {
    (1..=64).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && std::str::from_utf8(id).is_ok_and(|id| !id.contains(svc_mcp_access::key::PREFIX))
}

pub(crate) async fn edge(
    State(app): State<Arc<App>>,
    route: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let started = app.clock.ticks();
    let id = RequestId::of(request.headers(), &app);
    let method = request.method().clone();
    let place = app.in_flight.begin();
    let mut response = if place.is_some() || route.as_ref().is_some_and(is_probe) {
        let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
        answered.unwrap_or_else(|_| {
            metrics::counter!("svc_mcp_panics_total").increment(1);
            Problem::internal().into_response()
        })
    } else {
        metrics::counter!("svc_mcp_shed_total", "by" => "http").increment(1);
        Problem::unavailable().into_response()
    };
    drop(place);
    let problem = response.extensions_mut().remove::<Problem>();
    if let Some(problem) = &problem {
        problem.write(id.as_str(), &mut response);
    }
    app.requests.observe(&Answered {
        request_id: id.as_str(),
        method: &method,
        route: route.as_ref().map(MatchedPath::as_str),
        status: response.status(),
        code: problem.map(|problem| problem.code().as_str()),
        took: app.clock.ticks().since(started),
    });
    add_headers(&app, id, &mut response);
    response
}

/// Whoever watches the service must learn that it is alive and busy, not that it is gone.
fn is_probe(route: &MatchedPath) -> bool {
    matches!(route.as_str(), "/healthz" | "/readyz")
}

fn add_headers(app: &App, id: RequestId, response: &mut Response) {
    let headers = response.headers_mut();
    // Room for these and what the server itself adds, so that the map grows once.
    headers.reserve(8);
    headers.insert(REQUEST_ID, id.0);
    if app.is_shutting_down() {
        // A client that keeps its connection would be cut off when the listener closes: it is asked to leave before.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    if app.public_url.starts_with("https:") {
        let a_year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, a_year);
    }
    let nothing = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(nothing);
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
