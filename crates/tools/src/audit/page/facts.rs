//! Where in a document the reader is, and what its text adds to the facts.

use std::collections::HashSet;

use html5ever::tokenizer::Tag;

use super::{
    super::snippet::clipped, Address, Html, JsonLd, elements::attribute, prose::Prose, words::Words,
};

/// The most of each list that is kept.
const MOST: usize = 500;
pub(super) const MOST_LINKS: usize = 3_000;
/// A page has one of each; of more, a few show that there are several.
pub(super) const MOST_OF_ONE: usize = 20;
/// How many bytes of lists are kept of one page: a thousand pages must fit in memory, whatever is on them.
const LARGEST: usize = 256 * 1024;
pub(super) const LONGEST_TITLE: usize = 600;
pub(super) const LONGEST_TEXT: usize = 120;

pub(super) struct Facts {
    pub(super) html: Html,
    pub(super) secure: bool,
    /// What relative addresses are relative to.
    pub(super) base: Address,
    pub(super) has_base: bool,
    pub(super) in_head: bool,
    /// Inside of pictures and formulas (`svg`, `math`): other rules, and nothing that is asked about.
    foreign: u32,
    /// Inside of `foreignObject`, where a drawing has HTML in it.
    foreign_html: u32,
    /// Inside of `template`: not part of the page.
    template: u32,
    /// Inside of `nav`, `header`, `footer` or a list of options: on the page, but not what it says.
    aside: u32,
    raw: Option<Raw>,
    pub(super) link: Option<OpenLink>,
    pub(super) heading: Option<(u8, String)>,
    words: Words,
    pub(super) prose: Prose,
    /// Hashes of links that were kept.
    pub(super) seen_links: HashSet<u64>,
    room: usize,
}

/// Inside of an element whose content is not markup.
enum Raw {
    Title(String),
    JsonLd(String),
    Other,
}

pub(super) struct OpenLink {
    pub(super) url: String,
    pub(super) nofollow: bool,
    pub(super) text: String,
    /// Said instead of the text, or where there is none.
    pub(super) label: Option<String>,
    pub(super) title: Option<String>,
}

impl Facts {
    pub(super) fn new(address: &Address, room_for_text: usize) -> Self {
        Self {
            html: Html::default(),
            secure: address.is_https(),
            base: address.clone(),
            has_base: false,
            in_head: true,
            foreign: 0,
            foreign_html: 0,
            template: 0,
            aside: 0,
            raw: None,
            link: None,
            heading: None,
            words: Words::new(),
            prose: Prose::new(room_for_text),
            seen_links: HashSet::new(),
            room: LARGEST,
        }
    }

    pub(super) fn is_foreign(&self) -> bool {
        self.foreign > 0
    }

    pub(super) fn start(&mut self, tag: &Tag) {
        let name = &*tag.name;
        if matches!(name, "svg" | "math") && !tag.self_closing {
            self.foreign += 1;
        } else if self.foreign > 0 {
            self.foreign_html += u32::from(name == "foreignobject" && !tag.self_closing);
            // A drawing that was not closed ends where text begins again, as in a browser.
            if self.foreign_html == 0 && ends_drawing(name) {
                self.foreign = 0;
            }
        }
        if name == "template" {
            self.template += 1;
        }
        if self.foreign > 0 || self.template > 0 {
            return;
        }
        self.in_head &= matches!(
            name,
            "html"
                | "head"
                | "base"
                | "link"
                | "meta"
                | "title"
                | "noscript"
                | "script"
                | "style"
                | "template"
        );
        if !is_inline(name) {
            self.end_word();
            self.end_block(name);
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
                    kind.split(';')
                        .next()
                        .unwrap_or_default()
                        .trim()
                        .eq_ignore_ascii_case("application/ld+json")
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
            "form" => self.form(tag),
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
            "foreignobject" => self.foreign_html = self.foreign_html.saturating_sub(1),
            "template" => self.template = self.template.saturating_sub(1),
            _ => {}
        }
        if self.foreign > 0 {
            return;
        }
        match self.raw.take() {
            Some(Raw::Title(text)) => push_one(&mut self.html.titles, clipped(&text, LONGEST_TITLE)),
            Some(Raw::JsonLd(text)) => push_one(&mut self.html.json_ld, JsonLd::read(&text)),
            Some(Raw::Other) | None => {}
        }
        if self.template > 0 {
            return;
        }
        if !is_inline(name) {
            self.end_word();
            self.end_block(name);
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
            Some(Raw::JsonLd(kept)) => kept.push_str(text),
            Some(_) => {}
            None if self.foreign > 0 || self.template > 0 => {}
            None => {
                self.in_head &= text.trim_ascii().is_empty();
                if self.aside == 0 {
                    self.words.add(text);
                    if self.heading.is_none() {
                        self.prose.add(text);
                    }
                }
                self.said(text);
            }
        }
    }

    /// What is read out inside of an open link and an open heading.
    pub(super) fn said(&mut self, text: &str) {
        let open = self.link.iter_mut().map(|link| &mut link.text);
        for kept in open.chain(self.heading.iter_mut().map(|(_, text)| text)) {
            if kept.len() < 4 * LONGEST_TEXT {
                kept.push_str(text);
            }
        }
    }

    fn end_block(&mut self, name: &str) {
        if matches!(name, "br" | "img") {
            self.prose.add(" ");
        } else {
            self.prose.end_paragraph();
        }
    }

    fn end_word(&mut self) {
        self.words.end_word();
        self.said(" ");
    }

    /// Takes room for an item of a list, if there is any left.
    pub(super) fn has_room(&mut self, bytes: usize) -> bool {
        // What an item takes besides its texts.
        let left = self.room.checked_sub(bytes + 64);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    pub(super) fn finish(mut self) -> Html {
        self.end_link();
        self.end_heading();
        if let Some(Raw::Title(text)) = self.raw.take() {
            push_one(&mut self.html.titles, clipped(&text, LONGEST_TITLE));
        }
        (self.html.words, self.html.fingerprint) = self.words.finish();
        self.html.blocks = self.prose.finish();
        self.html
    }
}

pub(super) fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() < MOST {
        list.push(item);
    }
}

pub(super) fn push_one<T>(list: &mut Vec<T>, item: T) {
    if list.len() < MOST_OF_ONE {
        list.push(item);
    }
}

/// Elements that may stand within a word.
fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr"
            | "acronym"
            | "b"
            | "bdi"
            | "bdo"
            | "big"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "ins"
            | "kbd"
            | "mark"
            | "q"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
    )
}

fn ends_drawing(name: &str) -> bool {
    matches!(
        name,
        "body" | "br" | "div" | "h1" | "h2" | "h3" | "h4" | "head" | "img" | "li" | "p" | "table" | "ul"
    )
}
