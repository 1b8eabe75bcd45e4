//! The bounds and the words that every measure of this room shares.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

/// How much of one text is looked at, in bytes. A page of this length is a book; what follows is not read.
pub const MAX_TEXT: usize = 500_000;

/// The text up to [`MAX_TEXT`].
pub(crate) fn clip(text: &str) -> &str {
    clip_to(text, MAX_TEXT)
}

/// The text up to `bytes`, cut between two characters.
pub(crate) fn clip_to(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// A number as it is shown: more places than these would only pretend to know more.
pub(crate) fn rounded(value: f64, places: usize) -> f64 {
    // Through its decimal form, which is exact, as Python rounds: scaling up and down would miss the oracles' last
    // place now and then.
    let rounded = format!("{value:.places$}").parse().unwrap_or(value);
    // A negative zero would reach the reader as `-0`.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// `part` of `whole`, 0 where there is no whole.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { rounded(as_f64(part) / as_f64(whole), 4) }
}

#[expect(clippy::cast_precision_loss, reason = "counts of what is in a bounded text are far below 2^52")]
pub(crate) fn as_f64(count: usize) -> f64 {
    count as f64
}

/// Python's idea of a space, which the oracles share: Unicode's, and four separators nobody types.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// A word where it stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    /// The byte it starts at.
    pub(crate) start: usize,
    pub(crate) text: &'a str,
}

impl Word<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The words by Unicode's rules (UAX 29): `don't` is one, `well-known` two, a Chinese character one.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.unicode_word_indices().map(|(start, text)| Word { start, text })
}

/// A word as it is compared: lower case, one kind of apostrophe, no possessive.
pub(crate) fn folded(word: &str) -> String {
    let mut folded = word.to_lowercase();
    if folded.contains('’') {
        folded = folded.replace('’', "'");
    }
    if let Some(owner) = folded.strip_suffix("'s").map(str::len) {
        folded.truncate(owner);
    }
    folded
}

/// One line of it, no longer than `chars` and without control characters, as a sample in a result.
pub(crate) fn excerpt(text: &str, chars: usize) -> String {
    let mut line = String::new();
    for part in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(part.chars().filter(|c| !c.is_control()).take(chars + 1));
        // Four bytes hold any character, so beyond this the rest cannot be shown anyway.
        if line.len() > chars * 4 {
            break;
        }
    }
    match line.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// Lower case without a copy where there is nothing to change.
pub(crate) fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii_lowercase() || (byte.is_ascii() && !byte.is_ascii_uppercase())) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_never_splits_a_character() {
        assert_eq!(clip_to("aé", 2), "a");
        assert_eq!(clip_to("aé", 9), "aé");
    }

    #[test]
    fn a_word_is_compared_without_its_case_and_possessive() {
        assert_eq!(folded("Acme’s"), "acme");
        assert_eq!(folded("DON'T"), "don't");
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt("one\n  two  three", 7), "one two…");
        assert_eq!(excerpt("é\u{7}", 1), "é");
    }

    #[test]
    fn numbers_are_shown_without_a_negative_zero() {
        assert_eq!(rounded(-0.0001, 2).to_string(), "0");
        assert_eq!(rounded(0.112_500_000_000_000_02, 3).to_string(), "0.113");
    }
}
