//! What one crawl may read and hold. Together it stays below about 28 MB of memory: some responses of 2 MiB, 14 MiB of
//! pages, 4 MiB of URLs to visit, and the URLs of the sitemaps.

use super::super::page::MAX_CRAWL_TEXT_BYTES;

/// The body of one page. Search engines do not read more.
pub(super) const MAX_PAGE_BYTES: usize = 2 * 1024 * 1024;
/// The facts and texts of all pages. A thousand pages of usual size need less.
pub(super) const MAX_HELD_BYTES: usize = 14 * 1024 * 1024;
/// The texts of all pages, a part of [`MAX_HELD_BYTES`].
const MAX_TEXT_BYTES: usize = 5 * 1024 * 1024;

/// The URLs that a crawl has found. Those above the limit are only counted.
pub(super) const MAX_KNOWN_URLS: usize = 20_000;
pub(super) const MAX_KNOWN_URL_BYTES: usize = 4 * 1024 * 1024;
/// Links to other sites, and links that are too deep: each.
pub(super) const MAX_OTHER_URLS: usize = 5_000;
pub(super) const MAX_OTHER_URL_BYTES: usize = 1024 * 1024;

pub(super) const MAX_SITEMAP_FILES: usize = 50;
/// All files together, decompressed.
pub(super) const MAX_SITEMAP_BYTES: usize = 32 * 1024 * 1024;
/// The URLs of all files, and their length. An audit visits at most a thousand pages.
pub(super) const MAX_SITEMAP_URLS: usize = 10_000;
pub(super) const MAX_SITEMAP_URL_BYTES: usize = 2 * 1024 * 1024;

/// How much text of each page is stored.
pub(super) fn max_text_bytes(max_pages: u32) -> usize {
    let pages = usize::try_from(max_pages).unwrap_or(usize::MAX).max(1);
    (MAX_TEXT_BYTES / pages).min(MAX_CRAWL_TEXT_BYTES)
}

#[cfg(test)]
mod tests {
    use super::{
        super::super::{AuditLimit, sitemap::MAX_FILE_BYTES},
        *,
    };

    #[test]
    fn messages_name_the_limits() {
        let mib = |bytes: usize| format!("{} MiB", bytes / 1024 / 1024);
        for (limit, number) in [
            (AuditLimit::SitemapFiles, MAX_SITEMAP_FILES.to_string()),
            (AuditLimit::SitemapFileBytes, mib(MAX_FILE_BYTES)),
            (AuditLimit::SitemapBytes, mib(MAX_SITEMAP_BYTES)),
            (AuditLimit::SitemapUrls, format!("{},000", MAX_SITEMAP_URLS / 1_000)),
            (AuditLimit::KnownUrls, format!("{},000", MAX_KNOWN_URLS / 1_000)),
            (AuditLimit::PageBytes, mib(MAX_PAGE_BYTES)),
            (AuditLimit::HeldBytes, mib(MAX_HELD_BYTES)),
        ] {
            assert!(limit.message().contains(&number), "{limit:?}: {number}");
        }
    }

    #[test]
    fn fewer_pages_keep_more_text() {
        assert_eq!(max_text_bytes(1), MAX_CRAWL_TEXT_BYTES);
        assert!(max_text_bytes(1_000) * 1_000 <= MAX_TEXT_BYTES);
    }
}
