//! HTTP requests and responses.

use std::{fmt, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, Method};
use url::Url;

use super::NetError;

#[derive(Clone)]
pub struct Request {
    pub method: Method,
    pub url: Url,
    /// After a redirect to another origin, only headers that cannot contain a secret are sent.
    pub headers: HeaderMap,
    pub body: Bytes,
    pub limits: Limits,
}

impl Request {
    pub fn get(url: Url) -> Self {
        Self::new(Method::GET, url, Vec::new())
    }

    pub fn post(url: Url, body: impl Into<Vec<u8>>) -> Self {
        Self::new(Method::POST, url, body.into())
    }

    pub fn new(method: Method, url: Url, body: Vec<u8>) -> Self {
        Self { method, url, headers: HeaderMap::new(), body: body.into(), limits: Limits::default() }
    }
}

/// Without path, query, header values and body, because each may contain a credential.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("host", &self.url.host_str())
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("body", &self.body.len())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From the DNS lookup to the last byte of the body, including all redirects.
    pub timeout: Duration,
    /// After decompression. A longer body is cut and marked `truncated`. With 0 the body is not read.
    pub max_body_bytes: usize,
    /// With 0 a redirect is returned as the response.
    pub max_redirects: u8,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(15), max_body_bytes: 2 * 1024 * 1024, max_redirects: 5 }
    }
}

/// A response with any status.
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    /// As received: `Content-Encoding` and `Content-Length` describe the compressed body.
    pub headers: HeaderMap,
    /// Decompressed.
    pub body: Vec<u8>,
    /// The body is longer than `max_body_bytes`.
    pub truncated: bool,
    /// The URL after all redirects.
    pub url: Url,
    /// From sending the last request to the head of its response.
    pub time_to_first_byte: Duration,
}

impl Response {
    /// Fails if the body was truncated.
    pub fn into_complete(self) -> Result<Self, NetError> {
        if self.truncated { Err(NetError::TooLarge) } else { Ok(self) }
    }

    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("host", &self.url.host_str())
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("body", &self.body.len())
            .field("truncated", &self.truncated)
            .finish_non_exhaustive()
    }
}
