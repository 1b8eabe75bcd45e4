//! A page as facts: what the checks ask about, and no more. The document itself is dropped as it is read, so a
//! thousand pages fit in memory.

mod elements;
mod facts;
mod headers;
mod json_ld;
mod prose;
mod reader;
mod words;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::Document;

pub use self::{json_ld::JsonLd, prose::Block, words::Fingerprint};
use super::{
    Address,
    decode::{charset_of, declared_value, decode},
    fetch::{FetchFault, Fetched},
};

/// One address that was visited, and what came back.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    pub url: String,
    /// Null: there was no answer.
    pub status: Option<u16>,
    pub fault: Option<FetchFault>,
    /// Where the answer sends the visitor instead.
    pub redirect_to: Option<String>,
    pub first_byte_ms: u32,
    pub headers: Headers,
    /// Null: it is not an HTML page.
    pub html: Option<Html>,
}

/// What the checks ask of the headers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Headers {
    pub content_type: Option<String>,
    /// `X-Robots-Tag`, one a header.
    pub robots: Vec<String>,
    /// `Link: <…>; rel="canonical"`.
    pub canonicals: Vec<Canonical>,
    /// `Link: <…>; rel="alternate"; hreflang="…"`.
    pub alternates: Vec<Alternate>,
    /// `Strict-Transport-Security`
    pub hsts: Option<String>,
    /// `Content-Security-Policy`, its beginning.
    pub csp: Option<String>,
    /// `X-Content-Type-Options`
    pub content_type_options: Option<String>,
    /// Seconds, from `Retry-After`.
    pub retry_after: Option<u32>,
}

/// What the checks ask of the document. Texts are clipped and lists bounded.
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
    /// Each address with each text once.
    pub links: Vec<Link>,
    pub forms: Vec<Form>,
    /// What an https page loads over http.
    pub insecure_resources: Vec<Resource>,
    pub json_ld: Vec<JsonLd>,
    /// Structured data in attributes: microdata or `RDFa`.
    pub has_microdata: bool,
    pub open_graph: BTreeMap<String, String>,
    pub twitter: BTreeMap<String, String>,
    /// Visible words outside of navigation, header and footer.
    pub words: u32,
    pub fingerprint: Fingerprint,
    /// The beginning of what those words say.
    pub blocks: Vec<Block>,
}

