//! The guarded HTTP client. Every redirect is checked like a new request, and one timeout covers all of them.

use std::{collections::HashSet, fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use tokio::time::Instant;

use crate::trace::{self, NewSpan};

use super::{
    NetError, Request, Response,
    body::{self, ACCEPT_ENCODING},
    guard::{AddressPolicy, Guard, GuardError},
    resolver::{DnsResolver, FilteringResolver, SystemResolver},
};

/// Sites can name `svc-mcp` in their robots.txt.
const USER_AGENT: &str = concat!("svc-mcp/", env!("CARGO_PKG_VERSION"));
/// Covers all addresses of a host, so that an unreachable one leaves time for the next.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_IDLE_PER_HOST: usize = 8;
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Headers that a redirect to another origin keeps, because they never contain a secret.
const SAFE_HEADERS: [HeaderName; 3] = [header::ACCEPT, header::ACCEPT_LANGUAGE, header::USER_AGENT];
/// Headers that only the client sets.
const RESERVED_HEADERS: [HeaderName; 8] = [
    header::HOST,
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Sends requests to public servers. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Outbound {
    guard: Arc<Guard>,
    public_only: reqwest::Client,
    /// A separate client, so that a pooled connection to an internal host is never used for another host.
    any_address: reqwest::Client,
}

#[derive(Debug, thiserror::Error)]
#[error("the HTTP client could not be built: {0}")]
pub struct ClientError(#[from] reqwest::Error);

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound").field("guard", &self.guard).finish_non_exhaustive()
    }
}

impl Outbound {
    pub fn new(guard: Guard) -> Result<Self, ClientError> {
        Self::with_resolver(guard, Arc::new(SystemResolver))
    }

    pub fn with_resolver(guard: Guard, resolver: Arc<dyn DnsResolver>) -> Result<Self, ClientError> {
        Ok(Self {
            guard: Arc::new(guard),
            public_only: client(Arc::clone(&resolver), AddressPolicy::PublicOnly)?,
            any_address: client(resolver, AddressPolicy::Any)?,
        })
    }

    /// Sends a request and follows its redirects.
    pub async fn send(&self, request: Request) -> Result<Response, NetError> {
        let timeout = request.limits.timeout;
        let (method, host) = (request.method.clone(), request.url.host_str().map(str::to_owned));
        let describe = || {
            NewSpan::client(method.to_string())
                .with("http.request.method", method.to_string())
                .with("server.address", host.unwrap_or_default())
        };
        trace::in_span(describe, async {
            let sent = tokio::time::timeout(timeout, self.follow(request)).await;
            let sent = sent.unwrap_or(Err(NetError::Timeout));
            match &sent {
                Ok(response) => trace::note("http.response.status_code", i64::from(response.status)),
                Err(error) => trace::fail(error.name()),
            }
            sent
        })
        .await
    }

    async fn follow(&self, mut request: Request) -> Result<Response, NetError> {
        let limits = request.limits;
        let mut visited = HashSet::new();
        for left in (0..=limits.max_redirects).rev() {
            let sent = Instant::now();
            let response = self.send_once(request.clone()).await?;
            let time_to_first_byte = sent.elapsed();
            let location = location(&response).filter(|_| limits.max_redirects > 0);
            let Some(location) = location else {
                let (status, headers) = (response.status().as_u16(), response.headers().clone());
                let body = body::read(response, limits.max_body_bytes).await?;
                let (body, truncated) = (body.bytes, body.truncated);
                return Ok(Response {
                    status,
                    headers,
                    body,
                    truncated,
                    url: request.url,
                    time_to_first_byte,
                });
            };
            visited.insert((request.method.clone(), request.url.clone()));
            request = redirected(request, response.status(), &location)?;
            if left == 0 || visited.contains(&(request.method.clone(), request.url.clone())) {
                break;
            }
        }
        Err(NetError::TooManyRedirects)
    }

    async fn send_once(&self, mut request: Request) -> Result<reqwest::Response, NetError> {
        let policy = self.guard.check(&request.url)?;
        let client = match policy {
            AddressPolicy::PublicOnly => &self.public_only,
            AddressPolicy::Any => &self.any_address,
        };
        for name in RESERVED_HEADERS {
            request.headers.remove(name);
        }
        set_traceparent(&mut request.headers, policy, trace::traceparent());
        request.headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(ACCEPT_ENCODING));
        let mut builder = client.request(request.method, request.url).headers(request.headers);
        if !request.body.is_empty() {
            builder = builder.body(request.body);
        }
        Ok(builder.send().await?)
    }
}

fn client(resolver: Arc<dyn DnsResolver>, policy: AddressPolicy) -> Result<reqwest::Client, ClientError> {
    let client = reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .no_proxy()
        .referer(false)
        .redirect(reqwest::redirect::Policy::none())
        .dns_resolver(FilteringResolver { resolver, policy })
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_max_idle_per_host(MAX_IDLE_PER_HOST)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .build()?;
    Ok(client)
}

/// Only systems of the operator continue the trace. The servers of others do not learn its ids.
fn set_traceparent(headers: &mut HeaderMap, policy: AddressPolicy, traceparent: Option<String>) {
    headers.remove(trace::TRACEPARENT);
    let traceparent = traceparent.filter(|_| policy == AddressPolicy::Any);
    if let Some(Ok(traceparent)) = traceparent.map(HeaderValue::try_from) {
        headers.insert(trace::TRACEPARENT, traceparent);
    }
}

fn location(response: &reqwest::Response) -> Option<HeaderValue> {
    let is_redirect = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    response.headers().get(header::LOCATION).filter(|_| is_redirect).cloned()
}

/// The next request of a redirect (RFC 9110 §15.4).
fn redirected(mut request: Request, status: StatusCode, location: &HeaderValue) -> Result<Request, NetError> {
    let target = std::str::from_utf8(location.as_bytes()).ok().and_then(|text| request.url.join(text).ok());
    let mut target = target.ok_or(NetError::InvalidResponse("it redirects to an invalid URL"))?;
    target.set_fragment(None);
    let is_other_origin = target.origin() != request.url.origin();
    request.url = target;
    let becomes_get = status == StatusCode::SEE_OTHER
        || request.method == Method::POST
            && matches!(status, StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND);
    if becomes_get && request.method != Method::HEAD {
        request.method = Method::GET;
        request.body = Bytes::new();
        request.headers.remove(header::CONTENT_TYPE);
    }
    if is_other_origin {
        if !request.body.is_empty() {
            return Err(GuardError::BodyToOtherOrigin.into());
        }
        let headers = std::mem::take(&mut request.headers);
        for name in SAFE_HEADERS {
            if let Some(value) = headers.get(&name) {
                request.headers.insert(name, value.clone());
            }
        }
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_systems_of_the_operator_learn_the_trace() {
        const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        for (policy, traceparent, expected) in [
            (AddressPolicy::Any, Some(PARENT), Some(PARENT)),
            (AddressPolicy::Any, None, None),
            (AddressPolicy::PublicOnly, Some(PARENT), None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(trace::TRACEPARENT, HeaderValue::from_static("of the request before a redirect"));
            set_traceparent(&mut headers, policy, traceparent.map(str::to_owned));
            let sent = headers.get(trace::TRACEPARENT).and_then(|value| value.to_str().ok());
            assert_eq!(sent, expected, "{policy:?}");
        }
    }
}
