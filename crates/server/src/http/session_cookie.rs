//! The cookie that holds a session.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};
use svc_mcp_access::session::{SessionToken, SignInDigest};
use svc_mcp_tools::net::is_loopback;
use url::Url;

/// With the prefix `__Host-`, browsers take the cookie only over https, and from no other host of the same domain.
const SECURE_NAME: &str = "__Host-svc_session";
/// On plain http, which only an address of this machine may have.
const LOOPBACK_NAME: &str = "svc_session";

#[derive(Debug, Clone, Copy)]
pub(crate) struct SessionCookie {
    is_secure: bool,
}

/// What a request has in the cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PresentedSession {
    Missing,
    Session(SignInDigest),
    /// It is not the secret of a session, or there are several.
    Unusable,
}

impl SessionCookie {
    pub(crate) fn new(public_url: &str) -> Self {
        Self { is_secure: is_secure(public_url) }
    }

    fn name(self) -> &'static str {
        if self.is_secure { SECURE_NAME } else { LOOPBACK_NAME }
    }

    pub(crate) fn read(self, headers: &HeaderMap) -> PresentedSession {
        let mut found = PresentedSession::Missing;
        for value in cookie_values(headers, self.name()) {
            if found != PresentedSession::Missing {
                return PresentedSession::Unusable;
            }
            found =
                SessionToken::digest_of(value).map_or(PresentedSession::Unusable, PresentedSession::Session);
        }
        found
    }

    pub(crate) fn set(self, session: &SessionToken, lasts: Duration) -> HeaderValue {
        self.header_value(session.expose(), lasts.as_secs())
    }

    pub(crate) fn remove(self) -> HeaderValue {
        self.header_value("", 0)
    }

    fn header_value(self, value: &str, max_age: u64) -> HeaderValue {
        let secure = if self.is_secure { "; Secure" } else { "" };
        let text =
            format!("{}={value}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Strict{secure}", self.name());
        let mut value = HeaderValue::try_from(text).expect("a cookie is plain ASCII");
        value.set_sensitive(true);
        value
    }
}

/// Whether cookies are only for https. On an address of this machine they are not, because it may have no https.
pub(super) fn is_secure(public_url: &str) -> bool {
    let is_local = |url: Url| url.scheme() == "http" && is_loopback(&url);
    !Url::parse(public_url).is_ok_and(is_local)
}

/// The values of all cookies with this name.
pub(super) fn cookie_values<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let cookies = cookies.flat_map(|value| value.as_bytes().split(|byte| *byte == b';'));
    cookies.filter_map(move |cookie| {
        let (found, value) = std::str::from_utf8(cookie).ok()?.trim().split_once('=')?;
        (found == name).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    fn read(cookie: SessionCookie, values: &[&str]) -> PresentedSession {
        let values =
            values.iter().map(|value| (header::COOKIE, HeaderValue::try_from(*value).expect("a header")));
        cookie.read(&values.collect())
    }

    #[test]
    fn only_an_http_address_of_this_machine_goes_without_secure() {
        let token = SessionToken::generate(&mut StdRng::seed_from_u64(1));
        for url in
            ["https://mcp.acme.example", "https://localhost", "http://10.0.0.5:8080", "http://0.0.0.0:80"]
        {
            let value = SessionCookie::new(url).set(&token, Duration::from_millis(59_999));
            let expected = format!(
                "__Host-svc_session={}; Path=/; Max-Age=59; HttpOnly; SameSite=Strict; Secure",
                token.expose()
            );
            assert_eq!(value, expected, "{url}");
            assert_eq!(format!("{value:?}"), "Sensitive");
        }
        for url in ["http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:8080"] {
            let value = SessionCookie::new(url).remove();
            assert_eq!(value, "svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict", "{url}");
        }
    }

    #[test]
    fn one_session_is_found_among_other_cookies() {
        let cookie = SessionCookie::new("https://mcp.acme.example");
        let token = SessionToken::generate(&mut StdRng::seed_from_u64(1));
        let own = format!("__Host-svc_session={}", token.expose());
        let found = PresentedSession::Session(token.digest());
        assert_eq!(read(cookie, &[&own]), found);
        assert_eq!(read(cookie, &["a=b; broken", &format!("c=d;{own} ; e=f")]), found);
        for missing in ["", "a=b", &format!("x{own}"), &format!("svc_session={}", token.expose())] {
            assert_eq!(read(cookie, &[missing]), PresentedSession::Missing, "{missing}");
        }
        for unusable in [format!("{own}x"), format!("{own}; {own}"), "__Host-svc_session=".to_owned()] {
            assert_eq!(read(cookie, &[&unusable]), PresentedSession::Unusable, "{unusable}");
        }
    }
}
