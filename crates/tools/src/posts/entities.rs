//! Finds links, mentions and hashtags in a text, with their byte ranges.
//!
//! The rules are those of Bluesky (`detectFacets` in `@atproto/api`) with these intended differences: a bare `acme.example`
//! is not a link, because only a list of all top-level domains could tell it from a typing error; all punctuation after a
//! link is excluded, not only the last character; `HTTPS://` starts a link too; `@-ada.com` and `@ada..com` are not names.

use std::ops::Range;

use url::Url;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entity {
    /// In bytes, always on character boundaries.
    pub(super) range: Range<usize>,
    pub(super) kind: EntityKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EntityKind {
    Link(Url),
    /// Without the `@`.
    Mention(String),
    /// Without the `#`.
    Tag(String),
}

const MAX_TAG_CHARS: usize = 64;
/// Invisible characters end a tag.
const INVISIBLE: [char; 7] =
    ['\u{ad}', '\u{2060}', '\u{200a}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{20e2}'];

/// Returns the entities in text order. They do not overlap.
pub(super) fn find_entities(text: &str) -> Vec<Entity> {
    let mut entities = Vec::new();
    let mut before = None;
    let mut end = 0;
    for (at, character) in text.char_indices() {
        let after_space = before.is_none_or(char::is_whitespace);
        before = Some(character);
        // Inside an entity that was already found.
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
            entities.push(Entity { range: at..end, kind });
        }
    }
    entities
}

fn link(rest: &str) -> Option<(usize, EntityKind)> {
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
    Some((link.len(), EntityKind::Link(address)))
}

fn mention(rest: &str) -> Option<(usize, EntityKind)> {
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-'));
    // A mention may end a sentence.
    let name = rest[..length.unwrap_or(rest.len())].trim_end_matches(['.', '-']);
    let labels: Vec<&str> = name.split('.').collect();
    let fits =
        |label: &&str| (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-');
    let is_domain = labels.len() > 1
        && name.len() <= 253
        && labels.iter().all(fits)
        && labels.last().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_alphabetic()));
    is_domain.then(|| (1 + name.len(), EntityKind::Mention(name.to_owned())))
}

fn tag(rest: &str) -> Option<(usize, EntityKind)> {
    let sign = rest.chars().next()?.len_utf8();
    let rest = &rest[sign..];
    // A number sign with a variation selector is a keycap emoji.
    if rest.starts_with('\u{fe0f}') {
        return None;
    }
    let length = rest.find(|c: char| c.is_whitespace() || INVISIBLE.contains(&c)).unwrap_or(rest.len());
    let tag = rest[..length].trim_end_matches(is_punctuation);
    let has_letter = tag.chars().any(|c| !c.is_ascii_digit() && !is_punctuation(c));
    let fits = tag.encode_utf16().count() <= MAX_TAG_CHARS;
    (has_letter && fits).then(|| (sign + tag.len(), EntityKind::Tag(tag.to_owned())))
}

/// Covers the characters of Unicode category P that usually follow a tag.
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
        let found = |entity: Entity| {
            let (kind, value) = match entity.kind {
                EntityKind::Link(_) => ("link", text[entity.range.clone()].to_owned()),
                EntityKind::Mention(name) => ("mention", name),
                EntityKind::Tag(tag) => ("tag", tag),
            };
            Found { kind: kind.to_owned(), from: entity.range.start, to: entity.range.end, value }
        };
        find_entities(text).into_iter().map(found).collect()
    }

    /// `tests/posts/oracle_facets.mjs` writes the golden file with `@atproto/api`.
    #[test]
    fn entities_match_those_of_the_bluesky_library() {
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
    fn punctuation_after_a_link_is_excluded() {
        for text in ["https://acme.com?!", "https://acme.com...", "https://acme.com).", "https://acme.com\"'"]
        {
            assert_eq!(found(text)[0].value, "https://acme.com", "{text}");
        }
    }
}
