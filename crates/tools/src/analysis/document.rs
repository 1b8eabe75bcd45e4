//! A text split into title, headings and paragraphs, and the parser for Markdown.

use super::text::{MAX_TEXT_BYTES, clip, clip_to};

const MAX_HEADINGS: usize = 1_000;

/// A page or text in its parts. For HTML, `audit::page` builds it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// The page title, as shown in search results.
    pub title: Option<String>,
    pub headings: Vec<Heading>,
    /// In order. A list item or table cell is a paragraph.
    pub paragraphs: Vec<String>,
    /// The source was longer than the limit, so its end is missing.
    pub truncated: bool,
    /// An HTML page, which needs a title and an h1. A text does not.
    pub is_page: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    pub text: String,
    /// The number of paragraphs before it.
    pub paragraphs_before: usize,
}

impl Document {
    /// Parses Markdown: `#` and underlined headings, lists, quotes, fenced code. Markup for emphasis, links and images is
    /// removed. Plain text becomes paragraphs.
    pub fn from_markdown(text: &str) -> Self {
        let mut parser = MarkdownParser::default();
        for line in clip(text).lines() {
            parser.line(line);
        }
        parser.end_paragraph();
        Self { truncated: text.len() > MAX_TEXT_BYTES, ..parser.document }
    }

    /// All blocks in reading order, separated by blank lines. The title is not included.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for block in self.blocks() {
            if text.len() >= MAX_TEXT_BYTES {
                break;
            }
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(block.text());
        }
        text.truncate(clip(&text).len());
        text
    }

    /// True if there is more text than the analysis reads.
    pub(super) fn is_truncated(&self) -> bool {
        let headings = self.headings.iter().map(|heading| heading.text.len());
        let length: usize = headings.chain(self.paragraphs.iter().map(String::len)).sum();
        self.truncated || length > MAX_TEXT_BYTES
    }

    /// Headings and paragraphs in reading order, up to [`MAX_TEXT_BYTES`].
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        let mut headings = self.headings.iter().peekable();
        let mut paragraphs = self.paragraphs.iter().enumerate().peekable();
        let mut left = MAX_TEXT_BYTES;
        std::iter::from_fn(move || {
            let next_paragraph = paragraphs.peek().map(|(index, _)| *index);
            let heading = headings
                .next_if(|heading| next_paragraph.is_none_or(|index| heading.paragraphs_before <= index));
            let block = match heading {
                Some(heading) => Block::Heading(heading.level, clip_to(&heading.text, left)),
                None => Block::Paragraph(clip_to(paragraphs.next()?.1, left)),
            };
            left -= block.text().len();
            Some(block)
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block<'a> {
    Heading(u8, &'a str),
    Paragraph(&'a str),
}

impl<'a> Block<'a> {
    pub(super) fn text(self) -> &'a str {
        match self {
            Self::Heading(_, text) | Self::Paragraph(text) => text,
        }
    }
}

/// Parses Markdown line by line.
#[derive(Default)]
struct MarkdownParser {
    document: Document,
    /// The lines of the current paragraph.
    open: String,
    /// The marker that closes the current code block.
    fence: Option<&'static str>,
}

impl MarkdownParser {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence)) {
            if self.fence.is_none_or(|open| open == fence) {
                self.end_paragraph();
                self.fence = if self.fence.is_some() { None } else { Some(fence) };
            }
        } else if self.fence.is_some() {
            // Code is not part of the text.
        } else if trimmed.is_empty() {
            self.end_paragraph();
        } else if let Some((level, text)) = hash_heading(trimmed) {
            self.end_paragraph();
            self.heading(level, text);
        } else if let Some(level) = underline(trimmed).filter(|_| is_one_line(&self.open)) {
            let text = std::mem::take(&mut self.open);
            self.heading(level, &text);
        } else if is_rule(trimmed) {
            self.end_paragraph();
        } else if let Some(item) = list_item(trimmed) {
            self.end_paragraph();
            self.open.push_str(item);
        } else {
            if !self.open.is_empty() {
                self.open.push('\n');
            }
            self.open.push_str(trimmed.trim_start_matches('>').trim_start());
        }
    }

    fn heading(&mut self, level: u8, text: &str) {
        if self.document.headings.len() < MAX_HEADINGS {
            let paragraphs_before = self.document.paragraphs.len();
            self.document.headings.push(Heading { level, text: strip_markup(text), paragraphs_before });
        }
    }

    fn end_paragraph(&mut self) {
        let paragraph = strip_markup(&std::mem::take(&mut self.open));
        if !paragraph.is_empty() {
            self.document.paragraphs.push(paragraph);
        }
    }
}

fn hash_heading(line: &str) -> Option<(u8, &str)> {
    let text = line.trim_start_matches('#');
    let level = u8::try_from(line.len() - text.len()).ok().filter(|level| (1..=6).contains(level))?;
    if !text.is_empty() && !text.starts_with([' ', '\t']) {
        return None; // `#hashtag`
    }
    Some((level, text.trim().trim_end_matches('#').trim_end()))
}

