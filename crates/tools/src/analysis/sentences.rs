//! Splits a text into sentences. `readability` does not use this, because it counts sentences as `textstat` does.

use super::text::{clip, clip_to};

/// A longer sentence is split: it is a table or list without punctuation.
const MAX_SENTENCE_BYTES: usize = 2_000;

/// Words before a full stop that does not end a sentence, in lower case.
#[rustfmt::skip]
const ABBREVIATIONS: [&str; 48] = [
    "abs", "approx", "art", "bzw", "ca", "cf", "co", "col", "corp", "d.h", "dept", "dr", "e.g", "env", "etc", "evtl",
    "ex", "fig", "gen", "ggf", "hr", "i.e", "inc", "jr", "ltd", "mio", "mr", "mrs", "ms", "mt", "nr", "p.ej", "pp",
    "prof", "resp", "sig", "sgt", "sr", "sra", "st", "str", "tel", "u.a", "u.s", "vgl", "vol", "vs", "z.b",
];

/// The sentences in order, trimmed. A blank line ends a sentence, a single line break does not.
pub fn split_sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    for paragraph in paragraphs(clip(text)) {
        let mut rest = paragraph;
        while !rest.is_empty() {
            let (sentence, after) = rest.split_at(sentence_end(rest));
            sentences.push(sentence.trim_end());
            rest = after.trim_start();
        }
    }
    sentences
}

/// The parts between blank lines.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (paragraph, after) = match blank_line(rest) {
            Some((start, end)) => (&rest[..start], &rest[end..]),
            None => (rest, ""),
        };
        rest = after;
        Some(paragraph)
    })
    .map(str::trim)
    .filter(|paragraph| !paragraph.is_empty())
}

/// The start and end of the first blank line.
fn blank_line(text: &str) -> Option<(usize, usize)> {
    text.match_indices('\n').find_map(|(start, _)| {
        let after = &text[start + 1..];
        let indent = after.len() - after.trim_start_matches([' ', '\t', '\r']).len();
        after[indent..].starts_with('\n').then_some((start, start + 1 + indent + 1))
    })
}

/// The end of the first sentence. The text must not start with a space.
fn sentence_end(text: &str) -> usize {
    let window = clip_to(text, MAX_SENTENCE_BYTES);
    let mut from = 0;
    while let Some((at, mark)) = window[from..].char_indices().find(|(_, c)| is_mark(*c)) {
        let at = from + at;
        // Further punctuation and closing quotes belong to the sentence.
        let tail = window[at..].trim_start_matches(|c| is_mark(c) || is_closing(c));
        from = window.len() - tail.len();
        if is_wide_mark(mark) || is_end(&window[..at], mark, tail) {
            return from;
        }
    }
    if window.len() == text.len() {
        return text.len();
    }
    // No end found: split between two words if possible.
    window.rfind(char::is_whitespace).unwrap_or(window.len())
}

fn is_end(before: &str, mark: char, tail: &str) -> bool {
    let next = tail.trim_start();
    if next.len() == tail.len() {
        return false; // `3.5`, `example.com`
    }
    let starts_lower_case =
        next.chars().take(8).find(|c| c.is_alphanumeric()).is_some_and(char::is_lowercase);
    let may_be_abbreviation = mark == '.' && is_abbreviation(before);
    !starts_lower_case && !may_be_abbreviation
}

fn is_mark(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…') || is_wide_mark(c)
}

/// Punctuation that is not followed by a space.
fn is_wide_mark(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '।')
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']')
}

/// A known abbreviation, or the initial of a name.
fn is_abbreviation(before: &str) -> bool {
    let word =
        before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '"' | '“')).next().unwrap_or("");
    let mut letters = word.chars();
    let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none() && word != "I";
    initial || (word.len() <= 8 && ABBREVIATIONS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sentence_ends_at_punctuation_before_a_capital() {
        assert_eq!(
            split_sentences("One is here. Two follows! Is three?"),
            ["One is here.", "Two follows!", "Is three?"]
        );
        assert_eq!(
            split_sentences("He said \"Stop!\" and left. “Why?” Nobody knew."),
            ["He said \"Stop!\" and left.", "“Why?”", "Nobody knew."]
        );
    }

    #[test]
    fn abbreviations_numbers_and_hosts_do_not_end_a_sentence() {
        for sentence in [
            "Dr. J. Smith paid 3.5 million at example.com, e.g. Monday.",
            "Die Firma liefert z.B. Schuhe usw. an alle.",
        ] {
            assert_eq!(split_sentences(sentence), [sentence]);
        }
    }

    #[test]
    fn blank_line_ends_a_sentence_and_a_line_break_does_not() {
        assert_eq!(split_sentences("A heading\n\nIt goes\non here."), ["A heading", "It goes\non here."]);
    }

    #[test]
    fn wide_punctuation_needs_no_space() {
        assert_eq!(split_sentences("今日は。元気？"), ["今日は。", "元気？"]);
    }

    #[test]
    fn long_sentence_is_split() {
        let text = "word ".repeat(1_000);
        let sentences = split_sentences(&text);
        assert!(sentences.iter().all(|sentence| sentence.len() <= MAX_SENTENCE_BYTES));
        assert_eq!(sentences.join(" ").split(' ').count(), 1_000);
        assert_eq!(split_sentences(&"é".repeat(3_000)).concat().chars().count(), 3_000);
    }

    proptest! {
        #[test]
        fn only_whitespace_is_removed(text in "(\\PC|[ .!?\na-zA-Z]){0,300}") {
            let kept: String = split_sentences(&text).concat().split_whitespace().collect();
            prop_assert_eq!(kept, text.split_whitespace().collect::<String>());
        }
    }
}
