//! Sitemaps in all formats: `urlset` and `sitemapindex`, RSS and Atom, and a plain list of URLs, each with or without
//! gzip. An incomplete file gives the entries before the damage.

mod gzip;
mod xml;

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    PageUrl,
    decode::{declared_value, decode},
};
use crate::cpu_pool::checkpoint;

/// How much of one file is read, decompressed. The protocol allows 50 MB, but no audit can visit so many URLs.
pub const MAX_FILE_BYTES: usize = 4 * 1024 * 1024;
const MAX_ENTRIES: usize = 20_000;
/// The total length of all URLs.
const MAX_URL_BYTES: usize = 3 * 1024 * 1024;
/// How many elements or lines are read between two checkpoints.
const CHUNK_ITEMS: usize = 4_096;

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
    /// Each URL once, in the order of the file.
    pub entries: Vec<Entry>,
    /// Why the file could not be read to its end. Null: it was.
    pub broken: Option<String>,
    /// The file or its list is longer than the limits.
    pub truncated: bool,
    /// The length of the file, decompressed.
    pub bytes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// As written in the file.
    pub url: String,
    /// As written in the file.
    pub last_modified: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not a sitemap: neither urlset, sitemapindex, rss or feed, nor a list of URLs")]
pub struct NotASitemapError;

/// Detects the format from the content, because file names and content types are often wrong.
pub fn read(file: &[u8]) -> Result<Sitemap, NotASitemapError> {
    let file = gzip::decompress(file);
    let text = decode(&file.bytes, None, declared_value(&file.bytes, "encoding"));
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let mut sitemap = if text.starts_with('<') { xml::read(text)? } else { read_list(text)? };
    sitemap.bytes = file.bytes.len();
    if file.is_truncated {
        sitemap.truncated = true;
        // The end of the text is missing, so the parser may have found an error there.
        sitemap.broken = Some(format!("only its first {} MiB were read", MAX_FILE_BYTES / 1024 / 1024));
    } else if file.is_damaged && sitemap.broken.is_none() {
        sitemap.broken = Some("the compressed file is damaged".to_owned());
    }
    Ok(sitemap)
}

fn read_list(text: &str) -> Result<Sitemap, NotASitemapError> {
    let mut entries = Entries::default();
    for (number, line) in text.lines().take(2 * MAX_ENTRIES).enumerate() {
        if number.is_multiple_of(CHUNK_ITEMS) {
            checkpoint();
        }
        entries.add(line, None);
    }
    if entries.list.is_empty() && !text.is_empty() {
        return Err(NotASitemapError);
    }
    Ok(entries.into_sitemap(SitemapKind::Text, None))
}

/// Collects each URL once, within the limits.
#[derive(Debug, Default)]
struct Entries {
    list: Vec<Entry>,
    seen: HashSet<String>,
    bytes: usize,
    is_full: bool,
}

impl Entries {
    fn add(&mut self, url: &str, last_modified: Option<&str>) {
        let url = url.trim();
        if self.list.len() >= MAX_ENTRIES || self.bytes >= MAX_URL_BYTES {
            self.is_full = true;
        } else if PageUrl::parse(url).is_some() && self.seen.insert(url.to_owned()) {
            self.bytes += url.len();
            let last_modified =
                last_modified.map(str::trim).filter(|text| !text.is_empty() && text.len() <= 64);
            self.list.push(Entry { url: url.to_owned(), last_modified: last_modified.map(str::to_owned) });
        }
    }

    fn into_sitemap(self, kind: SitemapKind, broken: Option<String>) -> Sitemap {
        Sitemap { kind, entries: self.list, broken, truncated: self.is_full, bytes: 0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn urls(file: &[u8]) -> Vec<String> {
        read(file).unwrap().entries.into_iter().map(|entry| entry.url).collect()
    }

    #[test]
    fn list_of_urls_is_a_sitemap_and_prose_is_not() {
        assert_eq!(
            urls(b"\xef\xbb\xbfhttps://a.test/1\r\n\r\nnot one\nhttps://a.test/1\n https://a.test/2"),
            ["https://a.test/1", "https://a.test/2"]
        );
        assert_eq!(read(b"Not found"), Err(NotASitemapError));
        assert_eq!(read(b"<html><body>Not found</body></html>"), Err(NotASitemapError));
        assert_eq!(read(b"<"), Err(NotASitemapError));
        assert!(urls(b"").is_empty());
    }

    #[test]
    fn number_of_entries_is_bounded() {
        let file: String =
            (0..MAX_ENTRIES + 5).map(|n| format!("https://a.test/{n}\n")).collect::<Vec<_>>().concat();
        assert_eq!(urls(file.as_bytes()).len(), MAX_ENTRIES);
    }

    proptest! {
        #[test]
        fn any_bytes_are_parsed(file in proptest::collection::vec(any::<u8>(), 0..2000)) {
            let _ = read(&file);
        }

        #[test]
        fn any_broken_xml_is_parsed(inside in "[<>/a-z\"=&;:! \\[\\]?-]{0,300}", end in 0_usize..120) {
            let file = format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
                <url><loc>https://a.test/1</loc></url>{inside}</urlset>");
            prop_assert!(urls(file.as_bytes()).iter().any(|url| url == "https://a.test/1"));
            let cut = file.len() - end.min(file.len());
            let _ = read(&file.as_bytes()[..cut]);
        }
    }
}
