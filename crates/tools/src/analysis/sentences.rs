//! The sentences of a text, as a reader would part them. (Readability counts them in `textstat`'s simpler way.)

use super::text::{clip, clip_to};

/// A sentence longer than this is cut: it is a table or a list that lost its marks.
const LONGEST: usize = 2_000;

/// Words that end in a full stop without ending a sentence, in lower case and without it.
#[rustfmt::skip]
const ABBREVIATIONS: [&str; 48] = [
    "abs", "approx", "art", "bzw", "ca", "cf", "co", "col", "corp", "d.h", "dept", "dr", "e.g", "env", "etc", "evtl",
    "ex", "fig", "gen", "ggf", "hr", "i.e", "inc", "jr", "ltd", "mio", "mr", "mrs", "ms", "mt", "nr", "p.ej", "pp",
    "prof", "resp", "sig", "sgt", "sr", "sra", "st", "str", "tel", "u.a", "u.s", "vgl", "vol", "vs", "z.b",
];

/// The sentences in order, without the space around them. A blank line ends a sentence, a single line break does not.
pub fn split(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    for paragraph in paragraphs(clip(text)) {
        let mut rest = paragraph;
        while !rest.is_empty() {
            let (sentence, after) = rest.split_at(end(rest));
            sentences.push(sentence.trim_end());
            rest = after.trim_start();
        }
    }
    sentences
}

/// The parts between blank lines.
pub(super) fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
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

/// Where the first blank line starts and ends.
fn blank_line(text: &str) -> Option<(usize, usize)> {
    text.match_indices('\n').find_map(|(start, _)| {
        let after = &text[start + 1..];
        let indent = after.len() - after.trim_start_matches([' ', '\t', '\r']).len();
        after[indent..].starts_with('\n').then_some((start, start + 1 + indent + 1))
    })
}

/// Where the first sentence of a text ends; the text starts with no space.
fn end(text: &str) -> usize {
    let window = clip_to(text, LONGEST);
    let mut from = 0;
    while let Some((at, mark)) = window[from..].char_indices().find(|(_, c)| is_mark(*c)) {
        let at = from + at;
        // Further marks and closing quotes belong to it.
        let tail = window[at..].trim_start_matches(|c| is_mark(c) || is_closing(c));
        from = window.len() - tail.len();
        if is_wide_mark(mark) || is_end(&window[..at], mark, tail) {
            return from;
        }
    }
    if window.len() == text.len() {
        return text.len();
    }
    // No end in sight: the cut goes between two words if it can.
    window.rfind(char::is_whitespace).unwrap_or(window.len())
}

fn is_end(before: &str, mark: char, tail: &str) -> bool {
    let next = tail.trim_start();
    if next.len() == tail.len() {
        return false; // `3.5`, `example.com`
    }
    let starts_small = next.chars().take(8).find(|c| c.is_alphanumeric()).is_some_and(char::is_lowercase);
    let unsure = mark == '.' && is_abbreviation(before);
    !starts_small && !unsure
}

fn is_mark(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…') || is_wide_mark(c)
}

/// Marks of scripts that put no space after them.
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
    fn a_sentence_ends_at_a_mark_before_a_new_start() {
        assert_eq!(
            split("One is here. Two follows! Is three?"),
            ["One is here.", "Two follows!", "Is three?"]
        );
        assert_eq!(
            split("He said \"Stop!\" and left. “Why?” Nobody knew."),
            ["He said \"Stop!\" and left.", "“Why?”", "Nobody knew."]
        );
    }

    #[test]
    fn abbreviations_numbers_and_hosts_end_nothing() {
        for sentence in [
            "Dr. J. Smith paid 3.5 million at example.com, e.g. Monday.",
            "Die Firma liefert z.B. Schuhe usw. an alle.",
        ] {
            assert_eq!(split(sentence), [sentence]);
        }
    }

    #[test]
    fn a_blank_line_ends_a_sentence_and_a_line_break_does_not() {
        assert_eq!(split("A heading\n\nIt goes\non here."), ["A heading", "It goes\non here."]);
    }

    #[test]
    fn wide_marks_need_no_space() {
        assert_eq!(split("今日は。元気？"), ["今日は。", "元気？"]);
    }

    #[test]
    fn an_endless_sentence_is_cut() {
        let text = "word ".repeat(1_000);
        let sentences = split(&text);
        assert!(sentences.iter().all(|sentence| sentence.len() <= LONGEST));
        assert_eq!(sentences.join(" ").split(' ').count(), 1_000);
        assert_eq!(split(&"é".repeat(3_000)).concat().chars().count(), 3_000);
    }

    proptest! {
        #[test]
        fn nothing_but_space_is_lost(text in "(\\PC|[ .!?\na-zA-Z]){0,300}") {
            let kept: String = split(&text).concat().split_whitespace().collect();
            prop_assert_eq!(kept, text.split_whitespace().collect::<String>());
        }
    }
}
