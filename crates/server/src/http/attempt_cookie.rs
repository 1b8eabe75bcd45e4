//! The cookie of a browser whose person signs in at the OpenID Connect provider.

use http::{HeaderMap, HeaderValue};
use svc_mcp_access::Timestamp;

use super::session_cookie::{cookie_values, is_secure};
use crate::oidc::{ATTEMPT_LIFETIME, SignInAttempt};

/// With the prefix `__Host-`, no other host of the same domain can set this cookie.
const SECURE_NAME: &str = "__Host-svc_sign_in";
/// For plain http, which is only allowed on this machine.
const LOOPBACK_NAME: &str = "svc_sign_in";

#[derive(Debug, Clone, Copy)]
pub(crate) struct AttemptCookie {
    is_secure: bool,
}

impl AttemptCookie {
    pub(crate) fn new(public_url: &str) -> Self {
        Self { is_secure: is_secure(public_url) }
    }

    fn name(self) -> &'static str {
        if self.is_secure { SECURE_NAME } else { LOOPBACK_NAME }
    }

    /// `None`: there is no such cookie, there are several, or the attempt has ended.
    pub(crate) fn read(self, headers: &HeaderMap, now: Timestamp) -> Option<SignInAttempt> {
        let mut values = cookie_values(headers, self.name());
        let value = values.next().filter(|_| values.next().is_none())?;
        SignInAttempt::parse(value, now)
    }

    pub(crate) fn set(self, attempt: &SignInAttempt) -> HeaderValue {
        self.header_value(&attempt.cookie_value(), ATTEMPT_LIFETIME.as_secs())
    }

    pub(crate) fn remove(self) -> HeaderValue {
        self.header_value("", 0)
    }

    /// `Lax`: the provider is another site, and sends the browser back with a plain navigation.
    fn header_value(self, value: &str, max_age: u64) -> HeaderValue {
        let secure = if self.is_secure { "; Secure" } else { "" };
        let text =
            format!("{}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Lax{secure}", self.name());
        let mut value = HeaderValue::try_from(text).expect("a cookie is plain ASCII");
        value.set_sensitive(true);
        value
    }
}

#[cfg(test)]
mod tests {
    use http::header;
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;
    use crate::oidc::ReturnPath;

    #[test]
    fn one_open_attempt_is_found() {
        let now = Timestamp::from_millis(1_000_000);
        let attempt = SignInAttempt::new(ReturnPath::default(), now, &mut StdRng::seed_from_u64(1));
        let cookie = AttemptCookie::new("https://mcp.acme.example");
        let set = cookie.set(&attempt);
        let text = set.to_str().expect("plain text");
        assert!(text.starts_with("__Host-svc_sign_in=svc_attempt_"), "{text}");
        assert!(text.ends_with("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"), "{text}");
        assert_eq!(format!("{set:?}"), "Sensitive");
        let pair = text.split(';').next().expect("a cookie");
        let read = |cookies: &str| {
            let value = HeaderValue::try_from(cookies).expect("a header");
            cookie.read(&HeaderMap::from_iter([(header::COOKIE, value)]), now)
        };
        assert_eq!(read(&format!("a=b; {pair}")).map(|read| read.state()), Some(attempt.state()));
        for none in
            ["", "a=b", &format!("{pair}; {pair}"), "__Host-svc_sign_in=", &pair.replace("__Host-", "")]
        {
            assert!(read(none).is_none(), "{none}");
        }
        let removed = AttemptCookie::new("http://127.0.0.1:8080").remove();
        assert_eq!(removed, "svc_sign_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    }
}
