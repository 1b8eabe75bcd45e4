//! Addresses as the audit compares them: two spellings of one page are one address, two pages are never merged.
//!
//! Merged: letter case of the host, the default port, dot segments, the spelling of percent-escapes, the fragment,
//! an empty query, credentials, and parameters that name a visit and not a page (`utm_source`, `gclid`, …). Kept
//! apart, because servers may answer them differently: `/a` and `/a/`, `www.` and without, http and https, and any
//! other query.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// Longer ones are traps or mistakes: servers and search engines cut off about here.
const LONGEST: usize = 2_000;

/// Parameters that tell where a visitor came from. The page is the same without them.
const VISIT_PARAMETERS: &str = "_ga _gl _hsenc _hsmi dclid fbclid gad_source gbraid gclid gclsrc igshid li_fat_id mc_cid \
    mc_eid mkt_tok msclkid srsltid ttclid twclid vero_id wbraid yclid";

/// An http or https address in its one spelling.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(Url);

impl Address {
    /// `None` where it is not an http or https address with a host, or is too long to be one.
    pub fn parse(text: &str) -> Option<Self> {
        Self::of(Url::parse(text.trim()).ok()?)
    }

    /// Reads a link as it stands on the page at this address.
    pub fn join(&self, href: &str) -> Option<Self> {
        let href = href.trim();
        if href.len() > LONGEST { None } else { Self::of(self.0.join(href).ok()?) }
    }

    fn of(mut url: Url) -> Option<Self> {
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return None;
        }
        url.set_fragment(None);
        // Neither can fail where there is a host.
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        if url.path().contains('%') {
            let path = respelled(url.path());
            url.set_path(&path);
        }
        let query = url.query().map(|query| respelled(&page_parameters(query)));
        url.set_query(query.as_deref().filter(|query| !query.is_empty()));
        (url.as_str().len() <= LONGEST).then_some(Self(url))
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

    /// On the machine itself.
    pub fn is_local(&self) -> bool {
        match self.0.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
    }

    /// Host and port, the port only where it is not the scheme's own.
    pub fn authority(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// What a robots.txt belongs to: `https://example.com`.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.0.scheme(), self.authority())
    }

    /// Another document of the same origin, as `/robots.txt`.
    pub fn at_root(&self, path: &str) -> Option<Self> {
        self.join(path).filter(|address| address.origin() == self.origin())
    }

    /// Whether the name says that it is no page: a picture, an archive, a document to download.
    pub fn looks_like_a_file(&self) -> bool {
        const FILES: &str = "7z avi avif bmp bz2 css csv doc docx dmg eot exe gif gz ico jpeg jpg js json m4a m4v mov mp3 \
            mp4 mpg ogg pdf png ppt pptx rar svg tar ttf wav webm webp woff woff2 xls xlsx zip";
        let name = self.path().rsplit('/').next().unwrap_or_default();
        let Some((_, ending)) = name.rsplit_once('.') else { return false };
        FILES.split_ascii_whitespace().any(|file| file.eq_ignore_ascii_case(ending))
    }
}

/// Host and port within the text of an address, without reading the rest of it.
pub(super) fn authority_in(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

fn page_parameters(query: &str) -> String {
    let names_a_visit = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        name.starts_with("utm_")
            || name.starts_with("hsa_")
            || VISIT_PARAMETERS.split_ascii_whitespace().any(|known| known == name)
    };
    query.split('&').filter(|pair| !names_a_visit(pair)).collect::<Vec<_>>().join("&")
}

/// Percent-escapes in their one spelling (RFC 3986 §6.2.2): upper-case digits, none where none is needed.
pub(super) fn respelled(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut spelled = String::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if let Some(octet) = escape_at(bytes, at) {
            if is_unreserved(octet) {
                spelled.push(char::from(octet));
            } else {
                push_escape(&mut spelled, octet);
            }
            at += 3;
        } else if bytes[at].is_ascii() {
            spelled.push(char::from(bytes[at]));
            at += 1;
        } else {
            push_escape(&mut spelled, bytes[at]);
            at += 1;
        }
    }
    spelled
}

