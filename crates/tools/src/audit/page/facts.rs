//! What each element of a document adds to the facts.

use std::collections::HashSet;

use html5ever::tokenizer::Tag;

use super::{
    super::snippet::{LONGEST_SNIPPET, clipped},
    Address, Alternate, Canonical, Form, Heading, Html, Image, JsonLd, Link, Resource, words::Words,
};

/// The most of each list that is kept.
const MOST: usize = 500;
const MOST_LINKS: usize = 3_000;
const LONGEST_TITLE: usize = 600;
const LONGEST_TEXT: usize = 120;
/// A longer block is not read.
const LARGEST_JSON: usize = 512 * 1024;

pub(super) struct Facts {
    html: Html,
    secure: bool,
    /// What relative addresses are relative to.
    base: Address,
    has_base: bool,
    in_head: bool,
    /// Inside of pictures and formulas (`svg`, `math`): other rules, and nothing that is asked about.
    foreign: u32,
    /// Inside of `template`: not part of the page.
    template: u32,
    /// Inside of `nav`, `header`, `footer` or a list of options: on the page, but not what it says.
    aside: u32,
    raw: Option<Raw>,
    link: Option<OpenLink>,
    heading: Option<(u8, String)>,
    words: Words,
    seen_links: HashSet<(String, String, bool)>,
}

/// Inside of an element whose content is not markup.
enum Raw {
    Title(String),
    JsonLd(String),
    Other,
}

struct OpenLink {
    url: String,
    nofollow: bool,
    text: String,
    /// Said instead of the text, or where there is none.
    label: Option<String>,
    title: Option<String>,
}

impl Facts {
    pub(super) fn new(address: &Address) -> Self {
        Self {
            html: Html::default(),
            secure: address.is_https(),
            base: address.clone(),
            has_base: false,
            in_head: true,
            foreign: 0,
            template: 0,
            aside: 0,
            raw: None,
            link: None,
            heading: None,
            words: Words::new(),
            seen_links: HashSet::new(),
        }
    }

    pub(super) fn is_foreign(&self) -> bool {
        self.foreign > 0
    }

    pub(super) fn start(&mut self, tag: &Tag) {
        let name = &*tag.name;
        if matches!(name, "svg" | "math") && !tag.self_closing {
            self.foreign += 1;
        }
        if name == "template" {
            self.template += 1;
        }
        if self.foreign > 0 || self.template > 0 {
            return;
        }
        self.in_head &= matches!(
            name,
            "html" | "head" | "base" | "link" | "meta" | "title" | "noscript" | "script" | "style" | "template"
        );
        if !is_inline(name) {
            self.end_word();
        }
        if attribute(tag, "itemscope").is_some() || attribute(tag, "typeof").is_some() {
            self.html.has_microdata = true;
        }
        self.insecure_resource(tag);
        match name {
            "html" => {
                let lang = attribute(tag, "lang").or_else(|| attribute(tag, "xml:lang"));
                self.html.lang = self.html.lang.take().or(lang.map(|lang| clipped(lang, 40)));
            }
            "title" => self.raw = Some(Raw::Title(String::new())),
            "script" => {
                let is_json = attribute(tag, "type").is_some_and(|kind| {
                    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/ld+json")
                });
                self.raw = Some(if is_json { Raw::JsonLd(String::new()) } else { Raw::Other });
            }
            "style" | "textarea" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => {
                self.raw = Some(Raw::Other);
            }
            "base" => self.base(tag),
            "meta" => self.meta(tag),
            "link" => self.link_element(tag),
            "a" | "area" => self.open_link(tag),
            "img" => self.image(tag),
            "form" => {
                let action = self.base.join(attribute(tag, "action").unwrap_or_default());
                push(&mut self.html.forms, Form { action: action.map(|action| action.to_string()) });
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_heading();
                self.heading = Some((name.as_bytes()[1] - b'0', String::new()));
            }
            "nav" | "header" | "footer" | "select" => self.aside += 1,
            _ => {}
        }
    }

