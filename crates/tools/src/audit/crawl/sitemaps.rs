use std::{
    collections::{HashSet, VecDeque},
    time::Duration,
};

use super::{
    super::{
        AuditLimit, CrawlScope, FetchOutcome, PageUrl, SitemapFile, SitemapUrl, Sitemaps,
        fetch::{Fetch, run_cpu_work},
        sitemap::{self, MAX_FILE_BYTES, Sitemap, SitemapKind},
    },
    document::fetch_document,
    limits::{MAX_SITEMAP_BYTES, MAX_SITEMAP_FILES, MAX_SITEMAP_URL_BYTES, MAX_SITEMAP_URLS},
};

/// The protocol does not allow an index inside an index, but sites have them.
const MAX_DEPTH: u8 = 3;

/// Reads these sitemaps and those that their indexes name, with a delay between two requests.
pub async fn collect_sitemaps(
    fetch: &dyn Fetch,
    scope: &CrawlScope,
    roots: Vec<PageUrl>,
    delay: Duration,
) -> Sitemaps {
    let mut collector = Collector::default();
    for root in roots {
        collector.add_file(root, 0);
    }
    while let Some((url, depth)) = collector.next_file() {
        if !delay.is_zero() {
            fetch.sleep(delay).await;
        }
        let (file, sitemap) = read(fetch, scope, &url).await;
        if let Some(sitemap) = sitemap {
            collector.add_entries(&file, sitemap, depth, scope);
        }
        collector.sitemaps.files.push(file);
    }
    collector.sitemaps
}

#[derive(Default)]
struct Collector {
    sitemaps: Sitemaps,
    queue: VecDeque<(PageUrl, u8)>,
    seen_files: HashSet<PageUrl>,
    seen_urls: HashSet<String>,
    file_bytes: usize,
    url_bytes: usize,
}

impl Collector {
    /// Adds a file to read, with its depth below the first index.
    fn add_file(&mut self, url: PageUrl, depth: u8) {
        if self.seen_files.contains(&url) {
            return;
        }
        if self.seen_files.len() >= MAX_SITEMAP_FILES {
            self.sitemaps.limits.insert(AuditLimit::SitemapFiles);
        } else if depth > MAX_DEPTH {
            self.sitemaps.limits.insert(AuditLimit::SitemapDepth);
        } else {
            self.seen_files.insert(url.clone());
            self.queue.push_back((url, depth));
        }
    }

    /// `None`: all files are read, or a limit is reached.
    fn next_file(&mut self) -> Option<(PageUrl, u8)> {
        let is_waiting = !self.queue.is_empty();
        if is_waiting && self.is_full() {
            self.sitemaps.limits.insert(AuditLimit::SitemapUrls);
            return None;
        }
        if is_waiting && self.file_bytes >= MAX_SITEMAP_BYTES {
            self.sitemaps.limits.insert(AuditLimit::SitemapBytes);
            return None;
        }
        self.queue.pop_front()
    }

    fn is_full(&self) -> bool {
        self.sitemaps.entries.len() >= MAX_SITEMAP_URLS || self.url_bytes >= MAX_SITEMAP_URL_BYTES
    }

    fn add_entries(&mut self, file: &SitemapFile, sitemap: Sitemap, depth: u8, scope: &CrawlScope) {
        self.file_bytes += sitemap.bytes;
        if sitemap.truncated {
            self.sitemaps.limits.insert(AuditLimit::SitemapFileBytes);
        }
        for entry in sitemap.entries {
            let Some(url) = PageUrl::parse(&entry.url) else { continue };
            if sitemap.kind == SitemapKind::Index {
                if scope.contains(&url) {
                    self.add_file(url, depth + 1);
                }
            } else if self.seen_urls.contains(&entry.url) {
                // Each URL counts once.
            } else if self.is_full() {
                self.sitemaps.limits.insert(AuditLimit::SitemapUrls);
                return;
            } else {
                self.url_bytes += entry.url.len();
                self.seen_urls.insert(entry.url.clone());
                self.sitemaps.entries.push(SitemapUrl {
                    url: url.to_string(),
                    written: entry.url,
                    last_modified: entry.last_modified,
                    sitemap: file.url.clone(),
                });
            }
        }
    }
}

async fn read(fetch: &dyn Fetch, scope: &CrawlScope, url: &PageUrl) -> (SitemapFile, Option<Sitemap>) {
    let mut file =
        SitemapFile { url: url.to_string(), outcome: FetchOutcome::default(), kind: None, problem: None };
    // One byte more shows that the file is longer.
    let response = match fetch_document(fetch, scope, url, MAX_FILE_BYTES + 1).await {
        Ok(response) => response,
        Err(error) => {
            file.problem = Some(error.to_string());
            file.outcome.error = Some(error);
            return (file, None);
        }
    };
    file.outcome.status = Some(response.status);
    if response.status != 200 {
        file.problem = Some(file.outcome.describe());
        return (file, None);
    }
    match run_cpu_work(fetch, move || sitemap::read(&response.body)).await {
        Some(Ok(mut sitemap)) => {
            file.kind = Some(sitemap.kind);
            file.problem = sitemap.broken.take();
            (file, Some(sitemap))
        }
        Some(Err(error)) => {
            file.problem = Some(error.to_string());
            (file, None)
        }
        None => {
            file.problem = Some("it could not be parsed".to_owned());
            (file, None)
        }
    }
}
