//! Around every request: its id, what is counted and logged of it, the security headers, and a net for panics.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};

use super::problem::Problem;
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
        && !id.starts_with(svc_mcp_access::key::PREFIX.as_bytes())
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
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    let mut response = answered.unwrap_or_else(|_| {
        metrics::counter!("svc_mcp_panics_total").increment(1);
        Problem::internal().into_response()
    });
    let problem = response.extensions_mut().remove::<Problem>();
    if let Some(problem) = &problem {
        problem.write(id.as_str(), &mut response);
    }
    let code = problem.map(|problem| problem.code().as_str());
    observe(&id, &method, route.as_ref(), &response, code, app.clock.ticks().since(started));
    add_headers(&app, id, &mut response);
    response
}

/// The route's pattern stands for the address: an address may hold what nobody should read in a log.
fn observe(
    id: &RequestId,
    method: &Method,
    route: Option<&MatchedPath>,
    response: &Response,
    code: Option<&'static str>,
    took: Duration,
) {
    let route = route.map_or("unmatched", MatchedPath::as_str);
    let status = response.status();
    // A client may send any word as its method; only the usual ones become labels.
    let method = match *method {
        Method::GET
        | Method::HEAD
        | Method::POST
        | Method::PUT
        | Method::DELETE
        | Method::OPTIONS
        | Method::PATCH => method.as_str(),
        _ => "other",
    };
    metrics::counter!(
        "svc_mcp_requests_total",
        "route" => route.to_owned(), "method" => method.to_owned(), "status" => status.as_str().to_owned()
    )
    .increment(1);
    metrics::histogram!("svc_mcp_request_seconds", "route" => route.to_owned()).record(took.as_secs_f64());
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    let (request_id, status) = (id.as_str(), status.as_u16());
    if status >= 500 {
        tracing::error!(request_id, method, route, status, code, micros, "request failed");
    } else {
        tracing::debug!(request_id, method, route, status, code, micros, "request");
    }
}

fn add_headers(app: &App, id: RequestId, response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id.0);
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
