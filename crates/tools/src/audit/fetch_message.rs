//! Requests and responses of the crawler.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PageUrl;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Head,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchRequest {
    pub url: PageUrl,
    pub method: Method,
    /// A longer body is cut and marked `truncated`.
    pub max_body_bytes: usize,
}

/// A response with any status.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FetchResponse {
    pub status: u16,
    /// Names in lower case, in the order of the response.
    pub headers: Vec<(String, String)>,
    /// Without transfer and content encodings.
    pub body: Vec<u8>,
    /// The body is longer than `max_body_bytes`.
    pub truncated: bool,
    /// From sending the request to the first byte of the response.
    pub first_byte_ms: u32,
}

impl FetchResponse {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum FetchError {
    #[error("it did not respond in time")]
    Timeout,
    #[serde(rename = "name")]
    #[error("its host name could not be resolved")]
    Dns,
    #[error("the connection failed")]
    Connection,
    #[error("the secure connection failed")]
    Tls,
    /// For example a private address or a forbidden port.
    #[error("the URL may not be visited")]
    Refused,
    #[error("the response could not be read")]
    Unreadable,
}

/// The result of a request, without its content.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct FetchOutcome {
    /// Null: there was no response.
    pub status: Option<u16>,
    pub error: Option<FetchError>,
}

impl FetchOutcome {
    /// Whether a HEAD request shows that the target does not work. Many servers refuse crawlers with 401, 403, 405,
    /// 429, 503 or 999, and our own client refuses some URLs. Neither says anything about what visitors see.
    pub fn is_gone(&self) -> bool {
        match self.status {
            Some(status) => matches!(status, 404 | 410 | 500 | 502 | 504 | 520..530),
            None => self.error.as_ref().is_some_and(|error| *error != FetchError::Refused),
        }
    }

    pub fn describe(&self) -> String {
        match (self.status, &self.error) {
            (Some(status), _) => format!("it responded with status {status}"),
            (None, Some(error)) => error.to_string(),
            (None, None) => "it was not requested".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_crawler_does_not_mean_broken_target() {
        let responded = |status| FetchOutcome { status: Some(status), error: None };
        assert!([404, 410, 500].iter().all(|status| responded(*status).is_gone()));
        assert!(![200, 301, 403, 405, 429, 503, 999].iter().any(|status| responded(*status).is_gone()));
        assert!(FetchOutcome { status: None, error: Some(FetchError::Dns) }.is_gone());
        assert!(!FetchOutcome { status: None, error: Some(FetchError::Refused) }.is_gone());
    }
}
