//! The response headers that tell the rate limit of a key or a user: `RateLimit` and `RateLimit-Policy`.

use http::{HeaderMap, HeaderName, HeaderValue};
use svc_mcp_access::rate::{LIMIT, Rate, WINDOW};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

const _: () = assert!(LIMIT == 60 && WINDOW.as_secs() == 60, "the policy below states both");
const POLICY: HeaderValue = HeaderValue::from_static("\"key\";q=60;w=60");

pub(crate) fn insert_headers(headers: &mut HeaderMap, rate: &Rate) {
    headers.insert(RATE_LIMIT, header_value("key", rate));
    headers.insert(RATE_LIMIT_POLICY, POLICY);
}

/// The same headers for the limit of a user in the management API, or of an address.
pub(crate) fn policy_headers(policy: &str, limit: u16, rate: &Rate) -> [(HeaderName, HeaderValue); 2] {
    let details = format!("\"{policy}\";q={limit};w={}", WINDOW.as_secs());
    let details = HeaderValue::try_from(details).expect("names and digits are ASCII");
    [(RATE_LIMIT, header_value(policy, rate)), (RATE_LIMIT_POLICY, details)]
}

/// `"key";r=59;t=60`
fn header_value(policy: &str, rate: &Rate) -> HeaderValue {
    // Every response to a key has this header. `format!` costs 0.3 µs more.
    let (mut remaining, mut seconds) = (itoa::Buffer::new(), itoa::Buffer::new());
    let (remaining, seconds) = (remaining.format(rate.remaining), seconds.format(rate.frees_in_seconds()));
    let value = ["\"", policy, "\";r=", remaining, ";t=", seconds].concat();
    HeaderValue::try_from(value).expect("digits are ASCII")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn header_has_whole_numbers() {
        for (remaining, seconds, value) in
            [(59, 60, r#""key";r=59;t=60"#), (0, 7, r#""key";r=0;t=7"#), (10, 0, r#""key";r=10;t=0"#)]
        {
            let rate = Rate { admitted: true, remaining, frees_in: Duration::from_secs(seconds) };
            assert_eq!(header_value("key", &rate), value);
        }
    }
}
