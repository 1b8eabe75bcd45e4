//! Requests to other servers, and what their responses mean: success, retry or failure.

use std::time::Duration;

use http::HeaderMap;
use serde_json::Value;
use svc_mcp_access::{Secret, Timestamp};
use url::Url;

use super::PublishError;
use crate::net::{Limits, NetError, Outbound, Request, Response, parse_http_url};

const MAX_RESPONSE_BYTES: usize = 256 * 1024;
const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);
/// A quote from a response is cut to this length.
const MAX_QUOTE_CHARS: usize = 200;

/// A server that posts are published on.
#[derive(Debug, Clone, Copy)]
pub(super) struct RemoteServer<'a> {
    pub(super) outbound: &'a Outbound,
    pub(super) now: Timestamp,
    /// The subject of error messages: `The Mastodon server`.
    pub(super) name: &'a str,
    /// What to do when it refuses the credential.
    pub(super) remedy: &'a str,
    /// What to do when it refuses the request for another reason.
    pub(super) advice: &'a str,
    pub(super) secret: &'a Secret,
}

impl RemoteServer<'_> {
    /// Sends a request and returns the response, whatever its status is. Redirects are not followed: they would send the
    /// credential or the post to another server.
    pub(super) async fn exchange(&self, mut request: Request) -> Result<Response, PublishError> {
        request.limits = Limits { max_redirects: 0, max_body_bytes: MAX_RESPONSE_BYTES, ..Limits::default() };
        self.outbound.send(request).await.map_err(|error| request_error(self.name, &error))
    }

    /// Sends a request and returns a successful response.
    pub(super) async fn send(&self, request: Request) -> Result<Response, PublishError> {
        let answer = self.exchange(request).await?;
        if answer.is_success() { Ok(answer) } else { Err(self.refusal(&answer)) }
    }

    pub(super) async fn send_for_json(&self, request: Request) -> Result<Value, PublishError> {
        let answer = self.send(request).await?;
        serde_json::from_slice(&answer.body).map_err(|_| self.unreadable())
    }

    /// The server reported success, but its response cannot be parsed. It may have published the post.
    pub(super) fn unreadable(&self) -> PublishError {
        PublishError::Retry {
            reason: format!("The response of {} could not be read.", self.name),
            after: None,
            maybe_published: true,
        }
    }

    pub(super) fn refusal(&self, answer: &Response) -> PublishError {
        let (name, status) = (self.name, answer.status);
        let quote = self.quote(&answer.body);
        match status {
            408 | 425 | 429 | 500..=599 => PublishError::Retry {
                reason: format!("{name} answered {status}{quote}."),
                after: retry_after(&answer.headers, self.now),
                // 503 says that the request was not processed.
                maybe_published: status >= 500 && status != 503 || status == 408,
            },
            300..=399 => PublishError::Failed(format!(
                "{name} answered with a redirect ({status}). Set the target of the redirect in the channel's settings."
            )),
            401 | 403 => PublishError::Failed(format!("{name} refused ({status}{quote}). {}", self.remedy)),
            404 | 410 => PublishError::Failed(format!(
                "{name} has nothing at this address ({status}{quote}). Check the address in the channel's settings."
            )),
            _ => PublishError::Failed(format!(
                "{name} did not accept the post ({status}{quote}). {}",
                self.advice
            )),
        }
    }

    /// The server's error message as a short quote without control characters and without the secret.
    pub(super) fn quote(&self, body: &[u8]) -> String {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let message =
            ["message", "error_description", "error"].iter().find_map(|field| body[*field].as_str());
        let Some(message) = message else { return String::new() };
        let message = message.replace(self.secret.expose(), "(secret)");
        let plain = message.chars().map(|c| if c.is_control() { ' ' } else { c });
        let plain: String = plain.take(MAX_QUOTE_CHARS).collect();
        let plain =
            svc_mcp_access::validate::without_key(&plain).map(|()| plain.trim().trim_end_matches('.'));
        plain.map(|plain| format!(", saying “{plain}”")).unwrap_or_default()
    }
}

/// The request had no response.
pub(super) fn request_error(name: &str, error: &NetError) -> PublishError {
    match error {
        NetError::Refused(_) => PublishError::Failed(format!(
            "{name} cannot be used: {error}. Change the address or ask the operator to allow the host."
        )),
        _ => PublishError::Retry {
            reason: format!("The request to {name} failed: {error}."),
            after: None,
            maybe_published: error.may_have_been_sent(),
        },
    }
}

/// The delay that the server asks for: `Retry-After` in seconds or as a date, Mastodon's `X-RateLimit-Reset` (a time), or
/// Bluesky's `RateLimit-Reset` (a Unix time).
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let until = |at: Timestamp| {
        u64::try_from(at.millis() - now.millis()).map_or(Duration::ZERO, Duration::from_millis)
    };
    let seconds = |text: &str| text.parse().ok().map(Duration::from_secs);
    let http_date = |text: &str| {
        let at = jiff::fmt::rfc2822::parse(text).ok()?;
        Some(until(Timestamp::from_millis(at.timestamp().as_millisecond())))
    };
    let unix_time = |text: &str| {
        let seconds: i64 = text.parse().ok()?;
        Some(until(Timestamp::from_millis(seconds.checked_mul(1000)?)))
    };
    let delay = text("retry-after")
        .and_then(|text| seconds(text).or_else(|| http_date(text)))
        .or_else(|| text("x-ratelimit-reset").and_then(|text| text.parse().ok()).map(until))
        .or_else(|| text("ratelimit-reset").and_then(unix_time));
    delay.map(|delay| delay.min(MAX_RETRY_AFTER))
}

/// The address in a response, if it is an http or https address.
pub(super) fn public_address(value: &Value) -> Option<String> {
    parse_http_url(value.as_str()?).ok().map(Into::into)
}

/// The address of a path on a server.
pub(super) fn endpoint(server: &Url, path: &str) -> Url {
    let mut url = server.clone();
    url.set_path(path);
    url
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);

    fn wait(name: &str, value: &str) -> Option<u64> {
        let mut headers = HeaderMap::new();
        let name: HeaderName = name.parse().expect("a name");
        headers.insert(name, HeaderValue::from_str(value).expect("a value"));
        retry_after(&headers, NOW).map(|delay| delay.as_secs())
    }

    #[test]
    fn the_requested_delay_is_read_from_every_header_form() {
        assert_eq!(wait("retry-after", "120"), Some(120));
        assert_eq!(wait("retry-after", "Sun, 15 Nov 2026 00:05:00 GMT"), Some(300));
        assert_eq!(wait("retry-after", "Sun, 15 Nov 2020 00:05:00 GMT"), Some(0));
        assert_eq!(wait("x-ratelimit-reset", "2026-11-15T00:10:00.000000Z"), Some(600));
        assert_eq!(wait("ratelimit-reset", "1794700860"), Some(60));
        assert_eq!(wait("retry-after", "99999999999"), Some(24 * 3600));
        assert_eq!(wait("retry-after", "soon"), None);
        assert_eq!(wait("ratelimit-reset", "9223372036854775807"), None);
    }
}