impl Html {
    /// What the page says, to be measured.
    pub fn document(&self) -> Document {
        prose::document(self.titles.first(), &self.blocks)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Canonical {
    /// As written.
    pub href: String,
    /// What it stands for. Null: no web address.
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
    /// Null: there is no such attribute. Empty: the picture is said to mean nothing.
    pub alt: Option<String>,
    /// Width and height are given, so that nothing moves when it is loaded.
    pub has_dimensions: bool,
    /// Hidden from those who would hear the text.
    pub is_presentation: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    pub url: String,
    /// What a reader sees or hears, clipped.
    pub text: String,
    pub nofollow: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Form {
    /// Where it sends what was typed. Null: no web address.
    pub action: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resource {
    /// The element that loads it: `script`, `img`.
    pub element: String,
    pub url: String,
}

impl Page {
    /// As one of many: of its text the beginning is kept.
    pub fn answered(address: &Address, fetched: &Fetched) -> Self {
        Self::with_text(address, fetched, prose::OF_MANY)
    }

    /// With so many bytes of its text.
    pub fn with_text(address: &Address, fetched: &Fetched, room_for_text: usize) -> Self {
        let headers = Headers::read(address, fetched);
        let moves = matches!(fetched.status, 301 | 302 | 303 | 307 | 308);
        let redirect_to = fetched.header("location").filter(|_| moves).and_then(|to| address.join(to));
        let html = (redirect_to.is_none() && is_html(fetched)).then(|| {
            let served = headers.content_type.as_deref().and_then(charset_of);
            let text = decode(&fetched.body, served, declared_value(&fetched.body, "charset"));
            reader::read(address, &text, room_for_text)
        });
        Self {
            url: address.to_string(),
            status: Some(fetched.status),
            fault: None,
            redirect_to: redirect_to.map(|to| to.to_string()),
            first_byte_ms: fetched.first_byte_ms,
            headers,
            html,
        }
    }

    pub fn unanswered(address: &Address, fault: FetchFault) -> Self {
        Self { url: address.to_string(), fault: Some(fault), ..Self::default() }
    }

    /// An HTML page that answered as it should.
    pub fn live(&self) -> Option<&Html> {
        self.html.as_ref().filter(|_| self.status.is_some_and(|status| (200..300).contains(&status)))
    }

    /// No answer, or one that says that there is nothing to see.
    pub fn is_broken(&self) -> bool {
        let did_not_answer = self.fault.as_ref().is_some_and(|fault| *fault != FetchFault::Refused);
        self.status.map_or(did_not_answer, |status| status >= 400)
    }

    /// What keeps the page out of search results, as it is written there.
    pub fn noindex(&self) -> Option<String> {
        let header = self.headers.robots.iter().find(|value| headers::forbids_indexing(value));
        let header = header.map(|value| format!("X-Robots-Tag: {value}"));
        header.or_else(|| {
            let robots = &self.html.as_ref()?.robots;
            let (name, content) = robots.iter().find(|(_, content)| headers::forbids_indexing(content))?;
            Some(format!("<meta name=\"{name}\" content=\"{content}\">"))
        })
    }

    /// The page that this one names as the one to show instead, from the document or the headers.
    pub fn canonical(&self) -> Option<&str> {
        let of_document = self.html.iter().flat_map(|html| &html.canonicals);
        of_document.chain(&self.headers.canonicals).find_map(|canonical| canonical.url.as_deref())
    }

    /// The same page in other languages, from the document and the headers.
    pub fn alternates(&self) -> impl Iterator<Item = &Alternate> {
        self.html.iter().flat_map(|html| &html.alternates).chain(&self.headers.alternates)
    }

    /// Search engines may show it: it answers, forbids nothing and names no other page.
    pub fn is_indexable(&self) -> bool {
        self.live().is_some()
            && self.noindex().is_none()
            && self.canonical().is_none_or(|canonical| canonical == self.url)
    }
}

/// By its type or, without one, by its look.
fn is_html(fetched: &Fetched) -> bool {
    match fetched.header("content-type") {
        Some(value) => {
            let kind = value.split(';').next().unwrap_or_default().trim();
            kind.eq_ignore_ascii_case("text/html") || kind.eq_ignore_ascii_case("application/xhtml+xml")
        }
        None => fetched.body.trim_ascii_start().starts_with(b"<"),
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
        let fetched = Fetched { status: 200, headers, body: body.to_vec(), ..Fetched::default() };
        Page::answered(&Address::parse("https://a.test/dir/page").unwrap(), &fetched)
    }

    #[test]
    fn the_head_is_read() {
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
    fn the_body_is_read() {
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
        assert_eq!(html.images.len(), 4);
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
    fn what_the_page_says_is_kept_in_blocks() {
        let html = page(
            "<title>Tea</title><nav>Home</nav><h1>All about <b>tea</b></h1><p>It is <i>old</i>.<br>Very old.\n\n \
             <div>Next<p>one</div><script>no</script><ul><li>green<li>black</ul><h2>End</h2>",
        );
        let document = html.document();
        assert_eq!(document.title.as_deref(), Some("Tea"));
        assert_eq!(document.paragraphs, ["It is old. Very old.", "Next", "one", "green", "black"]);
        let headings: Vec<_> =
            document.headings.iter().map(|h| (h.level, h.text.as_str(), h.after)).collect();
        assert_eq!(headings, [(1, "All about tea", 0), (2, "End", 5)]);
        let long = page(&"<p>words that go on</p>".repeat(10_000));
        assert!(serde_json::to_string(&long.blocks).unwrap().len() < 32 * 1024);
        assert_eq!(long.words, 40_000);
    }

    #[test]
    fn headers_and_encodings_are_heard() {
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
        fn any_answer_is_read(
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
    fn a_redirect_is_where_it_leads_and_has_no_content() {
        let fetched = Fetched {
            status: 301,
            headers: vec![("location".to_owned(), "../new#part".to_owned())],
            body: b"<html>moved".to_vec(),
            ..Fetched::default()
        };
        let page = Page::answered(&Address::parse("https://a.test/dir/page").unwrap(), &fetched);
        assert_eq!(page.redirect_to.as_deref(), Some("https://a.test/new"));
        assert!(page.html.is_none() && !page.is_broken());
    }
}
