//! The length of a text as each network counts it.

use unicode_segmentation::UnicodeSegmentation;
use url::{Host, Url};

use super::entities::{EntityKind, find_entities};

/// Mastodon counts every link as this many characters.
const MASTODON_LINK_CHARS: u32 = 23;

/// Characters as people count them: a family emoji is one.
pub(super) fn graphemes(text: &str) -> u32 {
    saturate(text.graphemes(true).count())
}

/// As Mastodon's `StatusLengthValidator` counts: graphemes, a link as 23, a mention without its server.
pub(super) fn mastodon(text: &str) -> u32 {
    let mut counted = String::with_capacity(text.len());
    let mut links = 0;
    let mut end = 0;
    for entity in find_entities(text) {
        if matches!(&entity.kind, EntityKind::Link(link) if has_top_level_domain(link)) {
            counted.push_str(&text[end..entity.range.start]);
            end = entity.range.end;
            links += 1;
        }
    }
    counted.push_str(&text[end..]);
    graphemes(&without_servers(&counted)).saturating_add(MASTODON_LINK_CHARS.saturating_mul(links))
}

/// Mastodon recognises a link only if its host has a top-level domain.
fn has_top_level_domain(link: &Url) -> bool {
    match link.host() {
        Some(Host::Domain(name)) => name.rsplit_once('.').is_some_and(|(_, top)| {
            top.len() > 1 && top.chars().all(|c| c.is_ascii_alphabetic()) || top.starts_with("xn--")
        }),
        _ => false,
    }
}

/// `@ada@acme.example` counts as `@ada`.
fn without_servers(text: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_server = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let mut shortened = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, from) = rest.split_at(at);
        let starts_word = !before.chars().next_back().or(shortened.chars().next_back()).is_some_and(is_name);
        shortened.push_str(before);
        let name = from[1..].find(|c| !is_name(c)).unwrap_or(from.len() - 1);
        let (mention, after) = from.split_at(1 + name);
        shortened.push_str(mention);
        let server = after.strip_prefix('@').map_or(0, |server| {
            server[..server.find(|c| !is_server(c)).unwrap_or(server.len())]
                .trim_end_matches(['.', '-'])
                .len()
        });
        rest = if starts_word && name > 0 && server > 0 { &after[1 + server..] } else { after };
    }
    shortened.push_str(rest);
    shortened
}

pub(super) fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emoji_counts_as_one_character() {
        assert_eq!(graphemes("a👩‍👩‍👧‍👦é🇩🇪"), 4);
    }

    #[test]
    fn mastodon_counts_links_as_23_and_mentions_without_their_server() {
        assert_eq!(mastodon("https://acme.com"), 23);
        assert_eq!(mastodon(&format!("see https://acme.com/{}.", "x".repeat(300))), 4 + 23 + 1);
        assert_eq!(mastodon("hello @ada@acme.example!"), graphemes("hello @ada!"));
        assert_eq!(mastodon("ada@acme.example"), 16, "an email address is not a mention");
        assert_eq!(mastodon("@ada @b@c.example @ @@"), graphemes("@ada @b @ @@"));
        // Mastodon does not recognise these as links, so every character counts.
        assert_eq!(mastodon("http://localhost/abcdefghijklmnopqrstuvwxyz"), 43);
        assert_eq!(mastodon("http://127.0.0.1/abcdefghijklmnopqrstuvwxyz"), 43);
    }
}
