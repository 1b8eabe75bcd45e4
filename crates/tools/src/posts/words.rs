//! What in a text means more than its letters: links, mentions and hashtags, with where they are in bytes.
//!
//! The rules are Bluesky's own (`detectFacets` of `@atproto/api`), with differences that are meant: a bare `acme.example`
//! stays text, since only a list of all top-level domains could tell it from a typing mistake; all punctuation behind a
//! link is left out, not its last character alone; `HTTPS://` is a link too; `@-ada.com` and `@ada..com` are no names.

use std::ops::Range;

use url::Url;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// In bytes of the text, always on the borders of characters.
    pub(super) at: Range<usize>,
    pub(super) kind: WordKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WordKind {
    Link(Url),
    /// What follows the `@`.
    Mention(String),
    /// What follows the `#`.
    Tag(String),
}

const LONGEST_TAG: usize = 64;
/// Characters without width: nothing that a person sees as part of a tag.
const INVISIBLE: [char; 7] =
    ['\u{ad}', '\u{2060}', '\u{200a}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{20e2}'];

/// All of them, in their order. None overlaps another.
pub(super) fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut before = None;
    let mut end = 0;
    for (at, character) in text.char_indices() {
        let after_space = before.is_none_or(char::is_whitespace);
        before = Some(character);
        // Inside of one that was found already.
        if at < end {
            continue;
        }
        let after_bracket = text[..at].ends_with('(');
        let rest = &text[at..];
        let found = match character {
            'h' | 'H' if after_space || after_bracket => link(rest),
            '@' if after_space || after_bracket => mention(&rest[1..]),
            '#' | '\u{ff03}' if after_space => tag(rest),
            _ => None,
        };
        if let Some((length, kind)) = found {
            end = at + length;
            words.push(Word { at: at..end, kind });
        }
    }
    words
}

fn link(rest: &str) -> Option<(usize, WordKind)> {
    let head = rest.get(..7)?;
    if !head.eq_ignore_ascii_case("http://") && !rest.get(..8)?.eq_ignore_ascii_case("https://") {
        return None;
    }
    let mut link = rest.split(char::is_whitespace).next()?;
    loop {
        let shorter = link.trim_end_matches(['.', ',', ';', ':', '!', '?', '"', '\'']);
        let shorter = match shorter.strip_suffix(')') {
            Some(inside) if !inside.contains('(') => inside,
            _ => shorter,
        };
        if shorter.len() == link.len() {
            break;
        }
        link = shorter;
    }
    let address = Url::parse(link).ok().filter(Url::has_host)?;
    Some((link.len(), WordKind::Link(address)))
}

fn mention(rest: &str) -> Option<(usize, WordKind)> {
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-'));
    // A sentence may end with it.
    let name = rest[..length.unwrap_or(rest.len())].trim_end_matches(['.', '-']);
    let labels: Vec<&str> = name.split('.').collect();
    let fits =
        |label: &&str| (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-');
    let is_domain = labels.len() > 1
        && name.len() <= 253
        && labels.iter().all(fits)
        && labels.last().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_alphabetic()));
    is_domain.then(|| (1 + name.len(), WordKind::Mention(name.to_owned())))
}

fn tag(rest: &str) -> Option<(usize, WordKind)> {
    let sign = rest.chars().next()?.len_utf8();
    let rest = &rest[sign..];
    // A number sign with its emoji form is a picture of a key.
    if rest.starts_with('\u{fe0f}') {
        return None;
    }
    let length = rest.find(|c: char| c.is_whitespace() || INVISIBLE.contains(&c)).unwrap_or(rest.len());
    let tag = rest[..length].trim_end_matches(is_punctuation);
    let says_something = tag.chars().any(|c| !c.is_ascii_digit() && !is_punctuation(c));
    let fits = tag.encode_utf16().count() <= LONGEST_TAG;
    (says_something && fits).then(|| (sign + tag.len(), WordKind::Tag(tag.to_owned())))
}

/// Near enough to Unicode's category P for what people put behind a tag.
fn is_punctuation(c: char) -> bool {
    let ascii = c.is_ascii_punctuation() && !matches!(c, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~');
    let general = matches!(c, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}')
        && !matches!(c, '\u{2044}' | '\u{2052}');
    let east = matches!(c, '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}');
    let wide = matches!(c, '\u{ff01}'..='\u{ff03}' | '\u{ff05}'..='\u{ff0a}' | '\u{ff0c}'..='\u{ff0f}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}');
    let latin = matches!(c, '¡' | '§' | '«' | '¶' | '·' | '»' | '¿');
    ascii || general || east || wide || latin
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Golden {
        text: String,
        found: Vec<Found>,
    }

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    struct Found {
        kind: String,
        from: usize,
        to: usize,
        value: String,
    }

    fn found(text: &str) -> Vec<Found> {
        let found = |word: Word| {
            let (kind, value) = match word.kind {
                WordKind::Link(_) => ("link", text[word.at.clone()].to_owned()),
                WordKind::Mention(name) => ("mention", name),
                WordKind::Tag(tag) => ("tag", tag),
            };
            Found { kind: kind.to_owned(), from: word.at.start, to: word.at.end, value }
        };
        words_of(text).into_iter().map(found).collect()
    }

    /// The golden file is what `@atproto/api` finds; `tests/posts/oracle_facets.mjs` writes it.
    #[test]
    fn words_are_found_where_blueskys_own_library_finds_them() {
        let golden = include_str!("../../tests/posts/golden_facets.json");
        let golden: Vec<Golden> = serde_json::from_str(golden).expect("a golden file");
        assert!(golden.len() > 60);
        let differ: Vec<String> = golden
            .iter()
            .filter(|case| found(&case.text) != case.found)
            .map(|case| format!("{:?}: {:?}, not {:?}", case.text, found(&case.text), case.found))
            .collect();
        assert!(differ.is_empty(), "{}", differ.join("\n"));
    }

    #[test]
    fn all_punctuation_behind_a_link_is_left_out() {
        for text in ["https://acme.com?!", "https://acme.com...", "https://acme.com).", "https://acme.com\"'"]
        {
            assert_eq!(found(text)[0].value, "https://acme.com", "{text}");
        }
    }
}
