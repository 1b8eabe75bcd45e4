//! Crawls a site: breadth first from the start page, then the URLs of its sitemaps, within the limits of the plan.

mod document;
mod frontier;
mod host_throttle;
mod limits;
mod link_checks;
mod page_memory;
mod sitemaps;
mod url_set;
mod well_known;

use std::{
    collections::{BTreeSet, HashMap},
    ops::ControlFlow,
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::sitemaps::collect_sitemaps;
use self::{
    frontier::{Frontier, Visit},
    host_throttle::{HostThrottle, Visited},
    page_memory::PageMemory,
    url_set::UrlSet,
};
use super::{AuditLimit, CrawlScope, Page, PageUrl, Site, StopReason, fetch::Fetch};

/// RFC 9309 requires at least five. Browsers follow twenty.
const MAX_REDIRECTS: u8 = 10;

/// What to crawl, and the limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CrawlPlan {
    pub start: String,
    /// The hosts that may be visited. The crawl stays on the host of `start`, unless it redirects to another of these.
    pub hosts: Vec<String>,
    /// The name of this crawler in robots.txt.
    pub agent: String,
    /// Redirects do not count.
    pub max_pages: u32,
    /// Clicks from the start page. Null: any number.
    pub max_depth: Option<u32>,
    pub include_sitemap: bool,
    /// How many links to other sites, links to files and images get a HEAD request.
    pub max_tried: u32,
    /// The maximum number of concurrent requests to one host, and of pages that are read at the same time.
    pub per_host: u32,
    /// The delay between two requests to one host. With a delay, or with a `Crawl-delay`, requests are sequential.
    pub delay_ms: u32,
}

impl CrawlPlan {
    pub fn new(start: &str) -> Self {
        Self {
            start: start.to_owned(),
            hosts: vec![start.to_owned()],
            agent: "svc-mcp".to_owned(),
            max_pages: 100,
            max_depth: None,
            include_sitemap: true,
            max_tried: 200,
            per_host: 4,
            delay_ms: 0,
        }
    }

    /// Whether both plans have the same settings and start at the same address. The scheme, `www.`, and a slash at the
    /// end make no difference.
    pub fn is_same_crawl(&self, other: &Self) -> bool {
        let address = |plan: &Self| {
            let start = PageUrl::parse(&plan.start)?;
            let (path, query) = (start.path().trim_end_matches('/'), start.as_str().split_once('?'));
            let query = query.map(|(_, query)| query);
            Some((CrawlScope::new([&plan.start]), path.to_owned(), query.map(str::to_owned)))
        };
        let settings = |plan: &Self| Self { start: String::new(), ..plan.clone() };
        address(self) == address(other) && settings(self) == settings(other)
    }

