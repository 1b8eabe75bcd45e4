//! How long a text is, as each network counts.

use unicode_segmentation::UnicodeSegmentation;
use url::{Host, Url};

use super::words::{WordKind, words_of};

/// Mastodon counts every link as this many characters, however long it is.
const MASTODON_LINK: u32 = 23;

/// Characters as people count them: a family emoji is one.
pub(super) fn graphemes(text: &str) -> u32 {
    number(text.graphemes(true).count())
}

/// In the way of Mastodon's `StatusLengthValidator`: graphemes, a link as 23, a mention without its server.
pub(super) fn mastodon(text: &str) -> u32 {
    let mut counted = String::with_capacity(text.len());
    let mut links = 0;
    let mut end = 0;
    for word in words_of(text) {
        if matches!(&word.kind, WordKind::Link(link) if is_public_name(link)) {
            counted.push_str(&text[end..word.at.start]);
            end = word.at.end;
            links += 1;
        }
    }
    counted.push_str(&text[end..]);
    graphemes(&without_servers(&counted)).saturating_add(MASTODON_LINK.saturating_mul(links))
}

/// Mastodon shortens only what it recognises as a link: a name with a top-level domain.
fn is_public_name(link: &Url) -> bool {
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
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, from) = rest.split_at(at);
        let word = !before.chars().next_back().or(kept.chars().next_back()).is_some_and(is_name);
        kept.push_str(before);
        let name = from[1..].find(|c| !is_name(c)).unwrap_or(from.len() - 1);
        let (mention, behind) = from.split_at(1 + name);
        kept.push_str(mention);
        let server = behind.strip_prefix('@').map_or(0, |server| {
            server[..server.find(|c| !is_server(c)).unwrap_or(server.len())]
                .trim_end_matches(['.', '-'])
                .len()
        });
        rest = if word && name > 0 && server > 0 { &behind[1 + server..] } else { behind };
    }
    kept.push_str(rest);
    kept
}

pub(super) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_pictures_as_one() {
        assert_eq!(graphemes("a👩‍👩‍👧‍👦é🇩🇪"), 4);
    }

    #[test]
    fn mastodon_counts_links_alike_and_mentions_without_their_server() {
        assert_eq!(mastodon("https://acme.com"), 23);
        assert_eq!(mastodon(&format!("see https://acme.com/{}.", "x".repeat(300))), 4 + 23 + 1);
        assert_eq!(mastodon("hello @ada@acme.example!"), graphemes("hello @ada!"));
        assert_eq!(mastodon("ada@acme.example"), 16, "an email address is no mention");
        assert_eq!(mastodon("@ada @b@c.example @ @@"), graphemes("@ada @b @ @@"));
        // Nothing that Mastodon takes for a link, so all of it counts.
        assert_eq!(mastodon("http://localhost/abcdefghijklmnopqrstuvwxyz"), 43);
        assert_eq!(mastodon("http://127.0.0.1/abcdefghijklmnopqrstuvwxyz"), 43);
    }
}
