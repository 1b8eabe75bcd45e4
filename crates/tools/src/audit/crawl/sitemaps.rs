use std::{
    collections::{HashSet, VecDeque},
    time::Duration,
};

use super::{
    super::{
        CrawlScope, FetchOutcome, PageUrl, SitemapFile, SitemapUrl, Sitemaps,
        fetch::Fetch,
        sitemap::{self, SitemapKind},
    },
    document::fetch_document,
};

/// The protocol does not allow an index inside an index, but sites have them.
const MAX_DEPTH: u8 = 3;
const MAX_FILES: usize = 200;
const MAX_ENTRIES: usize = 50_000;
/// The total length of all URLs.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// The limit of the sitemap protocol.
const MAX_FILE_BYTES: usize = 50 * 1024 * 1024;

/// Reads these sitemaps and those that their indexes name, with a delay between two requests.
pub async fn collect_sitemaps(
    fetch: &dyn Fetch,
    scope: &CrawlScope,
    roots: Vec<PageUrl>,
    delay: Duration,
) -> Sitemaps {
    let mut sitemaps = Sitemaps::default();
    let mut seen_files: HashSet<PageUrl> = roots.iter().cloned().collect();
    let mut seen_entries = HashSet::new();
    let mut bytes = 0;
    let mut queue: VecDeque<(PageUrl, u8)> = roots.into_iter().map(|root| (root, 0)).collect();
    while let Some((url, depth)) = queue.pop_front() {
        if sitemaps.files.len() >= MAX_FILES {
            sitemaps.truncated = true;
            break;
        }
        if !delay.is_zero() {
            fetch.sleep(delay).await;
        }
        let (file, entries) = read(fetch, scope, &url).await;
        for entry in entries {
            let Some(url) = PageUrl::parse(&entry.url) else { continue };
            if file.kind == Some(SitemapKind::Index) {
                if depth >= MAX_DEPTH {
                    sitemaps.truncated = true;
                } else if scope.contains(&url) && seen_files.insert(url.clone()) {
                    queue.push_back((url, depth + 1));
                }
            } else if sitemaps.entries.len() >= MAX_ENTRIES || bytes > MAX_BYTES {
                sitemaps.truncated = true;
                break;
            } else if seen_entries.insert(entry.url.clone()) {
                bytes += entry.url.len();
                sitemaps.entries.push(SitemapUrl {
                    url: url.to_string(),
                    written: entry.url,
                    last_modified: entry.last_modified,
                    sitemap: file.url.clone(),
                });
            }
        }
        sitemaps.files.push(file);
    }
    sitemaps
}

async fn read(fetch: &dyn Fetch, scope: &CrawlScope, url: &PageUrl) -> (SitemapFile, Vec<sitemap::Entry>) {
    let mut file =
        SitemapFile { url: url.to_string(), outcome: FetchOutcome::default(), kind: None, problem: None };
    let response = match fetch_document(fetch, scope, url, MAX_FILE_BYTES).await {
        Ok(response) => response,
        Err(error) => {
            file.problem = Some(error.to_string());
            file.outcome.error = Some(error);
            return (file, Vec::new());
        }
    };
    file.outcome.status = Some(response.status);
    if response.status != 200 {
        file.problem = Some(file.outcome.describe());
        return (file, Vec::new());
    }
    match sitemap::read(&response.body) {
        Ok(sitemap) => {
            file.kind = Some(sitemap.kind);
            file.problem = sitemap.broken;
            (file, sitemap.entries)
        }
        Err(error) => {
            file.problem = Some(error.to_string());
            (file, Vec::new())
        }
    }
}