fn underline(line: &str) -> Option<u8> {
    let consists_of = |mark| line.len() >= 2 && line.chars().all(|c| c == mark);
    if consists_of('=') { Some(1) } else { consists_of('-').then_some(2) }
}

fn is_one_line(paragraph: &str) -> bool {
    !paragraph.is_empty() && !paragraph.contains('\n')
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && ['-', '*', '_', '='].iter().any(|mark| line.chars().all(|c| c == *mark || c == ' '))
}

fn list_item(line: &str) -> Option<&str> {
    let bullet = ["- ", "* ", "+ ", "• "].iter().find_map(|bullet| line.strip_prefix(bullet));
    bullet.or_else(|| {
        let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = line.len() - after.len();
        if !(1..=3).contains(&digits) {
            return None;
        }
        after.strip_prefix(". ").or_else(|| after.strip_prefix(") "))
    })
}

/// Removes inline markup: `[label](link)` and `![label](image)` become `label`.
fn strip_markup(text: &str) -> String {
    let mut strip_markup = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(at) = rest.find(['[', '*', '`', '_', '!']) {
        let (before, from) = rest.split_at(at);
        strip_markup.push_str(before);
        if let Some((label, after)) = link(from) {
            strip_markup.push_str(label);
            rest = after;
            continue;
        }
        let inside_word =
            strip_markup.ends_with(char::is_alphanumeric) && from[1..].starts_with(char::is_alphanumeric);
        if from.starts_with(['[', '!']) || (from.starts_with('_') && inside_word) {
            strip_markup.push_str(&from[..1]);
        }
        rest = &from[1..];
    }
    strip_markup.push_str(rest);
    strip_markup.trim().to_owned()
}

/// Parses a link or image at the start of the text. Returns its label and the rest. The length limits bound the time.
fn link(text: &str) -> Option<(&str, &str)> {
    const MAX_LABEL_CHARS: usize = 500;
    const MAX_TARGET_CHARS: usize = 2_000;
    let label = text.strip_prefix('!').unwrap_or(text).strip_prefix('[')?;
    let close = clip_to(label, MAX_LABEL_CHARS).find(']')?;
    let target = label[close + 1..].strip_prefix('(')?;
    let end = clip_to(target, MAX_TARGET_CHARS).find(')')?;
    Some((&label[..close], &target[end + 1..]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn heading(level: u8, text: &str, paragraphs_before: usize) -> Heading {
        Heading { level, text: text.to_owned(), paragraphs_before }
    }

    #[test]
    fn markdown_is_split_into_headings_and_paragraphs() {
        let document = Document::from_markdown(
            "# All about tea\n\nTea is **old**.\nIt is [drunk](https://example.com) hot.\n\n## Kinds\n- green\n- _black_ \
             tea\n\n```\n# not a heading\n```\nUnderlined\n---\n#hashtag and snake_case stay\n",
        );
        assert_eq!(
            document.headings,
            [heading(1, "All about tea", 0), heading(2, "Kinds", 1), heading(2, "Underlined", 3)]
        );
        assert_eq!(
            document.paragraphs,
            ["Tea is old.\nIt is drunk hot.", "green", "black tea", "#hashtag and snake_case stay"]
        );
        assert_eq!(document.title, None);
    }

    #[test]
    fn blocks_are_in_reading_order() {
        let document = Document::from_markdown("Before.\n\n# One\n## Two\nAfter.\n\n# Three");
        let texts: Vec<&str> = document.blocks().map(Block::text).collect();
        assert_eq!(texts, ["Before.", "One", "Two", "After.", "Three"]);
        assert_eq!(document.text(), "Before.\n\nOne\n\nTwo\n\nAfter.\n\nThree");
    }

    #[test]
    fn plain_text_becomes_paragraphs() {
        let document = Document::from_markdown("One.\n\n \nTwo\nlines.");
        assert!(document.headings.is_empty());
        assert_eq!(document.paragraphs, ["One.", "Two\nlines."]);
    }

    #[test]
    fn document_beyond_the_limit_is_truncated() {
        let paragraph = "word ".repeat(MAX_TEXT_BYTES / 10);
        let document = Document { paragraphs: vec![paragraph; 5], ..Document::default() };
        assert!(
            document.is_truncated()
                && Document::from_markdown(&"word ".repeat(MAX_TEXT_BYTES)).is_truncated()
        );
        assert!(document.text().len() <= MAX_TEXT_BYTES);
        assert!(document.blocks().map(|block| block.text().len()).sum::<usize>() <= MAX_TEXT_BYTES);
    }

    proptest! {
        #[test]
        fn any_text_is_accepted(text in "(\\PC|[-#*_=`~\\[\\]()!> \n1.a]){0,200}") {
            let document = Document::from_markdown(&text);
            prop_assert!(document.headings.iter().all(|heading| (1..=6).contains(&heading.level)));
            prop_assert!(document.headings.iter().all(|heading| heading.paragraphs_before <= document.paragraphs.len()));
        }
    }
}
