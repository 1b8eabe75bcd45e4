//! How an answer tells the limit: `RateLimit` and `RateLimit-Policy`.

use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use svc_mcp_access::rate::{LIMIT, Rate, SPAN};

pub(crate) const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
pub(crate) const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

const _: () = assert!(LIMIT == 60 && SPAN.as_secs() == 60, "the header names both");
pub(crate) const POLICY: HeaderValue = HeaderValue::from_static("\"key\";q=60;w=60");

/// `"key";r=59;t=60`. Every answer to a key has one: written into one small piece of memory.
pub(crate) fn written(rate: &Rate) -> HeaderValue {
    let mut value = Vec::with_capacity(24);
    value.extend_from_slice(b"\"key\";r=");
    push_number(&mut value, rate.remaining as u64);
    value.extend_from_slice(b";t=");
    push_number(&mut value, rate.frees_in_seconds().into());
    HeaderValue::from_maybe_shared(Bytes::from(value)).expect("digits are plain ASCII")
}

fn push_number(text: &mut Vec<u8>, number: u64) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(b'0' + (number % 10) as u8);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_limit_is_told_in_whole_numbers() {
        for (remaining, seconds, told) in
            [(59, 60, r#""key";r=59;t=60"#), (0, 7, r#""key";r=0;t=7"#), (10, 0, r#""key";r=10;t=0"#)]
        {
            let rate = Rate { admitted: true, remaining, frees_in: Duration::from_secs(seconds) };
            assert_eq!(written(&rate), told);
        }
    }
}
