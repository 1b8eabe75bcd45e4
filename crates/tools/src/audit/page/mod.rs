//! The facts of a page that the checks need. The document is not stored, so that a thousand pages fit in memory.

mod attributes;
mod blocks;
mod elements;
mod extractor;
mod headers;
mod json_ld;
mod shared;
mod tokenizer;
mod word_counter;

use std::{collections::BTreeMap, io};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::Document;

pub use self::{blocks::Block, json_ld::JsonLd, shared::Shared, word_counter::Fingerprint};
pub(super) use self::{blocks::MAX_CRAWL_TEXT_BYTES, shared::Interner};
use super::{
    PageUrl,
    decode::{charset_of, declared_value, decode},
    fetch_message::{FetchError, FetchOutcome, FetchResponse},
};

/// A visited URL and its response.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    pub url: String,
    /// Null: there was no response.
    pub status: Option<u16>,
    #[serde(rename = "fault")]
    pub error: Option<FetchError>,
    /// The target of a redirect.
    pub redirect_to: Option<String>,
    pub first_byte_ms: u32,
    pub headers: Headers,
    /// Null: it is not an HTML page.
    pub html: Option<Html>,
}

/// The headers that the checks need.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Headers {
    pub content_type: Option<String>,
    /// `X-Robots-Tag`, one for each header.
    pub robots: Vec<String>,
    /// `Link: <…>; rel="canonical"`.
    pub canonicals: Vec<Canonical>,
    /// `Link: <…>; rel="alternate"; hreflang="…"`.
    pub alternates: Vec<Alternate>,
    /// `Strict-Transport-Security`
    pub hsts: Option<String>,
    /// The beginning of `Content-Security-Policy`.
    pub csp: Option<String>,
    /// `X-Content-Type-Options`
    pub content_type_options: Option<String>,
    /// Seconds, from `Retry-After`.
    pub retry_after: Option<u32>,
}

/// The content that the checks need. Texts are clipped and lists are bounded.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Html {
    pub lang: Option<String>,
    pub titles: Vec<String>,
    pub descriptions: Vec<String>,
    /// `robots`, `googlebot` and `bingbot`: name and content.
    pub robots: Vec<(String, String)>,
    pub canonicals: Vec<Canonical>,
    pub alternates: Vec<Alternate>,
    pub viewport: Option<String>,
    /// The content of `<meta http-equiv="refresh">`.
    pub refresh: Option<String>,
    /// A policy in a `<meta>` element.
    pub has_csp: bool,
    pub headings: Vec<Heading>,
    pub images: Vec<Image>,
    /// Each combination of URL and text once.
    pub links: Vec<Shared<Link>>,
    pub forms: Vec<Form>,
    /// Resources that an https page loads over http.
    pub insecure_resources: Vec<Resource>,
    pub json_ld: Vec<JsonLd>,
    /// Structured data in attributes: microdata or `RDFa`.
    pub has_microdata: bool,
    pub open_graph: BTreeMap<String, String>,
    pub twitter: BTreeMap<String, String>,
    /// Visible words outside navigation, header and footer.
    pub words: u32,
    pub fingerprint: Fingerprint,
    /// The beginning of the text.
    pub blocks: Vec<Block>,
    /// The page has more items than the lists hold.
    #[serde(default)]
    pub truncated: bool,
}

