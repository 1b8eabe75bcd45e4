//! Visits a site: breadth first from the start page, then what its sitemaps name, politely and within limits.

mod courier;
mod known_files;
mod outside;
mod sitemaps;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::ControlFlow,
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::courier::{Courier, Done};
pub use self::sitemaps::collect_sitemaps;
use super::{Address, End, Frontier, Page, Scope, Site, fetch::Fetch, frontier::Visit};

/// RFC 9309 asks for five at least; browsers follow twenty.
const MOST_REDIRECTS: u8 = 10;
/// Links that lead elsewhere or too deep: more are not remembered.
const MOST_OTHERS: usize = 20_000;

/// What to crawl, and how far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    pub start: String,
    /// The hosts that may be visited: the brand's and its competitors'. The crawl stays on the one of `start`.
    pub hosts: Vec<String>,
    /// The name by which robots.txt may speak to this crawler.
    pub agent: String,
    /// Redirects do not count.
    pub max_pages: u32,
    /// Clicks from the start page. Null: any number.
    pub max_depth: Option<u32>,
    pub include_sitemap: bool,
    /// How many links to other sites, and to files, are tried at most.
    pub max_tried: u32,
    /// How many requests to one host may be under way at once.
    pub per_host: u32,
    /// The pause between two requests to one host. With one, or with a `Crawl-delay`, there is one request at a time.
    pub delay_ms: u32,
}

impl Plan {
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlanFault {
    #[error("the start is not an http or https address")]
    NotAnAddress,
    #[error("the start is not on a host that may be visited")]
    NotOurs,
}

/// How far a crawl has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    pub stage: Stage,
    pub visited: u32,
    /// Known and still to be visited; more may be found.
    pub waiting: u32,
    /// The address that was answered last.
    pub url: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Pages,
    OtherLinks,
}

/// Called after each answer. `Break` ends the crawl with what it has.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

pub async fn crawl(plan: &Plan, fetch: &dyn Fetch, watch: &mut Watch<'_>) -> Result<Site, PlanFault> {
    let start = Address::parse(&plan.start).ok_or(PlanFault::NotAnAddress)?;
    if !Scope::new(&plan.hosts).holds(&start) {
        return Err(PlanFault::NotOurs);
    }
    let mut crawl = Crawl::new(plan, fetch, &start);
    crawl.read_known_files(&start).await;
    crawl.visit_pages(watch).await;
    crawl.try_other_links(watch).await;
    Ok(crawl.site)
}

struct Crawl<'a> {
    plan: &'a Plan,
    fetch: &'a dyn Fetch,
    site: Site,
    frontier: Frontier,
    courier: Courier,
    /// Which of `site.robots` speaks for an origin.
    robots: HashMap<String, usize>,
    /// Links to other sites and to files, in the order in which they were found.
    others: Vec<Address>,
    other_seen: HashSet<String>,
    too_deep: BTreeSet<String>,
    answered: u32,
}

impl<'a> Crawl<'a> {
    fn new(plan: &'a Plan, fetch: &'a dyn Fetch, start: &Address) -> Self {
        let scope = Scope::new([start.as_str()]);
        let mut frontier = Frontier::default();
        frontier.add_linked(start.as_str(), 0, 0);
        Self {
            plan,
            fetch,
            site: Site::new(start.to_string(), scope),
            frontier,
            courier: Courier::new(plan.per_host, Duration::from_millis(plan.delay_ms.into())),
            robots: HashMap::new(),
            others: Vec::new(),
            other_seen: HashSet::new(),
            too_deep: BTreeSet::new(),
            answered: 0,
        }
    }

    async fn visit_pages(&mut self, watch: &mut Watch<'_>) {
        let mut under_way = FuturesUnordered::new();
        loop {
            while let Some((visit, address)) = self.next_visit(under_way.len()).await {
                under_way.push(self.courier.visit(self.fetch, visit, address));
            }
            let Some(done) = under_way.next().await else { break };
            let url = done.page.url.clone();
            self.take_in(done);
            if watch(&self.progress(Stage::Pages, url, self.frontier.waiting())).is_break() {
                self.site.end = End::Cancelled;
                return;
            }
        }
        // What lies too deep by links may have been named by a sitemap.
        let too_deep = self.too_deep.iter().filter(|url| !self.frontier.knows(url)).count();
        let left_out = self.frontier.waiting() + self.frontier.overflowed() + too_deep;
        self.site.left_out = u32::try_from(left_out).unwrap_or(u32::MAX);
        self.site.end = if self.site.pages.is_empty() && self.site.forbidden.contains(&self.site.start) {
            End::Forbidden
        } else if left_out == 0 {
            End::Complete
        } else {
            End::Limited
        };
    }

