//! Normalized page URLs: equal for different spellings of one page, different for pages that may differ.
//!
//! Normalization covers the letter case of the host, the default port, dot segments, percent escapes, the fragment,
//! an empty query, credentials, and tracking parameters (`utm_source`, `gclid`, …). Servers may answer these
//! differently, so they stay different: `/a` and `/a/`, with and without `www.`, http and https, and any other query.

use url::Url;

use super::percent_escapes::normalize_escapes;
use crate::net::{MAX_URL_CHARS, check_http_url, is_loopback};

/// Query parameters that record where a visitor came from. They do not change the page.
const TRACKING_PARAMETERS: &str = "_ga _gl _hsenc _hsmi dclid fbclid gad_source gbraid gclid gclsrc igshid li_fat_id mc_cid \
    mc_eid mkt_tok msclkid srsltid ttclid twclid vero_id wbraid yclid";

/// A normalized http or https URL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageUrl(Url);

impl PageUrl {
    pub fn parse(text: &str) -> Option<Self> {
        Self::normalize(Url::parse(text.trim()).ok()?)
    }

    /// Resolves a link on the page at this URL.
    pub fn join(&self, href: &str) -> Option<Self> {
        let href = href.trim();
        if href.len() > MAX_URL_CHARS { None } else { Self::normalize(self.0.join(href).ok()?) }
    }

    fn normalize(mut url: Url) -> Option<Self> {
        url.set_fragment(None);
        // Both fail only for a URL without a host.
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        if url.path().contains('%') {
            let path = normalize_escapes(url.path());
            url.set_path(&path);
        }
        let query = url.query().map(|query| normalize_escapes(&without_tracking(query)));
        url.set_query(query.as_deref().filter(|query| !query.is_empty()));
        check_http_url(&url, MAX_URL_CHARS).ok()?;
        Some(Self(url))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub fn path(&self) -> &str {
        self.0.path()
    }

    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.0) || self.0.domain().is_some_and(|name| name.ends_with(".localhost"))
    }

    /// The host, and the port if it is not the default one.
    pub fn authority(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// For example `https://example.com`.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.0.scheme(), self.authority())
    }

    /// Another document of the same origin, such as `/robots.txt`.
    pub fn join_root(&self, path: &str) -> Option<Self> {
        self.join(path).filter(|url| url.origin() == self.origin())
    }

    /// Whether the file extension belongs to an image, archive or download, not to a page.
    pub fn looks_like_file(&self) -> bool {
        const EXTENSIONS: &str = "7z avi avif bmp bz2 css csv doc docx dmg eot exe gif gz ico jpeg jpg js json m4a m4v mov mp3 \
            mp4 mpg ogg pdf png ppt pptx rar svg tar ttf wav webm webp woff woff2 xls xlsx zip";
        let name = self.path().rsplit('/').next().unwrap_or_default();
        let Some((_, extension)) = name.rsplit_once('.') else { return false };
        EXTENSIONS.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(extension))
    }
}

/// The authority of a normalized URL, without parsing the rest of it.
pub(super) fn authority_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}

impl From<PageUrl> for Url {
    fn from(url: PageUrl) -> Self {
        url.0
    }
}

impl std::fmt::Display for PageUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

fn without_tracking(query: &str) -> String {
    let is_tracking = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        name.starts_with("utm_")
            || name.starts_with("hsa_")
            || TRACKING_PARAMETERS.split_ascii_whitespace().any(|known| known == name)
    };
    query.split('&').filter(|pair| !is_tracking(pair)).collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn normalized(text: &str) -> Option<String> {
        PageUrl::parse(text).map(|url| url.to_string())
    }

    #[test]
    fn different_spellings_of_one_page_become_equal() {
        for (spelling, page) in [
            ("HTTP://Example.COM:80/a/../b/./c", "http://example.com/b/c"),
            ("https://example.com:443", "https://example.com/"),
            ("https://example.com/a#part", "https://example.com/a"),
            ("https://user:secret@example.com/a?", "https://example.com/a"),
            ("https://example.com/%7ejo%2fx/%c3%a4", "https://example.com/~jo%2Fx/%C3%A4"),
            ("https://example.com/ä", "https://example.com/%C3%A4"),
            ("https://bücher.example/", "https://xn--bcher-kva.example/"),
            ("https://example.com/a?utm_source=x&id=1&gclid=2", "https://example.com/a?id=1"),
            ("https://example.com/a?fbclid=x", "https://example.com/a"),
            ("  https://example.com/a b ", "https://example.com/a%20b"),
        ] {
            assert_eq!(normalized(spelling).as_deref(), Some(page), "{spelling}");
        }
    }

    #[test]
    fn different_pages_stay_different() {
        let pages = [
            "http://example.com/a",
            "https://example.com/a",
            "https://example.com/a/",
            "https://example.com/A",
            "https://www.example.com/a",
            "https://example.com:8443/a",
            "https://example.com/a?b=1&c=2",
            "https://example.com/a?c=2&b=1",
            "https://example.com/a%2Fb",
            "https://example.com/a/b",
        ];
        let distinct: BTreeSet<_> = pages.iter().filter_map(|page| normalized(page)).collect();
        assert_eq!(distinct.len(), pages.len());
    }

    #[test]
    fn other_urls_are_rejected() {
        let long = format!("https://example.com/{}", "a".repeat(2_000));
        for text in
            ["", "mailto:a@b.c", "javascript:void(0)", "/relative", "https://", "ftp://example.com/", &long]
        {
            assert_eq!(normalized(text), None, "{text}");
        }
    }

    #[test]
    fn links_are_resolved_against_their_page() {
        let page = PageUrl::parse("https://example.com/shop/item?x=1").unwrap();
        for (href, url) in [
            ("../about", "https://example.com/about"),
            ("?x=2", "https://example.com/shop/item?x=2"),
            ("//cdn.example.net/a", "https://cdn.example.net/a"),
            ("", "https://example.com/shop/item?x=1"),
            (" next \n", "https://example.com/shop/next"),
        ] {
            assert_eq!(page.join(href).unwrap().as_str(), url, "{href}");
        }
        assert_eq!(authority_of("https://example.com:8080/a/b"), "example.com:8080");
        assert_eq!(page.join_root("/robots.txt").unwrap().as_str(), "https://example.com/robots.txt");
    }

    #[test]
    fn files_are_recognized_by_their_extension() {
        let is_file = |text| PageUrl::parse(text).unwrap().looks_like_file();
        assert!(is_file("https://example.com/a/manual.PDF?v=2"));
        assert!(!is_file("https://example.com/a/manual"));
        assert!(!is_file("https://example.com/index.html"));
        assert!(!is_file("https://example.com/v1.2"));
    }
}
