//! The rule for URLs that users, sites and settings supply.

use svc_mcp_access::validate::{TextError, plain_text};
use url::{Host, Url};

/// Servers and search engines do not handle longer URLs reliably.
pub const MAX_URL_CHARS: usize = 2_000;
/// The same rule for a schema, as far as a pattern can express it.
pub const HTTP_URL_PATTERN: &str = r"^\s*[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@]+([/?#][^\p{Cc}]*)?\s*$";
pub const HTTP_URL_MESSAGE: &str =
    "must be an http or https URL without a user name or password, such as https://example.com/page";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    #[error(transparent)]
    InvalidText(#[from] TextError),
    #[error("{HTTP_URL_MESSAGE}")]
    NotHttp,
    #[error("must not contain a user name or password")]
    Credentials,
    #[error("must be at most {0} characters")]
    TooLong(usize),
}

/// Parses an absolute URL that a person typed.
pub fn parse_http_url(text: &str) -> Result<Url, UrlError> {
    let text = plain_text(text, MAX_URL_CHARS)?;
    let url = Url::parse(&text).map_err(|_| UrlError::NotHttp)?;
    check_http_url(&url, MAX_URL_CHARS)?;
    Ok(url)
}

/// Whether the URL names this machine.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Checks scheme, host, credentials and length of a parsed URL.
pub fn check_http_url(url: &Url, max_chars: usize) -> Result<(), UrlError> {
    if url.as_str().len() > max_chars {
        return Err(UrlError::TooLong(max_chars));
    }
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(UrlError::NotHttp);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(UrlError::Credentials);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_http_urls_with_a_host_and_without_credentials_are_accepted() {
        for good in ["https://example.com", " http://localhost:3000/a?b#c ", "https://bücher.example/"] {
            assert!(parse_http_url(good).is_ok(), "{good}");
        }
        for bad in
            ["", "example.com", "/a", "ftp://example.com/", "mailto:a@b.c", "https://", "https://a\u{0}/"]
        {
            assert!(parse_http_url(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_http_url("https://user@example.com/"), Err(UrlError::Credentials));
        assert_eq!(parse_http_url("https://user:secret@example.com/"), Err(UrlError::Credentials));
        // Each `ä` becomes six characters.
        let long = format!("https://example.com/{}", "ä".repeat(400));
        assert_eq!(parse_http_url(&long), Err(UrlError::TooLong(MAX_URL_CHARS)));
    }
}
