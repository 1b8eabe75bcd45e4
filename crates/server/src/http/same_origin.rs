//! Requests of the service's own pages. A browser adds its cookies also to requests of other pages, which are refused.

use http::{HeaderMap, HeaderName, header};
use url::Url;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether a page of the service itself sent the request. Browsers write both headers, and pages cannot change them.
pub(crate) fn is_same_origin(headers: &HeaderMap, public_url: &str) -> bool {
    let single = |name: HeaderName| {
        let mut values = headers.get_all(name).iter();
        (values.next(), values.next().is_some())
    };
    match single(FETCH_SITE) {
        (Some(site), false) => site == "same-origin",
        (Some(_), true) => false,
        // Old browsers send only `Origin`.
        (None, _) => match single(header::ORIGIN) {
            (Some(origin), false) => origin.to_str().is_ok_and(|origin| is_own(origin, headers, public_url)),
            _ => false,
        },
    }
}

/// A machine has several names for itself, so on plain http the address that the browser used counts too.
fn is_own(origin: &str, headers: &HeaderMap, public_url: &str) -> bool {
    let Ok(public) = Url::parse(public_url) else { return false };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    origin == public.origin().ascii_serialization()
        || public.scheme() == "http" && host.is_some_and(|host| origin.strip_prefix("http://") == Some(host))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn check(public_url: &str, headers: &[(&'static str, &'static str)]) -> bool {
        let header = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        is_same_origin(&headers.iter().map(header).collect(), public_url)
    }

    #[test]
    fn the_browser_says_where_a_request_comes_from() {
        let url = "https://mcp.acme.example/mcp";
        assert!(check(url, &[("sec-fetch-site", "same-origin")]));
        assert!(check(url, &[("sec-fetch-site", "same-origin"), ("origin", "https://mcp.acme.example")]));
        for site in ["cross-site", "same-site", "none", "", "Same-Origin, same-origin"] {
            assert!(
                !check(url, &[("sec-fetch-site", site), ("origin", "https://mcp.acme.example")]),
                "{site}"
            );
        }
        let mut twice = HeaderMap::new();
        for _ in 0..2 {
            twice.append(FETCH_SITE, HeaderValue::from_static("same-origin"));
        }
        assert!(!is_same_origin(&twice, url));
    }

    #[test]
    fn without_fetch_metadata_the_origin_must_be_the_own_one() {
        let url = "https://mcp.acme.example/mcp";
        assert!(check(url, &[("origin", "https://mcp.acme.example"), ("host", "mcp.acme.example")]));
        for origin in
            ["http://mcp.acme.example", "https://acme.example", "https://mcp.acme.example:444", "null", ""]
        {
            assert!(!check(url, &[("origin", origin), ("host", "mcp.acme.example")]), "{origin}");
        }
        assert!(!check(url, &[("host", "mcp.acme.example")]), "no header at all");
        assert!(check(
            "http://127.0.0.1:8080",
            &[("origin", "http://localhost:8080"), ("host", "localhost:8080")]
        ));
        assert!(!check(
            "http://127.0.0.1:8080",
            &[("origin", "http://localhost:3000"), ("host", "localhost:8080")]
        ));
    }
}