/// The octet that `%xx` at this place stands for.
pub(super) fn escape_at(bytes: &[u8], at: usize) -> Option<u8> {
    let [b'%', high, low] = bytes.get(at..at + 3)? else { return None };
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? * 16 + digit(low)?)
}

pub(super) fn push_escape(text: &mut String, octet: u8) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    text.extend(['%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
}

fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

/// The hosts that belong to one site. `www.` makes no other site; a port does.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Scope {
    hosts: BTreeSet<String>,
}

impl Scope {
    /// From hosts (`example.com`, `localhost:3000`) or whole addresses.
    pub fn new(hosts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let hosts = hosts.into_iter().filter_map(|host| {
            let host = host.as_ref();
            let address = if host.contains("://") { host.to_owned() } else { format!("https://{host}/") };
            Some(without_www(Address::parse(&address)?.authority()))
        });
        Self { hosts: hosts.collect() }
    }

    pub fn holds(&self, address: &Address) -> bool {
        self.hosts.contains(&without_www(address.authority()))
    }

    pub fn holds_text(&self, address: &str) -> bool {
        Address::parse(address).is_some_and(|address| self.holds(&address))
    }
}

fn without_www(authority: String) -> String {
    authority.strip_prefix("www.").filter(|rest| rest.contains('.')).map(str::to_owned).unwrap_or(authority)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> Option<String> {
        Address::parse(text).map(|address| address.to_string())
    }

    #[test]
    fn spellings_of_one_page_become_one() {
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
            assert_eq!(canonical(spelling).as_deref(), Some(page), "{spelling}");
        }
    }

    #[test]
    fn different_pages_stay_apart() {
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
        let kept: BTreeSet<_> = pages.iter().filter_map(|page| canonical(page)).collect();
        assert_eq!(kept.len(), pages.len());
    }

    #[test]
    fn what_is_no_web_address_is_none() {
        let long = format!("https://example.com/{}", "a".repeat(2_000));
        for text in
            ["", "mailto:a@b.c", "javascript:void(0)", "/relative", "https://", "ftp://example.com/", &long]
        {
            assert_eq!(canonical(text), None, "{text}");
        }
    }

    #[test]
    fn links_are_read_from_where_they_stand() {
        let page = Address::parse("https://example.com/shop/item?x=1").unwrap();
        for (href, address) in [
            ("../about", "https://example.com/about"),
            ("?x=2", "https://example.com/shop/item?x=2"),
            ("//cdn.example.net/a", "https://cdn.example.net/a"),
            ("", "https://example.com/shop/item?x=1"),
            (" next \n", "https://example.com/shop/next"),
        ] {
            assert_eq!(page.join(href).unwrap().as_str(), address, "{href}");
        }
        assert_eq!(authority_in("https://example.com:8080/a/b"), "example.com:8080");
        assert_eq!(page.at_root("/robots.txt").unwrap().as_str(), "https://example.com/robots.txt");
    }

    #[test]
    fn a_site_has_its_hosts_with_and_without_www_and_no_others() {
        let scope = Scope::new(["example.com", "https://www.rival.test/about", "localhost:3000"]);
        let inside = [
            "http://example.com/",
            "https://www.example.com/x",
            "https://rival.test/",
            "http://localhost:3000/",
        ];
        let outside = [
            "https://shop.example.com/",
            "https://example.com:8443/",
            "http://localhost/",
            "https://notexample.com/",
            "https://example.com.evil.test/",
        ];
        assert!(inside.iter().all(|address| scope.holds_text(address)));
        assert!(!outside.iter().any(|address| scope.holds_text(address)));
    }

    #[test]
    fn files_are_told_from_pages_by_their_names() {
        let is_file = |text| Address::parse(text).unwrap().looks_like_a_file();
        assert!(is_file("https://example.com/a/manual.PDF?v=2"));
        assert!(!is_file("https://example.com/a/manual"));
        assert!(!is_file("https://example.com/index.html"));
        assert!(!is_file("https://example.com/v1.2"));
    }
}