impl Html {
    /// The text of the page for text analysis.
    pub fn document(&self) -> Document {
        blocks::to_document(self.titles.first(), &self.blocks)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Canonical {
    /// As written.
    pub href: String,
    /// The absolute URL. Null: it is not an http URL.
    pub url: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Alternate {
    /// As written: `de`, `en-GB`, `x-default`.
    pub language: String,
    pub url: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Heading {
    pub level: u8,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Image {
    /// As written, clipped.
    pub src: String,
    /// The absolute URL. Null: it has no http URL, for example because the image is part of the page.
    #[serde(default)]
    pub url: Option<String>,
    /// Null: there is no such attribute. Empty: the image is decoration.
    pub alt: Option<String>,
    /// Width and height are given, so that the layout does not move when it loads.
    pub has_dimensions: bool,
    /// Hidden from screen readers.
    pub is_presentation: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    pub url: String,
    /// The visible text or the label for screen readers, clipped.
    pub text: String,
    pub nofollow: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Form {
    /// Null: it is not an http URL.
    pub action: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resource {
    /// The element that loads it: `script`, `img`.
    pub element: String,
    pub url: String,
}

impl Page {
    /// For one of many pages: only the beginning of its text is stored.
    pub fn from_response(url: &PageUrl, response: &FetchResponse) -> Self {
        Self::with_text(url, response, MAX_CRAWL_TEXT_BYTES)
    }

    pub fn with_text(url: &PageUrl, response: &FetchResponse, max_text_bytes: usize) -> Self {
        let headers = Headers::read(url, response);
        let is_redirect = matches!(response.status, 301 | 302 | 303 | 307 | 308);
        let redirect_to = response.header("location").filter(|_| is_redirect).and_then(|to| url.join(to));
        let html = (redirect_to.is_none() && is_html(response)).then(|| {
            let served = headers.content_type.as_deref().and_then(charset_of);
            let text = decode(&response.body, served, declared_value(&response.body, "charset"));
            tokenizer::read(url, &text, max_text_bytes)
        });
        Self {
            url: url.to_string(),
            status: Some(response.status),
            error: None,
            redirect_to: redirect_to.map(|to| to.to_string()),
            first_byte_ms: response.first_byte_ms,
            headers,
            html,
        }
    }

    pub fn from_error(url: &PageUrl, error: FetchError) -> Self {
        Self { url: url.to_string(), error: Some(error), ..Self::default() }
    }

    /// The length of the page as JSON.
    pub(super) fn json_bytes(&self) -> usize {
        let mut counter = ByteCounter(0);
        serde_json::to_writer(&mut counter, self).expect("a page is plain JSON");
        counter.0
    }

    pub fn outcome(&self) -> FetchOutcome {
        FetchOutcome { status: self.status, error: self.error.clone() }
    }

    /// The content of an HTML page with a successful response.
    pub fn live(&self) -> Option<&Html> {
        self.html.as_ref().filter(|_| self.status.is_some_and(|status| (200..300).contains(&status)))
    }

    /// No response, or an error status.
    pub fn is_broken(&self) -> bool {
        let has_failed = self.error.as_ref().is_some_and(|error| *error != FetchError::Refused);
        self.status.map_or(has_failed, |status| status >= 400)
    }

    /// The header or element that forbids indexing, as written.
    pub fn noindex(&self) -> Option<String> {
        let header = self.headers.robots.iter().find(|value| headers::forbids_indexing(value));
        let header = header.map(|value| format!("X-Robots-Tag: {value}"));
        header.or_else(|| {
            let robots = &self.html.as_ref()?.robots;
            let (name, content) = robots.iter().find(|(_, content)| headers::forbids_indexing(content))?;
            Some(format!("<meta name=\"{name}\" content=\"{content}\">"))
        })
    }

    /// The canonical URL, from the document or the headers.
    pub fn canonical(&self) -> Option<&str> {
        let of_document = self.html.iter().flat_map(|html| &html.canonicals);
        of_document.chain(&self.headers.canonicals).find_map(|canonical| canonical.url.as_deref())
    }

    /// Translations, from the document and the headers.
    pub fn alternates(&self) -> impl Iterator<Item = &Alternate> {
        self.html.iter().flat_map(|html| &html.alternates).chain(&self.headers.alternates)
    }

    /// Whether search engines may show it: it responds, does not forbid indexing, and has no other canonical.
    pub fn is_indexable(&self) -> bool {
        self.live().is_some()
            && self.noindex().is_none()
            && self.canonical().is_none_or(|canonical| canonical == self.url)
    }
}

struct ByteCounter(usize);

impl io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// By its content type, or without one by its first character.
fn is_html(response: &FetchResponse) -> bool {
    match response.header("content-type") {
        Some(value) => {
            let kind = value.split(';').next().unwrap_or_default().trim();
            kind.eq_ignore_ascii_case("text/html") || kind.eq_ignore_ascii_case("application/xhtml+xml")
        }
        None => response.body.trim_ascii_start().starts_with(b"<"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page(html: &str) -> Html {
        served(&[("content-type", "text/html; charset=utf-8")], html.as_bytes()).html.unwrap()
    }

    fn served(headers: &[(&str, &str)], body: &[u8]) -> Page {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let response =
            FetchResponse { status: 200, headers, body: body.to_vec(), ..FetchResponse::default() };
        Page::from_response(&PageUrl::parse("https://a.test/dir/page").unwrap(), &response)
    }

    #[test]
    fn head_is_read() {
        let html = page(
            "<!doctype html><html lang=en><head><title> One &amp; two </title><title>Three</title>\
             <base href='/shop/'><meta NAME=Description content='What it is'><meta name=robots content=noindex>\
             <meta name=viewport content='width=device-width'><meta property=og:title content=T>\
             <meta name=twitter:card content=summary><meta http-equiv=Refresh content='5; url=/x'>\
             <link rel=canonical href=item><link rel=alternate hreflang=de href=https://a.test/de>\
             <script type=application/ld+json>{\"@context\":\"x\",\"@type\":\"Shop\"}</script></head>\
             <body><link rel=canonical href=/evil>",
        );
        assert_eq!(html.titles, ["One & two", "Three"]);
        assert_eq!(
            (html.lang.as_deref(), html.viewport.as_deref()),
            (Some("en"), Some("width=device-width"))
        );
        assert_eq!(html.descriptions, ["What it is"]);
        assert_eq!(
            html.canonicals,
            [Canonical { href: "item".to_owned(), url: Some("https://a.test/shop/item".to_owned()) }]
        );
        assert_eq!(html.alternates[0].language, "de");
        assert_eq!(html.open_graph["og:title"], "T");
        assert_eq!(html.twitter["twitter:card"], "summary");
        assert_eq!(html.refresh.as_deref(), Some("5; url=/x"));
        assert_eq!(html.json_ld[0].types, ["Shop"]);
    }

    #[test]
    fn body_is_read() {
        let html = page(
            "<nav><a href=/a>Nav link</a></nav><h1>Big <b>he</b>ading</h1><h3>Third</h3>\
             <p>re<i>mark</i>able words<br>here <a href='../up' rel='x NOFOLLOW'>a <img alt=picture src=/i.png> link</a> \
             <a href=#top>top</a> <a href='mailto:a@a.test'>m</a> <a href=/a>Nav link</a>\
             <a href=/icon aria-label='Open menu'><svg><text>x</text></svg></a>\
             <img src=p.png width=1 height=2 alt=''><img src=q.png role=presentation style='width:1px;height:2px'>\
             <form action=http://a.test/send></form><script src=http://cdn.test/x.js></script>\
             <img srcset='http://cdn.test/1.png 1x, /2.png 2x' alt=x>",
        );
        let headings: Vec<_> = html.headings.iter().map(|h| (h.level, h.text.as_str())).collect();
        assert_eq!(headings, [(1, "Big heading"), (3, "Third")]);
        let links: Vec<_> =
            html.links.iter().map(|l| (l.url.as_str(), l.text.as_str(), l.nofollow)).collect();
        assert_eq!(
            links,
            [
                ("https://a.test/a", "Nav link", false),
                ("https://a.test/up", "a picture link", true),
                ("https://a.test/icon", "Open menu", false),
            ]
        );
        let images: Vec<_> = html.images.iter().map(|image| image.url.as_deref().unwrap_or("none")).collect();
        let dir = ["https://a.test/i.png", "https://a.test/dir/p.png", "https://a.test/dir/q.png"];
        assert_eq!(images, [&dir[..], &["http://cdn.test/1.png"]].concat());
        assert_eq!(html.images[1].alt.as_deref(), Some(""));
        assert!(
            html.images[1].has_dimensions && html.images[2].has_dimensions && html.images[2].is_presentation
        );
        assert_eq!(html.forms[0].action.as_deref(), Some("http://a.test/send"));
        let insecure: Vec<_> = html.insecure_resources.iter().map(|r| r.url.as_str()).collect();
        assert_eq!(insecure, ["http://cdn.test/x.js", "http://cdn.test/1.png"]);
        // Big heading / Third / remarkable words / here a link / top / m / Nav link
        assert_eq!(html.words, 12);
    }

    #[test]
    fn text_is_stored_in_blocks() {
        let html = page(
            "<title>Tea</title><nav>Home</nav><h1>All about <b>tea</b></h1><p>It is <i>old</i>.<br>Very old.\n\n \
             <div>Next<p>one</div><script>no</script><ul><li>green<li>black</ul><h2>End</h2>",
        );
        let document = html.document();
        assert_eq!(document.title.as_deref(), Some("Tea"));
        assert_eq!(document.paragraphs, ["It is old. Very old.", "Next", "one", "green", "black"]);
        let headings: Vec<_> =
            document.headings.iter().map(|h| (h.level, h.text.as_str(), h.paragraphs_before)).collect();
        assert_eq!(headings, [(1, "All about tea", 0), (2, "End", 5)]);
        let long = page(&"<p>words that go on</p>".repeat(10_000));
        assert!(serde_json::to_string(&long.blocks).unwrap().len() < 32 * 1024);
        assert_eq!(long.words, 40_000);
    }

    #[test]
    fn headers_and_encodings_are_used() {
        let page = served(
            &[("content-type", "text/html; charset=iso-8859-1"), ("x-robots-tag", "googlebot: noindex")],
            b"<title>caf\xe9</title>",
        );
        assert_eq!(page.html.as_ref().unwrap().titles, ["café"]);
        assert_eq!(page.noindex().as_deref(), Some("X-Robots-Tag: googlebot: noindex"));
        assert!(!page.is_indexable() && page.live().is_some());
        assert!(served(&[("content-type", "application/pdf")], b"<html>").html.is_none());
        assert!(served(&[], b" <html>").html.is_some());
    }

    proptest! {
        #[test]
        fn any_response_is_parsed(
            body in proptest::collection::vec(any::<u8>(), 0..800),
            link in "[<>;,= \"a-z:/.]{0,60}",
            robots in ".{0,30}",
        ) {
            let headers = [("content-type", "text/html"), ("link", &link), ("x-robots-tag", &robots), ("location", &link)];
            let page = served(&headers, &body);
            page.noindex();
            page.is_indexable();
            let again: Page = serde_json::from_str(&serde_json::to_string(&page).unwrap()).unwrap();
            prop_assert_eq!(again, page);
        }
    }

    #[test]
    fn redirect_has_a_target_and_no_content() {
        let response = FetchResponse {
            status: 301,
            headers: vec![("location".to_owned(), "../new#part".to_owned())],
            body: b"<html>moved".to_vec(),
            ..FetchResponse::default()
        };
        let page = Page::from_response(&PageUrl::parse("https://a.test/dir/page").unwrap(), &response);
        assert_eq!(page.redirect_to.as_deref(), Some("https://a.test/new"));
        assert!(page.html.is_none() && !page.is_broken());
    }
}
