//! What the answers of other servers mean: try again, or say what is to be done.

use std::time::Duration;

use http::HeaderMap;
use serde_json::Value;
use svc_mcp_access::{Secret, Timestamp};
use url::Url;

use super::Trouble;
use crate::net::{Answer, Limits, NetError, Outbound, Request};

/// Answers are short; nobody sends a megabyte to say yes.
const LARGEST_ANSWER: usize = 256 * 1024;
const LONGEST_WAIT: Duration = Duration::from_hours(24);
/// Of what another server said, no more than this is repeated.
const LONGEST_QUOTE: usize = 200;

/// A server that posts are handed to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Server<'a> {
    pub(super) outbound: &'a Outbound,
    pub(super) now: Timestamp,
    /// As a person calls it: `The Mastodon server`.
    pub(super) name: &'a str,
    /// What to do where it refuses the credential.
    pub(super) remedy: &'a str,
    pub(super) secret: &'a Secret,
}

impl Server<'_> {
    /// Sends a request and gives the answer of a success. A redirect is none: it would carry a credential, or a post,
    /// to where nobody meant it to go.
    pub(super) async fn send(&self, mut request: Request) -> Result<Answer, Trouble> {
        request.limits = Limits { redirects: 0, largest_body: LARGEST_ANSWER, ..Limits::default() };
        let answer = self.outbound.send(request).await.map_err(|error| unanswered(self.name, &error))?;
        if answer.is_success() { Ok(answer) } else { Err(self.refusal(&answer)) }
    }

    pub(super) async fn send_for_json(&self, request: Request) -> Result<Value, Trouble> {
        let answer = self.send(request).await?;
        serde_json::from_slice(&answer.body).map_err(|_| self.unreadable())
    }

    /// It said yes, and not what to. Whether it has the post is not known.
    pub(super) fn unreadable(&self) -> Trouble {
        Trouble::Later {
            reason: format!("{}'s answer could not be read.", self.name),
            after: None,
            unsure: true,
        }
    }

    pub(super) fn refusal(&self, answer: &Answer) -> Trouble {
        let (name, status) = (self.name, answer.status);
        let said = self.said(&answer.body);
        match status {
            408 | 425 | 429 | 500..=599 => Trouble::Later {
                reason: format!("{name} answered {status}{said}."),
                after: wait_of(&answer.headers, self.now),
                unsure: status >= 500 || status == 408,
            },
            300..=399 => Trouble::Failed(format!(
                "{name} answered with a redirect ({status}). Put the address it leads to into the channel's settings."
            )),
            401 | 403 => Trouble::Failed(format!("{name} refused ({status}{said}). {}", self.remedy)),
            404 | 410 => Trouble::Failed(format!(
                "{name} has nothing at this address ({status}{said}). Check the address in the channel's settings."
            )),
            _ => Trouble::Failed(format!(
                "{name} did not take the post ({status}{said}). Change it and create it anew."
            )),
        }
    }

    /// What the server gave as its reason, fit to be repeated: short, plain, and without the secret it was sent.
    fn said(&self, body: &[u8]) -> String {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let words = ["message", "error_description", "error"].iter().find_map(|field| body[*field].as_str());
        let Some(words) = words else { return String::new() };
        let words = words.replace(self.secret.expose(), "(secret)");
        let plain = words.chars().map(|c| if c.is_control() { ' ' } else { c });
        let plain: String = plain.take(LONGEST_QUOTE).collect();
        let plain =
            svc_mcp_access::validate::without_key(&plain).map(|()| plain.trim().trim_end_matches('.'));
        plain.map(|plain| format!(", saying “{plain}”")).unwrap_or_default()
    }
}

/// No answer at all.
pub(super) fn unanswered(name: &str, error: &NetError) -> Trouble {
    match error {
        NetError::Refused(_) => Trouble::Failed(format!(
            "{name} cannot be used: {error}. Change the address, or ask the operator to allow the host."
        )),
        NetError::Timeout | NetError::Unreachable(_) | NetError::TooLarge | NetError::TooManyRedirects => {
            Trouble::Later { reason: format!("{name} did not take it: {error}."), after: None, unsure: true }
        }
    }
}

/// How long the server wants to be left alone: `Retry-After` in seconds or as a date, Mastodon's `X-RateLimit-Reset`
/// (a time), Bluesky's `RateLimit-Reset` (seconds since 1970).
fn wait_of(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let until = |at: Timestamp| {
        u64::try_from(at.millis() - now.millis()).map_or(Duration::ZERO, Duration::from_millis)
    };
    let seconds = |text: &str| text.parse().ok().map(Duration::from_secs);
    let http_date = |text: &str| {
        let at = jiff::fmt::rfc2822::parse(text).ok()?;
        Some(until(Timestamp::from_millis(at.timestamp().as_millisecond())))
    };
    let since_1970 = |text: &str| {
        let seconds: i64 = text.parse().ok()?;
        Some(until(Timestamp::from_millis(seconds.checked_mul(1000)?)))
    };
    let wait = text("retry-after")
        .and_then(|text| seconds(text).or_else(|| http_date(text)))
        .or_else(|| text("x-ratelimit-reset").and_then(|text| text.parse().ok()).map(until))
        .or_else(|| text("ratelimit-reset").and_then(since_1970));
    wait.map(|wait| wait.min(LONGEST_WAIT))
}

/// An address that another server gave, if it is one.
pub(super) fn public_address(value: &Value) -> Option<String> {
    let text = value.as_str().filter(|text| text.len() <= 2000)?;
    let url = Url::parse(text).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

/// A path of a server whose address is its root.
pub(super) fn at(server: &Url, path: &str) -> Url {
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
        wait_of(&headers, NOW).map(|wait| wait.as_secs())
    }

    #[test]
    fn what_the_server_asks_for_is_honoured_in_each_of_its_forms() {
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
