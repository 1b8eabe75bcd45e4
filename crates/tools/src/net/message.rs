//! What is sent, and what comes back.

use std::{fmt, time::Duration};

use http::{HeaderMap, Method};
use url::Url;

use super::NetError;

#[derive(Clone)]
pub struct Request {
    pub method: Method,
    pub url: Url,
    /// Sent as they are to the first address. A redirect to another origin gets those alone that can hold no secret.
    pub headers: HeaderMap,
    pub body: Vec<u8>,
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
        Self { method, url, headers: HeaderMap::new(), body, limits: Limits::default() }
    }
}

/// Without path, query, header values and body: each may hold a credential.
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
    /// From the look-up of the name to the last byte of the body, all redirects together.
    pub time: Duration,
    /// After unpacking. What is longer is cut off here and marked `truncated`. With 0 no body is waited for.
    pub largest_body: usize,
    /// How many are followed. With 0 a redirect is the answer.
    pub redirects: u8,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(15), largest_body: 2 * 1024 * 1024, redirects: 5 }
    }
}

/// An answer of any status.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// As they came: `Content-Encoding` and `Content-Length` are about the packed body.
    pub headers: HeaderMap,
    /// Unpacked.
    pub body: Vec<u8>,
    /// The body is longer than was asked for.
    pub truncated: bool,
    /// Where the answer came from, after all redirects.
    pub url: Url,
}

impl Answer {
    /// For bodies that are of no use in part.
    pub fn whole(self) -> Result<Self, NetError> {
        if self.truncated { Err(NetError::TooLarge) } else { Ok(self) }
    }

    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("status", &self.status)
            .field("host", &self.url.host_str())
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("body", &self.body.len())
            .field("truncated", &self.truncated)
            .finish_non_exhaustive()
    }
}