    pub(super) fn end(&mut self, name: &str) {
        match name {
            "svg" | "math" => self.foreign = self.foreign.saturating_sub(1),
            "template" => self.template = self.template.saturating_sub(1),
            _ => {}
        }
        if self.foreign > 0 {
            return;
        }
        match self.raw.take() {
            Some(Raw::Title(text)) => push(&mut self.html.titles, clipped(&text, LONGEST_TITLE)),
            Some(Raw::JsonLd(text)) => push(&mut self.html.json_ld, JsonLd::read(&text)),
            Some(Raw::Other) | None => {}
        }
        if self.template > 0 {
            return;
        }
        if !is_inline(name) {
            self.end_word();
        }
        match name {
            "head" => self.in_head = false,
            "a" => self.end_link(),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.end_heading(),
            "nav" | "header" | "footer" | "select" => self.aside = self.aside.saturating_sub(1),
            _ => {}
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        match &mut self.raw {
            Some(Raw::Title(kept)) if kept.len() < 4 * LONGEST_TITLE => kept.push_str(text),
            Some(Raw::JsonLd(kept)) if kept.len() < LARGEST_JSON => kept.push_str(text),
            Some(_) => {}
            None if self.foreign > 0 || self.template > 0 => {}
            None => {
                self.in_head &= text.trim_ascii().is_empty();
                if self.aside == 0 {
                    self.words.add(text);
                }
                self.said(text);
            }
        }
    }

    /// What is read out inside of an open link and an open heading.
    fn said(&mut self, text: &str) {
        let open = self.link.iter_mut().map(|link| &mut link.text);
        for kept in open.chain(self.heading.iter_mut().map(|(_, text)| text)) {
            if kept.len() < 4 * LONGEST_TEXT {
                kept.push_str(text);
            }
        }
    }

    fn end_word(&mut self) {
        self.words.end_word();
        self.said(" ");
    }

    fn base(&mut self, tag: &Tag) {
        if let Some(href) = attribute(tag, "href").filter(|_| !self.has_base) {
            self.has_base = true;
            self.base = self.base.join(href).unwrap_or_else(|| self.base.clone());
        }
    }

    fn meta(&mut self, tag: &Tag) {
        let content = attribute(tag, "content").unwrap_or_default();
        let snippet = || clipped(content, LONGEST_SNIPPET);
        let html = &mut self.html;
        match attribute(tag, "http-equiv").map(str::to_ascii_lowercase).as_deref() {
            Some("refresh") => html.refresh = html.refresh.take().or_else(|| Some(snippet())),
            Some("content-security-policy") => html.has_csp = true,
            _ => {}
        }
        // Open Graph has `property`, but `name` is often written, and read by those who use it.
        let Some(name) = attribute(tag, "name").or_else(|| attribute(tag, "property")) else { return };
        let name = name.trim().to_ascii_lowercase();
        match name.as_str() {
            "description" => push(&mut html.descriptions, clipped(content, LONGEST_TITLE)),
            "robots" | "googlebot" | "bingbot" => push(&mut html.robots, (name, snippet())),
            "viewport" => html.viewport = html.viewport.take().or_else(|| Some(snippet())),
            _ => {
                let cards = if name.starts_with("og:") {
                    &mut html.open_graph
                } else if name.starts_with("twitter:") {
                    &mut html.twitter
                } else {
                    return;
                };
                if cards.len() < MOST && name.len() <= LONGEST_TEXT && !content.trim().is_empty() {
                    cards.entry(name).or_insert_with(snippet);
                }
            }
        }
    }

    fn link_element(&mut self, tag: &Tag) {
        let Some(href) = attribute(tag, "href") else { return };
        let url = self.base.join(href).map(|url| url.to_string());
        // Search engines do not believe a canonical in the body: a comment may have brought it.
        if has_token(tag, "rel", "canonical") && self.in_head {
            push(&mut self.html.canonicals, Canonical { href: clipped(href, LONGEST_SNIPPET), url });
        } else if has_token(tag, "rel", "alternate")
            && let Some(language) = attribute(tag, "hreflang")
        {
            push(&mut self.html.alternates, Alternate { language: clipped(language, 40), url });
        }
    }

    fn open_link(&mut self, tag: &Tag) {
        self.end_link();
        let Some(href) = attribute(tag, "href") else { return };
        // A place on this page is not a link to a page.
        if href.trim_start().starts_with('#') {
            return;
        }
        let Some(url) = self.base.join(href) else { return };
        self.link = Some(OpenLink {
            url: url.to_string(),
            nofollow: has_token(tag, "rel", "nofollow"),
            text: String::new(),
            label: attribute(tag, "aria-label").map(str::to_owned),
            title: attribute(tag, "title").or_else(|| attribute(tag, "alt")).map(str::to_owned),
        });
        if &*tag.name == "area" {
            self.end_link();
        }
    }

    fn end_link(&mut self) {
        let Some(link) = self.link.take() else { return };
        let said = [link.label, Some(link.text), link.title].into_iter().flatten();
        let text = said.map(|text| clipped(&text, LONGEST_TEXT)).find(|text| !text.is_empty()).unwrap_or_default();
        if self.html.links.len() < MOST_LINKS
            && self.seen_links.insert((link.url.clone(), text.clone(), link.nofollow))
        {
            self.html.links.push(Link { url: link.url, text, nofollow: link.nofollow });
        }
    }

    fn end_heading(&mut self) {
        if let Some((level, text)) = self.heading.take() {
            push(&mut self.html.headings, Heading { level, text: clipped(&text, LONGEST_TEXT) });
        }
    }

    fn image(&mut self, tag: &Tag) {
        let alt = attribute(tag, "alt");
        if let Some(alt) = alt {
            self.said(&format!(" {alt} "));
        }
        let style = attribute(tag, "style").unwrap_or_default();
        let given = |name| attribute(tag, name).is_some_and(|value| !value.trim().is_empty()) || style.contains(name);
        let src = ["src", "data-src", "srcset"].iter().find_map(|name| attribute(tag, name)).unwrap_or_default();
        let image = Image {
            src: clipped(src, LONGEST_SNIPPET),
            alt: alt.map(|alt| clipped(alt, LONGEST_TEXT)),
            has_dimensions: given("width") && given("height") || style.contains("aspect-ratio"),
            is_presentation: ["presentation", "none"].iter().any(|role| has_token(tag, "role", role))
                || attribute(tag, "aria-hidden") == Some("true"),
        };
        push(&mut self.html.images, image);
    }

    /// What browsers block or warn of on a secure page.
    fn insecure_resource(&mut self, tag: &Tag) {
        let name = &*tag.name;
        let source = match name {
            "script" | "img" | "iframe" | "audio" | "video" | "source" | "track" | "embed" => "src",
            "object" => "data",
            "link" if ["stylesheet", "icon", "preload", "modulepreload", "manifest"]
                .iter()
                .any(|relation| has_token(tag, "rel", relation)) =>
            {
                "href"
            }
            _ => return,
        };
        let sources = attribute(tag, source).into_iter().chain(
            attribute(tag, "srcset").into_iter().flat_map(|set| set.split(',')).filter_map(|candidate| {
                candidate.split_ascii_whitespace().next()
            }),
        );
        for source in sources.take(20) {
            if self.secure
                && source.trim_start().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"))
                && let Some(url) = Address::parse(source)
            {
                let resource = Resource { element: name.to_owned(), url: url.to_string() };
                push(&mut self.html.insecure_resources, resource);
            }
        }
    }

    pub(super) fn finish(mut self) -> Html {
        self.end_link();
        self.end_heading();
        if let Some(Raw::Title(text)) = self.raw.take() {
            push(&mut self.html.titles, clipped(&text, LONGEST_TITLE));
        }
        (self.html.words, self.html.fingerprint) = self.words.finish();
        self.html
    }
}

fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() < MOST {
        list.push(item);
    }
}

fn attribute<'a>(tag: &'a Tag, name: &str) -> Option<&'a str> {
    tag.attrs.iter().find(|attribute| &*attribute.name.local == name).map(|attribute| &*attribute.value)
}

fn has_token(tag: &Tag, name: &str, token: &str) -> bool {
    let value = attribute(tag, name).unwrap_or_default();
    value.split_ascii_whitespace().any(|each| each.eq_ignore_ascii_case(token))
}

/// Elements that may stand within a word.
fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr" | "acronym" | "b" | "bdi" | "bdo" | "big" | "cite" | "code" | "data" | "del" | "dfn" | "em"
            | "font" | "i" | "ins" | "kbd" | "mark" | "q" | "s" | "samp" | "small" | "span" | "strike" | "strong"
            | "sub" | "sup" | "time" | "tt" | "u" | "var" | "wbr"
    )
}
