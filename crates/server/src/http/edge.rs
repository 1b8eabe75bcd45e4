//! Around every request: its id, what is counted and logged of it, the security headers, and a net for panics.

use std::{
    panic::{self, AssertUnwindSafe},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::{
    body::Body,
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use http_body_util::Either;
use pin_project_lite::pin_project;

use super::{
    answer::{Answer, Reply, What},
    in_flight::Begun,
    observe::{Answered, Route},
    problem::Problem,
    ready,
};
use crate::app::{App, Arrival};

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The name of the request: given by the caller, or made here.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    fn of(headers: &HeaderMap, app: &App) -> Self {
        let given = headers.get(REQUEST_ID).filter(|value| is_plain_id(value.as_bytes()));
        let id = given
            .cloned()
            .unwrap_or_else(|| HeaderValue::try_from(app.fresh_request_id()).expect("ids are plain ASCII"));
        Self(id)
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

/// A caller's id is kept where it looks like one, and not like something that must not be logged.
fn is_plain_id(id: &[u8]) -> bool {
    (1..=64).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && std::str::from_utf8(id).is_ok_and(|id| !id.contains(svc_mcp_access::key::PREFIX))
}

/// The layer around every route of the router.
pub(crate) async fn edge(
    State(app): State<Arc<App>>,
    route: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let arrived = Arrived::of(&request, &app);
    let route = app.requests.of_route(route.as_ref().map(MatchedPath::as_str));
    let reply = around(&app, arrived, &route, async { Answer::from(next.run(request).await) }).await;
    reply.map(|body| match body {
        Either::Left(known) => Body::new(known),
        Either::Right(body) => body,
    })
}

/// What the edge keeps of a request that is being answered.
#[derive(Debug)]
pub(crate) struct Arrived {
    id: RequestId,
    method: Method,
    pub(crate) at: Arrival,
}

impl Arrived {
    pub(crate) fn of<B>(request: &http::Request<B>, app: &App) -> Self {
        let id = RequestId::of(request.headers(), app);
        Self { id, method: request.method().clone(), at: app.arrival() }
    }
}

pin_project! {
    /// Answers a request with what `answering` gives, whole and with everything around it. Not an `async fn`: that
    /// would keep room for `answering` twice, and this is moved about for each request.
    #[derive(Debug)]
    pub(crate) struct Around<'a, F> {
        app: &'a App,
        route: &'a Route,
        arrived: Option<Arrived>,
        place: Option<Begun<'a>>,
        #[pin]
        answering: F,
    }
}

pub(crate) fn around<'a, F: Future<Output = Answer>>(
    app: &'a App,
    arrived: Arrived,
    route: &'a Route,
    answering: F,
) -> Around<'a, F> {
    Around { app, route, arrived: Some(arrived), place: app.in_flight.begin(), answering }
}

impl<F: Future<Output = Answer>> Future for Around<'_, F> {
    type Output = Reply;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Reply> {
        let this = self.project();
        let answer = if this.place.is_some() || is_probe(&this.route.name) {
            let polled = panic::catch_unwind(AssertUnwindSafe(|| this.answering.poll(context)));
            ready!(polled.unwrap_or_else(|_| {
                metrics::counter!("svc_mcp_panics_total").increment(1);
                Poll::Ready(Problem::internal().into())
            }))
        } else {
            metrics::counter!("svc_mcp_shed_total", "by" => "http").increment(1);
            Problem::unavailable().into()
        };
        drop(this.place.take());
        let arrived = this.arrived.take().expect("nobody polls what is done");
        Poll::Ready(complete(this.app, arrived, this.route, answer))
    }
}

fn complete(app: &App, arrived: Arrived, route: &Route, answer: Answer) -> Reply {
    let took = answer.took.unwrap_or_else(|| app.clock.ticks().since(arrived.at.ticks));
    let (status, code) = match &answer.what {
        What::Ready(response) => (response.status(), None),
        What::Whole(response) => (response.status(), None),
        What::Problem(problem) => (problem.status(), Some(problem.code().as_str())),
    };
    route.observe(&Answered { request_id: &arrived.id, method: &arrived.method, status, code, took });
    let mut response = with_id(app, answer.what, arrived.id);
    if app.is_shutting_down() {
        // A client that keeps its connection would be cut off when the listener closes: it is asked to leave before.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn with_id(app: &App, what: What, RequestId(id): RequestId) -> Reply {
    match what {
        What::Problem(problem) => app.ready.problem(&problem, id).map(Either::Left),
        What::Ready(mut response) => {
            ready::put_request_id(response.headers_mut(), id);
            response.map(Either::Left)
        }
        What::Whole(mut response) => {
            let headers = response.headers_mut();
            headers.reserve(8);
            add_fixed_headers(&app.public_url, headers);
            headers.insert(REQUEST_ID, id);
            response.map(Either::Right)
        }
    }
}

/// Whoever watches the service must learn that it is alive and busy, not that it is gone.
fn is_probe(route: &str) -> bool {
    matches!(route, "/healthz" | "/readyz")
}

/// What stands in every answer, the request's id apart.
pub(crate) fn add_fixed_headers(public_url: &str, headers: &mut HeaderMap) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    if public_url.starts_with("https:") {
        let a_year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, a_year);
    }
    let nothing = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(nothing);
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
