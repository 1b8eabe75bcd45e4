//! A text in its parts: what it is called, what its sections are called, and what they say.

use super::text::{MAX_TEXT, clip, clip_to};

/// More headings than this are a list of links, not an outline.
const MAX_HEADINGS: usize = 1_000;

/// A page or text, taken apart. Where it comes from HTML, the page's parser fills it in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// What search results and browser tabs show.
    pub title: Option<String>,
    /// In the order of the text.
    pub headings: Vec<Heading>,
    /// Blocks of running text, in order; a list item or table cell is one.
    pub paragraphs: Vec<String>,
    /// There was more than was taken in.
    pub truncated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    pub text: String,
    /// How many paragraphs stand before it.
    pub after: usize,
}

impl Document {
    /// From plain text or Markdown: `#` and underlined headings, lists, quotes and fenced code are known; marks for
    /// emphasis, links and images are taken off. In plain text all of it is paragraphs.
    pub fn from_markdown(text: &str) -> Self {
        let mut reader = Reader::default();
        for line in clip(text).lines() {
            reader.line(line);
        }
        reader.end_paragraph();
        Self { truncated: text.len() > MAX_TEXT, ..reader.document }
    }

    /// Everything in the order it is read, blocks parted by a blank line; the title is not part of it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for block in self.blocks() {
            if text.len() >= MAX_TEXT {
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

    /// Whether there is more of it than is read.
    pub(super) fn is_cut(&self) -> bool {
        let headings = self.headings.iter().map(|heading| heading.text.len());
        let length: usize = headings.chain(self.paragraphs.iter().map(String::len)).sum();
        self.truncated || length > MAX_TEXT
    }

    /// Headings and paragraphs in the order they are read, up to [`MAX_TEXT`].
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        let mut headings = self.headings.iter().peekable();
        let mut paragraphs = self.paragraphs.iter().enumerate().peekable();
        let mut left = MAX_TEXT;
        std::iter::from_fn(move || {
            let next_paragraph = paragraphs.peek().map(|(index, _)| *index);
            let heading =
                headings.next_if(|heading| next_paragraph.is_none_or(|index| heading.after <= index));
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

/// Reads Markdown line by line.
#[derive(Default)]
struct Reader {
    document: Document,
    /// The lines of the paragraph that is being read.
    open: String,
    /// The fence that code stands behind, until it comes again.
    fence: Option<&'static str>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence)) {
            if self.fence.is_none_or(|open| open == fence) {
                self.end_paragraph();
                self.fence = if self.fence.is_some() { None } else { Some(fence) };
            }
        } else if self.fence.is_some() {
            // Code is not what the text says.
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
            let after = self.document.paragraphs.len();
            self.document.headings.push(Heading { level, text: plain(text), after });
        }
    }

    fn end_paragraph(&mut self) {
        let paragraph = plain(&std::mem::take(&mut self.open));
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
    let of = |mark| line.len() >= 2 && line.chars().all(|c| c == mark);
    if of('=') { Some(1) } else { of('-').then_some(2) }
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

/// The text without Markdown's marks: `[this](link)` and `![this](picture)` leave `this`.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(at) = rest.find(['[', '*', '`', '_', '!']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        if let Some((label, after)) = link(from) {
            plain.push_str(label);
            rest = after;
            continue;
        }
        let inside_word =
            plain.ends_with(char::is_alphanumeric) && from[1..].starts_with(char::is_alphanumeric);
        if from.starts_with(['[', '!']) || (from.starts_with('_') && inside_word) {
            plain.push_str(&from[..1]);
        }
        rest = &from[1..];
    }
    plain.push_str(rest);
    plain.trim().to_owned()
}

/// A link or picture at the start of the text: its label, and what follows it. Longer ones are no links.
fn link(text: &str) -> Option<(&str, &str)> {
    const LONGEST_LABEL: usize = 500;
    const LONGEST_TARGET: usize = 2_000;
    let label = text.strip_prefix('!').unwrap_or(text).strip_prefix('[')?;
    let close = clip_to(label, LONGEST_LABEL).find(']')?;
    let target = label[close + 1..].strip_prefix('(')?;
    let end = clip_to(target, LONGEST_TARGET).find(')')?;
    Some((&label[..close], &target[end + 1..]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn heading(level: u8, text: &str, after: usize) -> Heading {
        Heading { level, text: text.to_owned(), after }
    }

    #[test]
    fn markdown_is_taken_apart() {
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
    fn blocks_come_in_reading_order() {
        let document = Document::from_markdown("Before.\n\n# One\n## Two\nAfter.\n\n# Three");
        let texts: Vec<&str> = document.blocks().map(Block::text).collect();
        assert_eq!(texts, ["Before.", "One", "Two", "After.", "Three"]);
        assert_eq!(document.text(), "Before.\n\nOne\n\nTwo\n\nAfter.\n\nThree");
    }

    #[test]
    fn plain_text_is_paragraphs() {
        let document = Document::from_markdown("One.\n\n \nTwo\nlines.");
        assert!(document.headings.is_empty());
        assert_eq!(document.paragraphs, ["One.", "Two\nlines."]);
    }

    #[test]
    fn a_document_larger_than_the_bound_is_cut() {
        let paragraph = "word ".repeat(MAX_TEXT / 10);
        let document = Document { paragraphs: vec![paragraph; 5], ..Document::default() };
        assert!(document.is_cut() && Document::from_markdown(&"word ".repeat(MAX_TEXT)).is_cut());
        assert!(document.text().len() <= MAX_TEXT);
        assert!(document.blocks().map(|block| block.text().len()).sum::<usize>() <= MAX_TEXT);
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text in "(\\PC|[-#*_=`~\\[\\]()!> \n1.a]){0,200}") {
            let document = Document::from_markdown(&text);
            prop_assert!(document.headings.iter().all(|heading| (1..=6).contains(&heading.level)));
            prop_assert!(document.headings.iter().all(|heading| heading.after <= document.paragraphs.len()));
        }
    }
}
