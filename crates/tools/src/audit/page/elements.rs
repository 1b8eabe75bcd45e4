//! What each element with attributes says.

use std::hash::{DefaultHasher, Hash, Hasher};

use html5ever::tokenizer::Tag;

use super::{
    super::snippet::{LONGEST_SNIPPET, clipped},
    Address, Alternate, Canonical, Form, Heading, Image, Link, Resource,
    facts::{Facts, LONGEST_TEXT, LONGEST_TITLE, MOST_LINKS, MOST_OF_ONE, OpenLink, push, push_one},
};

impl Facts {
    pub(super) fn base(&mut self, tag: &Tag) {
        if let Some(href) = attribute(tag, "href").filter(|_| !self.has_base) {
            self.has_base = true;
            self.base = self.base.join(href).unwrap_or_else(|| self.base.clone());
        }
    }

    pub(super) fn meta(&mut self, tag: &Tag) {
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
            "description" => push_one(&mut html.descriptions, clipped(content, LONGEST_TITLE)),
            "robots" | "googlebot" | "bingbot" => push_one(&mut html.robots, (name, snippet())),
            "viewport" => html.viewport = html.viewport.take().or_else(|| Some(snippet())),
            _ => {
                let cards = if name.starts_with("og:") {
                    &mut html.open_graph
                } else if name.starts_with("twitter:") {
                    &mut html.twitter
                } else {
                    return;
                };
                if cards.len() < 2 * MOST_OF_ONE && name.len() <= LONGEST_TEXT && !content.trim().is_empty() {
                    cards.entry(name).or_insert_with(snippet);
                }
            }
        }
    }

    pub(super) fn link_element(&mut self, tag: &Tag) {
        let Some(href) = attribute(tag, "href") else { return };
        let url = self.base.join(href).map(|url| url.to_string());
        // Search engines do not believe a canonical in the body: a comment may have brought it.
        if has_token(tag, "rel", "canonical") && self.in_head {
            push_one(&mut self.html.canonicals, Canonical { href: clipped(href, LONGEST_SNIPPET), url });
        } else if has_token(tag, "rel", "alternate")
            && let Some(language) = attribute(tag, "hreflang")
        {
            let language = clipped(language, 40);
            if self.has_room(url.as_ref().map_or(0, String::len)) {
                push(&mut self.html.alternates, Alternate { language, url });
            }
        }
    }

    pub(super) fn open_link(&mut self, tag: &Tag) {
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

    pub(super) fn end_link(&mut self) {
        let Some(link) = self.link.take() else { return };
        let said = [link.label, Some(link.text), link.title].into_iter().flatten();
        let text =
            said.map(|text| clipped(&text, LONGEST_TEXT)).find(|text| !text.is_empty()).unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        (&link.url, &text, link.nofollow).hash(&mut hasher);
        if self.html.links.len() < MOST_LINKS
            && self.seen_links.insert(hasher.finish())
            && self.has_room(link.url.len() + text.len())
        {
            self.html.links.push(Link { url: link.url, text, nofollow: link.nofollow });
        }
    }

    pub(super) fn end_heading(&mut self) {
        if let Some((level, text)) = self.heading.take() {
            let text = clipped(&text, LONGEST_TEXT);
            self.prose.heading(level, &text);
            if self.has_room(text.len()) {
                push(&mut self.html.headings, Heading { level, text });
            }
        }
    }

    pub(super) fn image(&mut self, tag: &Tag) {
        let alt = attribute(tag, "alt");
        if let Some(alt) = alt {
            self.said(&format!(" {alt} "));
        }
        let style = attribute(tag, "style").unwrap_or_default();
        let given =
            |name| attribute(tag, name).is_some_and(|value| !value.trim().is_empty()) || style.contains(name);
        let src =
            ["src", "data-src", "srcset"].iter().find_map(|name| attribute(tag, name)).unwrap_or_default();
        let image = Image {
            src: clipped(src, LONGEST_SNIPPET),
            alt: alt.map(|alt| clipped(alt, LONGEST_TEXT)),
            has_dimensions: given("width") && given("height") || style.contains("aspect-ratio"),
            is_presentation: ["presentation", "none"].iter().any(|role| has_token(tag, "role", role))
                || attribute(tag, "aria-hidden") == Some("true"),
        };
        if self.has_room(image.src.len() + image.alt.as_ref().map_or(0, String::len)) {
            push(&mut self.html.images, image);
        }
    }

    pub(super) fn form(&mut self, tag: &Tag) {
        let action = self.base.join(attribute(tag, "action").unwrap_or_default());
        let action = action.map(|action| action.to_string());
        if self.has_room(action.as_ref().map_or(0, String::len)) {
            push(&mut self.html.forms, Form { action });
        }
    }

    /// What browsers block or warn of on a secure page.
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
        for source in sources.take(20) {
            if self.secure
                && source.trim_start().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"))
                && let Some(url) = Address::parse(source)
            {
                let resource = Resource { element: name.to_owned(), url: url.to_string() };
                if self.has_room(resource.url.len()) {
                    push(&mut self.html.insecure_resources, resource);
                }
            }
        }
    }
}

pub(super) fn attribute<'a>(tag: &'a Tag, name: &str) -> Option<&'a str> {
    tag.attrs.iter().find(|attribute| &*attribute.name.local == name).map(|attribute| &*attribute.value)
}

fn has_token(tag: &Tag, name: &str, token: &str) -> bool {
    let value = attribute(tag, name).unwrap_or_default();
    value.split_ascii_whitespace().any(|each| each.eq_ignore_ascii_case(token))
}
