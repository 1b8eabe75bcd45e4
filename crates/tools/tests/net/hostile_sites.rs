//! Sites that try to use up the memory or the time of a crawl. It ends, and says what it left out.

use std::{
    collections::BTreeSet,
    io::Write,
    ops::ControlFlow,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    time::Duration,
};

use flate2::{Compression, write::GzEncoder};
use svc_mcp_tools::audit::{
    AuditLimit, CrawlPlan, CrawlScope, OutboundFetch, Site, StopReason, Summary, crawl, examine,
    fetch::{CpuWork, Fetch, FetchError, FetchRequest, FetchResponse},
};

use crate::{
    outbound_fetch::cpu,
    servers::{Server, answer, path},
};

const MIB: usize = 1024 * 1024;

/// Counts the bytes of all bodies, and how many requests are open at the same time.
struct CountingFetch {
    fetch: OutboundFetch,
    bytes: AtomicUsize,
    open: AtomicUsize,
    max_open: AtomicUsize,
}

#[async_trait::async_trait]
impl Fetch for CountingFetch {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        self.max_open.fetch_max(self.open.fetch_add(1, SeqCst) + 1, SeqCst);
        let response = self.fetch.fetch(request).await;
        self.open.fetch_sub(1, SeqCst);
        self.bytes.fetch_add(response.as_ref().map_or(0, |response| response.body.len()), SeqCst);
        response
    }

    async fn sleep(&self, duration: Duration) {
        self.fetch.sleep(duration).await;
    }

    async fn run_cpu_work(&self, work: CpuWork) {
        self.fetch.run_cpu_work(work).await;
    }
}

async fn crawl_all(server: &Server) -> (Site, CountingFetch) {
    let fetch = OutboundFetch::new(server.outbound(), CrawlScope::new([server.authority()]), cpu())
        .with_timeout(Duration::from_mins(5));
    let count = AtomicUsize::default;
    let fetch = CountingFetch { fetch, bytes: count(), open: count(), max_open: count() };
    let plan = CrawlPlan { max_pages: 1_000, ..CrawlPlan::new(server.url("/").as_str()) };
    let site = crawl(&plan, &fetch, &mut |_| ControlFlow::Continue(())).await.unwrap();
    (site, fetch)
}

fn limits(site: &Site) -> BTreeSet<AuditLimit> {
    Summary::of(site, &examine(site)).limits
}

fn html(body: &str) -> Vec<u8> {
    answer("200 OK", &[("Content-Type", "text/html")], body.as_bytes())
}

/// 64 MiB of empty lines after one URL.
fn bomb(url: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(url.as_bytes()).unwrap();
    let lines = vec![b'\n'; MIB];
    (0..64).for_each(|_| encoder.write_all(&lines).unwrap());
    encoder.finish().unwrap()
}

#[tokio::test]
async fn compressed_sitemap_is_cut_at_the_limit() {
    let server = Server::answering(|request| {
        let host = request
            .split("\r\n")
            .find_map(|line| line.to_lowercase().strip_prefix("host: ").map(str::to_owned));
        let host = host.unwrap_or_default();
        match path(request) {
            "/robots.txt" => {
                let files: Vec<String> = (0..5).map(|n| format!("Sitemap: http://{host}/{n}.gz\n")).collect();
                answer("200 OK", &[], files.concat().as_bytes())
            }
            "/" | "/listed" => html("<title>Page</title>"),
            // As a file, and as the encoding of a response.
            "/4.gz" => {
                answer("200 OK", &[("Content-Encoding", "gzip")], &bomb(&format!("http://{host}/listed")))
            }
            path if path.contains(".gz") => answer("200 OK", &[], &bomb(&format!("http://{host}/listed"))),
            _ => answer("404 Not Found", &[], b""),
        }
    })
    .await;
    let (site, fetch) = crawl_all(&server).await;
    assert_eq!((site.pages.len(), site.end), (2, StopReason::Complete));
    assert_eq!(limits(&site), [AuditLimit::SitemapFileBytes].into());
    let sitemaps = site.sitemaps.unwrap();
    assert_eq!((sitemaps.files.len(), sitemaps.entries.len()), (5, 1));
    assert!(
        sitemaps.files.iter().all(|file| file.problem.as_deref() == Some("only its first 4 MiB were read"))
    );
    assert!(fetch.bytes.load(SeqCst) < 6 * MIB);
}

#[tokio::test]
async fn index_of_ten_thousand_sitemaps_is_read_in_part() {
    let server = Server::answering(|request| {
        let host = request
            .split("\r\n")
            .find_map(|line| line.to_lowercase().strip_prefix("host: ").map(str::to_owned));
        let host = host.unwrap_or_default();
        match path(request) {
            "/sitemap.xml" => {
                let file = |n| format!("<sitemap><loc>http://{host}/maps/{n}.xml</loc></sitemap>");
                let index = format!(
                    "<sitemapindex>{}</sitemapindex>",
                    (0..10_000).map(file).collect::<Vec<_>>().concat()
                );
                answer("200 OK", &[], index.as_bytes())
            }
            path if path.starts_with("/maps/") => {
                let url = |n: u32| {
                    format!("http://{host}/{}/{n}\n", path.trim_matches(|c: char| !c.is_ascii_digit()))
                };
                answer("200 OK", &[], (0..1_000).map(url).collect::<Vec<_>>().concat().as_bytes())
            }
            "/" => html("<title>Page</title>"),
            _ => answer("404 Not Found", &[], b""),
        }
    })
    .await;
    let (site, _) = crawl_all(&server).await;
    assert_eq!(site.end, StopReason::Limited);
    assert_eq!(limits(&site), [AuditLimit::SitemapFiles, AuditLimit::SitemapUrls].into());
    let sitemaps = site.sitemaps.as_ref().unwrap();
    assert_eq!(sitemaps.entries.len(), 10_000);
    let read = server.requests().iter().filter(|request| path(request).starts_with("/maps/")).count();
    assert!((10..50).contains(&read), "{read}");
    // All listed URLs but those that were visited.
    assert_eq!(site.left_out, 10_001 - 1_000);
}

#[tokio::test]
async fn endless_pages_end_at_the_limit_of_memory() {
    let server = Server::answering(|request| {
        let path = path(request);
        if path == "/robots.txt" || path.contains("sitemap") || path == "/llms.txt" {
            return answer("404 Not Found", &[], b"");
        }
        // Each page has its own links, each with a URL of nearly the maximum length.
        let number = path.split('/').nth(1).and_then(|number| number.parse::<u64>().ok()).unwrap_or_default();
        let long = "x".repeat(1_500);
        let link = |n: u64| format!("<a href=/{}/{long}>{n}</a>", number.wrapping_mul(180).wrapping_add(n));
        html(&(1..=180).map(link).collect::<Vec<_>>().concat())
    })
    .await;
    let (site, fetch) = crawl_all(&server).await;
    assert_eq!(site.end, StopReason::Limited);
    let expected = [AuditLimit::KnownUrls, AuditLimit::PageItems, AuditLimit::HeldBytes];
    assert_eq!(limits(&site), expected.into());
    assert!((50..300).contains(&site.pages.len()), "{}", site.pages.len());
    let held: usize = site.pages.iter().map(|page| serde_json::to_string(page).unwrap().len()).sum();
    assert!(held < 20 * MIB, "{held}");
    assert!(fetch.bytes.load(SeqCst) < 100 * MIB);
    assert!(fetch.max_open.load(SeqCst) <= 4);
}
