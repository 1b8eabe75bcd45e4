//! What must be known of a request after its handler has consumed it.

use http::{HeaderName, HeaderValue, Method};
use svc_mcp_access::{key, session};

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

/// A client's id is kept if it is short, plain, and holds no key, sign-in code or session: ids are logged.
fn is_acceptable_id(id: &[u8]) -> bool {
    (1..=64).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && std::str::from_utf8(id).is_ok_and(|id| !SECRET_PREFIXES.iter().any(|prefix| id.contains(prefix)))
}
