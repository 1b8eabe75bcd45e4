//! Helpers for text and numbers that all analyses share.

use std::{borrow::Cow, collections::HashMap, str::FromStr};

use unicode_segmentation::UnicodeSegmentation;

/// How much of one text is analysed. The rest is ignored.
pub const MAX_TEXT_BYTES: usize = 500_000;

/// The text up to [`MAX_TEXT_BYTES`].
pub(crate) fn clip(text: &str) -> &str {
    clip_to(text, MAX_TEXT_BYTES)
}

/// The text up to `max_bytes`, cut at a character boundary.
pub(crate) fn clip_to(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}

pub(crate) fn round_to(value: f64, places: usize) -> f64 {
    // Rounds the exact decimal form, as Python does. Scaling up and down would sometimes differ in the last place from
    // the reference implementations.
    let round_to = format!("{value:.places$}").parse().unwrap_or(value);
    // Avoids `-0` in the result.
    if round_to == 0.0 { 0.0 } else { round_to }
}

/// `part` divided by `whole`, or 0 if `whole` is 0.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { round_to(as_f64(part) / as_f64(whole), 4) }
}

#[expect(clippy::cast_precision_loss, reason = "texts are bounded, so counts are far below 2^52")]
pub(crate) fn as_f64(count: usize) -> f64 {
    count as f64
}

/// Whitespace as in Python and so in the reference implementations: Unicode's, and four control characters.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// A word and its position in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    /// The byte offset.
    pub(crate) start: usize,
    pub(crate) text: &'a str,
}

impl Word<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Splits a text into words by the rules of Unicode (UAX 29): `don't` is one word, `well-known` is two, a Chinese
/// character is one.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.unicode_word_indices().map(|(start, text)| Word { start, text })
}

/// Normalizes a word for comparison: lower case, straight apostrophes, no possessive.
pub(crate) fn normalize_word(word: &str) -> String {
    let mut word = word.to_lowercase();
    if word.contains('’') {
        word = word.replace('’', "'");
    }
    word.truncate(without_possessive(&word).len());
    word
}

pub(crate) fn without_possessive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// The start of the text as one line of at most `max_chars`, without control characters.
pub(crate) fn excerpt(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    for part in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(part.chars().filter(|c| !c.is_control()).take(max_chars + 1));
        // A character has at most four bytes, so the line is long enough.
        if line.len() > max_chars * 4 {
            break;
        }
    }
    match line.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// Converts to lower case. Borrows if nothing changes.
pub(crate) fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii_lowercase() || (byte.is_ascii() && !byte.is_ascii_uppercase())) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_lowercase())
    }
}

/// Parses a word list with lines `value word word …`.
pub(super) fn parse_word_values<T: FromStr + Copy>(list: &str) -> HashMap<&str, T> {
    let parse_line = |line| {
        let (value, words): (&str, &str) = str::split_once(line, ' ')?;
        let value = value.parse().ok()?;
        Some(words.split(' ').map(move |word| (word, value)))
    };
    list.lines().filter_map(parse_line).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clip_never_splits_a_character() {
        assert_eq!(clip_to("aé", 2), "a");
        assert_eq!(clip_to("aé", 9), "aé");
    }

    #[test]
    fn words_are_normalized_without_case_and_possessive() {
        assert_eq!(normalize_word("Acme’s"), "acme");
        assert_eq!(normalize_word("DON'T"), "don't");
    }

    #[test]
    fn excerpt_is_one_short_line() {
        assert_eq!(excerpt("one\n  two  three", 7), "one two…");
        assert_eq!(excerpt("é\u{7}", 1), "é");
    }

    #[test]
    fn rounding_gives_no_negative_zero() {
        assert_eq!(round_to(-0.0001, 2).to_string(), "0");
        assert_eq!(round_to(0.112_500_000_000_000_02, 3).to_string(), "0.113");
    }
}
