//! Sitemaps in all their forms: `urlset` and `sitemapindex`, RSS and Atom, a plain list of addresses, each also
//! with gzip. What can be read is read: a file that breaks off gives what stands before the break.

mod gzip;
mod xml;

use std::{borrow::Cow, collections::HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    address::Address,
    decode::{declared_value, decode},
};

/// The most that the protocol allows in one file.
const MOST_ENTRIES: usize = 50_000;
/// Of all addresses together: far more than so many of usual length.
const MOST_BYTES: usize = 8 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SitemapKind {
    Pages,
    /// Its entries are sitemaps.
    Index,
    Text,
    Rss,
    Atom,
}

/// One sitemap file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sitemap {
    pub kind: SitemapKind,
    /// Each address once, in the order of the file.
    pub entries: Vec<Entry>,
    /// Why the file was not read to its end. Null: it was.
    pub broken: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// As the file has it.
    pub url: String,
    /// When it last changed, as the file has it.
    pub last_modified: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not a sitemap: neither urlset, sitemapindex, rss or feed, nor a list of addresses")]
pub struct NotASitemap;

/// Reads a file as it was answered. Its form is seen from its content: names and content types are often wrong.
pub fn read(file: &[u8]) -> Result<Sitemap, NotASitemap> {
    let (file, cut) = gzip::unpacked(file);
    let text = decode(&file, None, declared_value(&file, "encoding"));
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let mut sitemap = if text.starts_with('<') { xml::read(text)? } else { list(text)? };
    if cut && sitemap.broken.is_none() {
        sitemap.broken = Some("the compressed file is damaged or too large".to_owned());
    }
    Ok(sitemap)
}

fn list(text: &str) -> Result<Sitemap, NotASitemap> {
    let mut entries = Entries::default();
    for line in text.lines().take(2 * MOST_ENTRIES) {
        entries.add(line, None);
    }
    let entries = entries.kept;
    if entries.is_empty() && !text.is_empty() {
        return Err(NotASitemap);
    }
    Ok(Sitemap { kind: SitemapKind::Text, entries, broken: None })
}

/// Addresses, each once.
#[derive(Debug, Default)]
struct Entries {
    kept: Vec<Entry>,
    seen: HashSet<String>,
    bytes: usize,
}

impl Entries {
    fn add(&mut self, url: &str, last_modified: Option<&str>) {
        let url = url.trim();
        let has_room = self.kept.len() < MOST_ENTRIES && self.bytes < MOST_BYTES;
        if has_room && Address::parse(url).is_some() && self.seen.insert(url.to_owned()) {
            self.bytes += url.len();
            let last_modified =
                last_modified.map(str::trim).filter(|text| !text.is_empty() && text.len() <= 64);
            self.kept.push(Entry { url: url.to_owned(), last_modified: last_modified.map(str::to_owned) });
        }
    }
}

/// The bytes of a file, and whether they end before it does.
type Unpacked<'a> = (Cow<'a, [u8]>, bool);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn urls(file: &[u8]) -> Vec<String> {
        read(file).unwrap().entries.into_iter().map(|entry| entry.url).collect()
    }

    #[test]
    fn a_list_of_addresses_is_a_sitemap_and_prose_is_none() {
        assert_eq!(
            urls(b"\xef\xbb\xbfhttps://a.test/1\r\n\r\nnot one\nhttps://a.test/1\n https://a.test/2"),
            ["https://a.test/1", "https://a.test/2"]
        );
        assert_eq!(read(b"Not found"), Err(NotASitemap));
        assert_eq!(read(b"<html><body>Not found</body></html>"), Err(NotASitemap));
        assert_eq!(read(b"<"), Err(NotASitemap));
        assert!(urls(b"").is_empty());
    }

    #[test]
    fn no_more_entries_are_kept_than_the_protocol_allows() {
        let file: String =
            (0..MOST_ENTRIES + 5).map(|n| format!("https://a.test/{n}\n")).collect::<Vec<_>>().concat();
        assert_eq!(urls(file.as_bytes()).len(), MOST_ENTRIES);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(file in proptest::collection::vec(any::<u8>(), 0..2000)) {
            let _ = read(&file);
        }

        #[test]
        fn any_broken_xml_is_read(inside in "[<>/a-z\"=&;:! \\[\\]?-]{0,300}", end in 0_usize..120) {
            let file = format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
                <url><loc>https://a.test/1</loc></url>{inside}</urlset>");
            prop_assert!(urls(file.as_bytes()).iter().any(|url| url == "https://a.test/1"));
            let cut = file.len() - end.min(file.len());
            let _ = read(&file.as_bytes()[..cut]);
        }
    }
}