    /// Whether two full audits with these plans look for the same pages. Limits that were not reached do not matter.
    pub fn covers_the_same(&self, other: &Self) -> bool {
        let without_limits = |plan: &Self| Self { max_pages: 0, max_depth: None, ..plan.clone() };
        without_limits(self).is_same_crawl(&without_limits(other))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CrawlPlanError {
    #[error("the start is not an http or https URL")]
    InvalidStart,
    #[error("the host of the start may not be visited")]
    StartOutsideHosts,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    pub stage: Stage,
    pub visited: u32,
    /// URLs that were found and not visited yet. More may be found.
    pub waiting: u32,
    /// The URL of the last response.
    pub url: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Pages,
    OtherLinks,
}

/// Called after each response. `Break` ends the crawl with the pages read so far.
pub type CrawlObserver<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

pub async fn crawl(
    plan: &CrawlPlan,
    fetch: &dyn Fetch,
    observer: &mut CrawlObserver<'_>,
) -> Result<Site, CrawlPlanError> {
    crawl_until(std::future::pending(), plan, fetch, observer).await
}

/// Ends the crawl with the pages read so far when `deadline` is ready, also while it reads robots.txt or sitemaps.
pub async fn crawl_until(
    deadline: impl Future<Output = ()> + Send,
    plan: &CrawlPlan,
    fetch: &dyn Fetch,
    observer: &mut CrawlObserver<'_>,
) -> Result<Site, CrawlPlanError> {
    let start = PageUrl::parse(&plan.start).ok_or(CrawlPlanError::InvalidStart)?;
    if !CrawlScope::new(&plan.hosts).contains(&start) {
        return Err(CrawlPlanError::StartOutsideHosts);
    }
    let mut crawl = Crawl::new(plan, fetch, &start);
    let work = async {
        crawl.read_well_known_files(&start).await;
        crawl.visit_pages(observer).await;
        crawl.check_other_links(observer).await;
    };
    let timed_out = tokio::select! {
        () = work => false,
        () = deadline => true,
    };
    if timed_out {
        crawl.stop(StopReason::TimedOut);
    }
    Ok(crawl.site)
}

struct Crawl<'a> {
    plan: &'a CrawlPlan,
    fetch: &'a dyn Fetch,
    site: Site,
    frontier: Frontier,
    host_throttle: HostThrottle,
    /// The index in `site.robots` by origin.
    robots: HashMap<String, usize>,
    page_memory: PageMemory,
    /// Links to other sites and to files that get a HEAD request, in the order of discovery.
    others: Vec<PageUrl>,
    /// Images of this site that get a HEAD request.
    images: BTreeSet<String>,
    other_seen: UrlSet,
    too_deep: UrlSet,
    responses: u32,
}

impl<'a> Crawl<'a> {
    fn new(plan: &'a CrawlPlan, fetch: &'a dyn Fetch, start: &PageUrl) -> Self {
        let scope = CrawlScope::new([start.as_str()]);
        let mut frontier = Frontier::default();
        frontier.add_linked(start.as_str(), 0, 0);
        Self {
            plan,
            fetch,
            site: Site::new(start.to_string(), scope),
            frontier,
            host_throttle: HostThrottle::new(plan.per_host, Duration::from_millis(plan.delay_ms.into())),
            robots: HashMap::new(),
            page_memory: PageMemory::default(),
            others: Vec::new(),
            images: BTreeSet::new(),
            other_seen: UrlSet::default(),
            too_deep: UrlSet::default(),
            responses: 0,
        }
    }

    async fn visit_pages(&mut self, observer: &mut CrawlObserver<'_>) {
        let max_text_bytes = limits::max_text_bytes(self.plan.max_pages);
        let mut in_flight = FuturesUnordered::new();
        loop {
            while let Some((visit, url)) = self.next_visit(in_flight.len()).await {
                in_flight.push(self.host_throttle.visit(self.fetch, visit, url, max_text_bytes));
            }
            let Some(visited) = in_flight.next().await else { break };
            let url = visited.page.url.clone();
            self.record(visited);
            if observer(&self.progress(Stage::Pages, url, self.frontier.waiting())).is_break() {
                self.stop(StopReason::Cancelled);
                return;
            }
        }
        if self.frontier.overflowed() > 0 || self.too_deep.is_full() {
            self.site.limits.insert(AuditLimit::KnownUrls);
        }
        self.site.left_out = self.count_left_out();
        self.site.end = if self.site.pages.is_empty() && self.site.forbidden.contains(&self.site.start) {
            StopReason::Forbidden
        } else if self.site.left_out == 0 {
            StopReason::Complete
        } else {
            StopReason::Limited
        };
    }

    /// Ends the crawl early.
    fn stop(&mut self, reason: StopReason) {
        self.site.left_out = self.count_left_out();
        self.site.end = reason;
    }

    fn count_left_out(&self) -> u32 {
        // A page that is too deep by links may be in a sitemap.
        let too_deep = self.too_deep.iter().filter(|url| !self.frontier.contains(url)).count();
        let left_out = self.frontier.waiting() + self.frontier.overflowed() + too_deep;
        u32::try_from(left_out).unwrap_or(u32::MAX)
    }

    /// The next page that the limits, robots.txt and the host's throttle allow now.
    async fn next_visit(&mut self, in_flight: usize) -> Option<(Visit, PageUrl)> {
        loop {
            let pages_left =
                usize::try_from(self.plan.max_pages.saturating_sub(self.responses)).unwrap_or(usize::MAX);
            // Redirects do not count as pages, so the visits have their own limit.
            let visits = self.site.pages.len() + in_flight;
            let max_visits = usize::try_from(self.plan.max_pages).unwrap_or(usize::MAX).saturating_mul(3);
            let max_in_flight = usize::try_from(self.plan.per_host.max(1)).unwrap_or(usize::MAX);
            if in_flight >= pages_left.min(max_in_flight) || visits >= max_visits.saturating_add(50) {
                return None;
            }
            if self.page_memory.is_full() && self.frontier.waiting() > 0 {
                self.site.limits.insert(AuditLimit::HeldBytes);
                return None;
            }
            let host_throttle = &self.host_throttle;
            let visit = self.frontier.next(|url| host_throttle.may_request(url))?;
            let url = PageUrl::parse(&visit.url)?;
            if self.is_allowed(&url).await {
                return Some((visit, url));
            }
            self.site.forbidden.push(visit.url);
        }
    }

