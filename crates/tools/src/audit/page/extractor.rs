//! Extracts the facts of a page from a stream of tags and text.

use std::collections::HashSet;

use html5ever::tokenizer::Tag;

use super::{
    super::snippet::clip, Html, JsonLd, PageUrl, attributes::attribute, blocks::BlockCollector,
    word_counter::WordCounter,
};

/// The maximum length of most lists.
const MAX_ITEMS: usize = 500;
pub(super) const MAX_LINKS: usize = 3_000;
/// The maximum length of lists that should have one item, such as titles.
pub(super) const MAX_FEW: usize = 20;
/// The total size of the lists of one page. A thousand pages must fit in memory.
const MAX_LIST_BYTES: usize = 256 * 1024;
/// A parsed document uses many times the memory of its text.
const MAX_JSON_LD_BYTES: usize = 128 * 1024;
pub(super) const MAX_TITLE_CHARS: usize = 600;
pub(super) const MAX_TEXT_CHARS: usize = 120;

pub(super) struct Extractor {
    pub(super) html: Html,
    pub(super) secure: bool,
    /// The base of relative URLs.
    pub(super) base: PageUrl,
    pub(super) has_base: bool,
    pub(super) in_head: bool,
    /// The depth inside `svg` and `math`, which have other parsing rules and no facts.
    foreign: u32,
    /// The depth inside `foreignObject`, which is HTML inside an `svg`.
    foreign_html: u32,
    /// The depth inside `template`, which is not part of the page.
    template: u32,
    /// The depth inside `nav`, `header`, `footer` or `select`, which are not the content of the page.
    boilerplate: u32,
    raw: Option<Raw>,
    pub(super) link: Option<OpenLink>,
    pub(super) heading: Option<(u8, String)>,
    words: WordCounter,
    pub(super) blocks: BlockCollector,
    /// Hashes of the links in the list.
    pub(super) seen_links: HashSet<u64>,
    bytes_left: usize,
}

/// An open element whose content is not markup.
enum Raw {
    Title(String),
    JsonLd(String),
    Other,
}

pub(super) struct OpenLink {
    pub(super) url: String,
    pub(super) nofollow: bool,
    pub(super) text: String,
    /// `aria-label`, which replaces the text.
    pub(super) label: Option<String>,
    /// Used if there is no text.
    pub(super) title: Option<String>,
}

impl Extractor {
    pub(super) fn new(url: &PageUrl, max_text_bytes: usize) -> Self {
        Self {
            html: Html::default(),
            secure: url.is_https(),
            base: url.clone(),
            has_base: false,
            in_head: true,
            foreign: 0,
            foreign_html: 0,
            template: 0,
            boilerplate: 0,
            raw: None,
            link: None,
            heading: None,
            words: WordCounter::new(),
            blocks: BlockCollector::new(max_text_bytes),
            seen_links: HashSet::new(),
            bytes_left: MAX_LIST_BYTES,
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
            // As in a browser, these elements close an unclosed drawing.
            if self.foreign_html == 0 && closes_drawing(name) {
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
                self.html.lang = self.html.lang.take().or(lang.map(|lang| clip(lang, 40)));
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
            "base" => self.set_base(tag),
            "meta" => self.meta(tag),
            "link" => self.link_element(tag),
            "a" | "area" => self.open_link(tag),
            "img" => self.image(tag),
            "form" => self.form(tag),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_heading();
                self.heading = Some((name.as_bytes()[1] - b'0', String::new()));
            }
            "nav" | "header" | "footer" | "select" => self.boilerplate += 1,
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
            Some(Raw::Title(text)) => push_few(&mut self.html.titles, clip(&text, MAX_TITLE_CHARS)),
            // A cut text would look like broken JSON.
            Some(Raw::JsonLd(text)) if text.len() > MAX_JSON_LD_BYTES => {
                self.html.truncated = true;
                push_few(&mut self.html.json_ld, JsonLd::default());
            }
            Some(Raw::JsonLd(text)) => push_few(&mut self.html.json_ld, JsonLd::read(&text)),
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
            "nav" | "header" | "footer" | "select" => self.boilerplate = self.boilerplate.saturating_sub(1),
            _ => {}
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        match &mut self.raw {
            Some(Raw::Title(title)) if title.len() < 4 * MAX_TITLE_CHARS => title.push_str(text),
            Some(Raw::JsonLd(json)) if json.len() <= MAX_JSON_LD_BYTES => json.push_str(text),
            Some(_) => {}
            None if self.foreign > 0 || self.template > 0 => {}
            None => {
                self.in_head &= text.trim_ascii().is_empty();
                if self.boilerplate == 0 {
                    self.words.add(text);
                    if self.heading.is_none() {
                        self.blocks.add(text);
                    }
                }
                self.add_inner_text(text);
            }
        }
    }

    /// Adds text to an open link and an open heading.
    pub(super) fn add_inner_text(&mut self, text: &str) {
        let link = self.link.iter_mut().map(|link| &mut link.text);
        for open in link.chain(self.heading.iter_mut().map(|(_, text)| text)) {
            if open.len() < 4 * MAX_TEXT_CHARS {
                open.push_str(text);
            }
        }
    }

    fn end_block(&mut self, name: &str) {
        if matches!(name, "br" | "img") {
            self.blocks.add(" ");
        } else {
            self.blocks.end_paragraph();
        }
    }

    fn end_word(&mut self) {
        self.words.end_word();
        self.add_inner_text(" ");
    }

    /// Reserves memory for a list item. False: the limit is reached.
    pub(super) fn reserve(&mut self, text_bytes: usize) -> bool {
        const ITEM_OVERHEAD: usize = 64;
        let left = self.bytes_left.checked_sub(text_bytes + ITEM_OVERHEAD);
        self.bytes_left = left.unwrap_or(self.bytes_left);
        self.html.truncated |= left.is_none();
        left.is_some()
    }

    pub(super) fn finish(mut self) -> Html {
        self.end_link();
        self.end_heading();
        if let Some(Raw::Title(text)) = self.raw.take() {
            push_few(&mut self.html.titles, clip(&text, MAX_TITLE_CHARS));
        }
        (self.html.words, self.html.fingerprint) = self.words.finish();
        self.html.blocks = self.blocks.finish();
        self.html
    }
}

/// False: the list is full.
pub(super) fn push<T>(list: &mut Vec<T>, item: T) -> bool {
    let fits = list.len() < MAX_ITEMS;
    if fits {
        list.push(item);
    }
    fits
}

pub(super) fn push_few<T>(list: &mut Vec<T>, item: T) {
    if list.len() < MAX_FEW {
        list.push(item);
    }
}

/// Elements that do not end a word.
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

fn closes_drawing(name: &str) -> bool {
    matches!(
        name,
        "body" | "br" | "div" | "h1" | "h2" | "h3" | "h4" | "head" | "img" | "li" | "p" | "table" | "ul"
    )
}
