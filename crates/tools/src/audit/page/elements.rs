//! Reads the elements whose attributes matter.

use std::hash::{DefaultHasher, Hash, Hasher};

use html5ever::tokenizer::Tag;

use super::{
    super::snippet::{MAX_SNIPPET_CHARS, clip},
    Alternate, Canonical, Form, Heading, Image, Link, PageUrl, Resource,
    attributes::{attribute, has_token},
    extractor::{Extractor, MAX_FEW, MAX_LINKS, MAX_TEXT_CHARS, MAX_TITLE_CHARS, OpenLink, push, push_few},
};

impl Extractor {
    pub(super) fn set_base(&mut self, tag: &Tag) {
        if let Some(href) = attribute(tag, "href").filter(|_| !self.has_base) {
            self.has_base = true;
            self.base = self.base.join(href).unwrap_or_else(|| self.base.clone());
        }
    }

    pub(super) fn meta(&mut self, tag: &Tag) {
        let content = attribute(tag, "content").unwrap_or_default();
        let snippet = || clip(content, MAX_SNIPPET_CHARS);
        let html = &mut self.html;
        match attribute(tag, "http-equiv").map(str::to_ascii_lowercase).as_deref() {
            Some("refresh") => html.refresh = html.refresh.take().or_else(|| Some(snippet())),
            Some("content-security-policy") => html.has_csp = true,
            _ => {}
        }
        // Open Graph uses `property`, but pages often write `name`, and consumers accept both.
        let Some(name) = attribute(tag, "name").or_else(|| attribute(tag, "property")) else { return };
        let name = name.trim().to_ascii_lowercase();
        match name.as_str() {
            "description" => push_few(&mut html.descriptions, clip(content, MAX_TITLE_CHARS)),
            "robots" | "googlebot" | "bingbot" => push_few(&mut html.robots, (name, snippet())),
            "viewport" => html.viewport = html.viewport.take().or_else(|| Some(snippet())),
            _ => {
                let cards = if name.starts_with("og:") {
                    &mut html.open_graph
                } else if name.starts_with("twitter:") {
                    &mut html.twitter
                } else {
                    return;
                };
                if cards.len() < 2 * MAX_FEW && name.len() <= MAX_TEXT_CHARS && !content.trim().is_empty() {
                    cards.entry(name).or_insert_with(snippet);
                }
            }
        }
    }

    pub(super) fn link_element(&mut self, tag: &Tag) {
        let Some(href) = attribute(tag, "href") else { return };
        let url = self.base.join(href).map(|url| url.to_string());
        // Search engines ignore a canonical in the body, because user content could insert it.
        if has_token(tag, "rel", "canonical") && self.in_head {
            push_few(&mut self.html.canonicals, Canonical { href: clip(href, MAX_SNIPPET_CHARS), url });
        } else if has_token(tag, "rel", "alternate")
            && let Some(language) = attribute(tag, "hreflang")
        {
            let language = clip(language, 40);
            if self.reserve(url.as_ref().map_or(0, String::len)) {
                self.html.truncated |= !push(&mut self.html.alternates, Alternate { language, url });
            }
        }
    }

    pub(super) fn open_link(&mut self, tag: &Tag) {
        self.end_link();
        let Some(href) = attribute(tag, "href") else { return };
        // A fragment link leads to the same page.
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

    pub(super) fn end_link(&mut self) {
        let Some(link) = self.link.take() else { return };
        let texts = [link.label, Some(link.text), link.title].into_iter().flatten();
        let text =
            texts.map(|text| clip(&text, MAX_TEXT_CHARS)).find(|text| !text.is_empty()).unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        (&link.url, &text, link.nofollow).hash(&mut hasher);
        if !self.seen_links.insert(hasher.finish()) {
            return;
        }
        if self.html.links.len() >= MAX_LINKS {
            self.html.truncated = true;
        } else if self.reserve(link.url.len() + text.len()) {
            self.html.links.push(Link { url: link.url, text, nofollow: link.nofollow }.into());
        }
    }

    pub(super) fn end_heading(&mut self) {
        if let Some((level, text)) = self.heading.take() {
            let text = clip(&text, MAX_TEXT_CHARS);
            self.blocks.add_heading(level, &text);
            if self.reserve(text.len()) {
                self.html.truncated |= !push(&mut self.html.headings, Heading { level, text });
            }
        }
    }

    pub(super) fn image(&mut self, tag: &Tag) {
        let alt = attribute(tag, "alt");
        if let Some(alt) = alt {
            self.add_inner_text(&format!(" {alt} "));
        }
        let style = attribute(tag, "style").unwrap_or_default();
        let is_given =
            |name| attribute(tag, name).is_some_and(|value| !value.trim().is_empty()) || style.contains(name);
        let src =
            ["src", "data-src", "srcset"].iter().find_map(|name| attribute(tag, name)).unwrap_or_default();
        let first_of_set =
            attribute(tag, "srcset").and_then(|set| set.split([',', ' ']).find(|part| !part.is_empty()));
        let sources = [attribute(tag, "src"), attribute(tag, "data-src"), first_of_set];
        let mut sources = sources.into_iter().flatten().filter(|source| !source.trim().is_empty());
        // A page may hold a placeholder in `src` until a script loads the image.
        let url = sources.find_map(|source| self.base.join(source)).map(|url| url.to_string());
        let image = Image {
            src: clip(src, MAX_SNIPPET_CHARS),
            url,
            alt: alt.map(|alt| clip(alt, MAX_TEXT_CHARS)),
            has_dimensions: is_given("width") && is_given("height") || style.contains("aspect-ratio"),
            is_presentation: ["presentation", "none"].iter().any(|role| has_token(tag, "role", role))
                || attribute(tag, "aria-hidden") == Some("true"),
        };
        let texts = [&image.alt, &image.url].into_iter().flatten().map(String::len).sum::<usize>();
        if self.reserve(image.src.len() + texts) {
            self.html.truncated |= !push(&mut self.html.images, image);
        }
    }

    pub(super) fn form(&mut self, tag: &Tag) {
        let action = self.base.join(attribute(tag, "action").unwrap_or_default());
        let action = action.map(|action| action.to_string());
        if self.reserve(action.as_ref().map_or(0, String::len)) {
            self.html.truncated |= !push(&mut self.html.forms, Form { action });
        }
    }

    /// Resources over http, which browsers block or mark on a secure page.
    pub(super) fn insecure_resource(&mut self, tag: &Tag) {
        let name = &*tag.name;
        let source = match name {
            "script" | "img" | "iframe" | "audio" | "video" | "source" | "track" | "embed" => "src",
            "object" => "data",
            "link"
                if ["stylesheet", "icon", "preload", "modulepreload", "manifest"]
                    .iter()
                    .any(|relation| has_token(tag, "rel", relation)) =>
            {
                "href"
            }
            _ => return,
        };
        let sources = attribute(tag, source).into_iter().chain(
            attribute(tag, "srcset")
                .into_iter()
                .flat_map(|set| set.split(','))
                .filter_map(|candidate| candidate.split_ascii_whitespace().next()),
        );
        for source in sources.take(MAX_FEW) {
            if self.secure
                && source.trim_start().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"))
                && let Some(url) = PageUrl::parse(source)
            {
                let resource = Resource { element: name.to_owned(), url: url.to_string() };
                if self.reserve(resource.url.len()) {
                    self.html.truncated |= !push(&mut self.html.insecure_resources, resource);
                }
            }
        }
    }
}
