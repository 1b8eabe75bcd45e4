//! What must be known of a request after its handler has consumed it.

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use svc_mcp_access::{key, session};
use svc_mcp_tools::trace::{self, SpanContext};

use super::{client_address::ClientAddress, metrics::method_name};
use crate::app::{App, RequestStart};

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// How the secrets of the service begin.
const SECRET_PREFIXES: [&str; 3] = [key::PREFIX, session::CODE_PREFIX, session::SESSION_PREFIX];

#[derive(Debug)]
pub(crate) struct RequestInfo {
    pub(crate) id: HeaderValue,
    pub(crate) method: Method,
    pub(crate) client: ClientAddress,
    pub(crate) start: RequestStart,
    /// The span of the client, if traces are on. Boxed: it is large and rare.
    pub(crate) parent: Option<Box<SpanContext>>,
}

impl RequestInfo {
    pub(crate) fn new<B>(request: &http::Request<B>, client: ClientAddress, app: &App) -> Self {
        let sent_id = request.headers().get(REQUEST_ID).filter(|id| is_acceptable_id(id.as_bytes()));
        let new_id = || HeaderValue::try_from(app.fresh_request_id()).expect("generated ids are ASCII");
        Self {
            id: sent_id.cloned().unwrap_or_else(new_id),
            method: request.method().clone(),
            client,
            start: app.request_start(),
            parent: if trace::is_on() { parent(request.headers()) } else { None },
        }
    }

    pub(crate) fn id(&self) -> &str {
        self.id.to_str().unwrap_or_default()
    }

    /// A client may send any text as its method. Only the usual methods have a name.
    pub(crate) fn method_name(&self) -> &'static str {
        method_name(&self.method)
    }
}

/// Probes are answered under overload too: the instance is busy, not gone.
pub(crate) fn is_probe(route: &str) -> bool {
    matches!(route, "/healthz" | "/readyz")
}

/// A request with several `traceparent` headers has none, as W3C Trace Context says.
fn parent(headers: &HeaderMap) -> Option<Box<SpanContext>> {
    let mut sent = headers.get_all(trace::TRACEPARENT).iter();
    let (Some(header), None) = (sent.next(), sent.next()) else { return None };
    trace::parse_traceparent(header.to_str().ok()?).map(Box::new)
}

/// A client's id is kept if it is short, plain, and holds no key, sign-in code or session: ids are logged.
fn is_acceptable_id(id: &[u8]) -> bool {
    (1..=64).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && std::str::from_utf8(id).is_ok_and(|id| !SECRET_PREFIXES.iter().any(|prefix| id.contains(prefix)))
}