    fn record(&mut self, visited: Visited) {
        let Visited { visit, url, mut page, is_truncated } = visited;
        self.host_throttle.record_response(&url, &page);
        if host_throttle::is_overloaded(&page) && !visit.is_retry {
            self.frontier.requeue(&visit);
            return;
        }
        match &page.redirect_to {
            Some(to) => self.add_redirect(&visit, &url, to),
            None => self.responses += 1,
        }
        if is_truncated {
            self.site.limits.insert(AuditLimit::PageBytes);
        }
        if page.html.as_ref().is_some_and(|html| html.truncated) {
            self.site.limits.insert(AuditLimit::PageItems);
        }
        self.page_memory.add(&mut page);
        self.add_links(&visit, &page);
        self.add_images(&page);
        self.site.pages.push(page);
    }

    fn add_redirect(&mut self, visit: &Visit, from: &PageUrl, to: &str) {
        let Some(to) = PageUrl::parse(to) else { return };
        // If the start page moved to another allowed host, the site is there now.
        let is_start = visit.depth == Some(0);
        if is_start && !self.site.scope.contains(&to) && CrawlScope::new(&self.plan.hosts).contains(&to) {
            self.site.scope = CrawlScope::new([from.as_str(), to.as_str()]);
        }
        if !self.site.scope.contains(&to) {
            self.add_other(to);
        } else if visit.redirects < MAX_REDIRECTS {
            match visit.depth {
                Some(depth) => self.frontier.add_linked(to.as_str(), depth, visit.redirects + 1),
                None => self.frontier.add_listed(to.as_str(), visit.redirects + 1),
            }
        }
    }

    fn add_links(&mut self, visit: &Visit, page: &Page) {
        // Canonicals and alternates come first: the checks need all of them, so the limit must not drop them.
        let references =
            page.canonical().into_iter().chain(page.alternates().filter_map(|a| a.url.as_deref()));
        for url in references.filter_map(PageUrl::parse) {
            if self.site.scope.contains(&url) {
                self.frontier.add_listed(url.as_str(), 0);
            } else {
                self.add_other(url);
            }
        }
        let depth = visit.depth.map(|depth| depth + 1);
        for link in page.live().into_iter().flat_map(|html| &html.links) {
            // Most links are repeated on every page.
            if self.frontier.is_settled(&link.url, depth) || self.other_seen.contains(&link.url) {
                continue;
            }
            let Some(url) = PageUrl::parse(&link.url) else { continue };
            if !self.site.scope.contains(&url) || url.looks_like_file() {
                self.add_other(url);
            } else if let Some(depth) = depth {
                if self.plan.max_depth.is_some_and(|max| depth > max) {
                    self.too_deep.insert(url.as_str());
                } else {
                    self.frontier.add_linked(url.as_str(), depth, 0);
                }
            } else {
                self.frontier.add_listed(url.as_str(), 0);
            }
        }
    }

    fn add_other(&mut self, url: PageUrl) {
        if self.other_seen.insert(url.as_str()) && self.others.len() < self.max_tried() {
            self.others.push(url);
        }
    }

    fn add_images(&mut self, page: &Page) {
        let images = page.live().into_iter().flat_map(|html| &html.images);
        for url in images.filter_map(|image| image.url.as_deref()) {
            // Most images are repeated on every page.
            let is_known = self.images.contains(url) || self.other_seen.contains(url);
            if !is_known && self.images.len() < self.max_tried() && self.site.scope.contains_str(url) {
                self.images.insert(url.to_owned());
            }
        }
    }

    fn max_tried(&self) -> usize {
        usize::try_from(self.plan.max_tried).unwrap_or(usize::MAX)
    }

    fn progress(&self, stage: Stage, url: String, waiting: usize) -> Progress {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Progress { stage, visited: count(self.site.pages.len()), waiting: count(waiting), url }
    }
}