    /// The next page, if there is one that the limits, robots.txt and its host let be visited now.
    async fn next_visit(&mut self, under_way: usize) -> Option<(Visit, Address)> {
        loop {
            let room =
                usize::try_from(self.plan.max_pages.saturating_sub(self.answered)).unwrap_or(usize::MAX);
            // Endless redirects are not pages, so they are bounded by themselves.
            let visits = self.site.pages.len() + under_way;
            let most_visits = usize::try_from(self.plan.max_pages).unwrap_or(usize::MAX).saturating_mul(3);
            if under_way >= room || visits >= most_visits.saturating_add(50) {
                return None;
            }
            let courier = &self.courier;
            let visit = self.frontier.next(|url| courier.may_go(url))?;
            let address = Address::parse(&visit.url)?;
            if self.is_allowed(&address).await {
                return Some((visit, address));
            }
            self.site.forbidden.push(visit.url);
        }
    }

    fn take_in(&mut self, done: Done) {
        let Done { visit, address, page } = done;
        self.courier.returned(&address, &page);
        if courier::asks_to_wait(&page) && !visit.again {
            self.frontier.put_off(&visit);
            self.courier.put_off(visit.url);
            return;
        }
        match &page.redirect_to {
            Some(to) => self.found_redirect(&visit, &address, to),
            None => self.answered += 1,
        }
        self.found_links(&visit, &page);
        self.site.pages.push(page);
    }

    fn found_redirect(&mut self, visit: &Visit, from: &Address, to: &str) {
        let Some(to) = Address::parse(to) else { return };
        // A start page that has moved to another host of ours takes the site with it.
        let is_start = visit.depth == Some(0);
        if is_start && !self.site.scope.holds(&to) && Scope::new(&self.plan.hosts).holds(&to) {
            self.site.scope = Scope::new([from.as_str(), to.as_str()]);
        }
        if !self.site.scope.holds(&to) {
            self.found_other(to);
        } else if visit.redirects < MOST_REDIRECTS {
            match visit.depth {
                Some(depth) => self.frontier.add_linked(to.as_str(), depth, visit.redirects + 1),
                None => self.frontier.add_listed(to.as_str(), visit.redirects + 1),
            }
        }
    }

    fn found_links(&mut self, visit: &Visit, page: &Page) {
        // Canonicals and alternates first: whether they work is asked of each, so they must not fall to the limit.
        let named = page.canonical().into_iter().chain(page.alternates().filter_map(|a| a.url.as_deref()));
        for address in named.filter_map(Address::parse) {
            if self.site.scope.holds(&address) {
                self.frontier.add_listed(address.as_str(), 0);
            } else {
                self.found_other(address);
            }
        }
        let depth = visit.depth.map(|depth| depth + 1);
        for link in page.live().into_iter().flat_map(|html| &html.links) {
            // Most links of a page are on every page.
            if self.frontier.has_settled(&link.url, depth) || self.other_seen.contains(&link.url) {
                continue;
            }
            let Some(address) = Address::parse(&link.url) else { continue };
            if !self.site.scope.holds(&address) || address.looks_like_a_file() {
                self.found_other(address);
            } else if let Some(depth) = depth {
                if self.plan.max_depth.is_some_and(|max| depth > max) {
                    self.found_too_deep(&address);
                } else {
                    self.frontier.add_linked(address.as_str(), depth, 0);
                }
            } else {
                self.frontier.add_listed(address.as_str(), 0);
            }
        }
    }

    fn found_too_deep(&mut self, address: &Address) {
        if self.too_deep.len() < MOST_OTHERS {
            self.too_deep.insert(address.to_string());
        }
    }

    fn found_other(&mut self, address: Address) {
        if self.other_seen.len() < MOST_OTHERS && self.other_seen.insert(address.to_string()) {
            self.others.push(address);
        }
    }

    fn progress(&self, stage: Stage, url: String, waiting: usize) -> Progress {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Progress { stage, visited: count(self.site.pages.len()), waiting: count(waiting), url }
    }
}
