//! The links and redirects between the pages of a site.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use super::{FetchOutcome, Page, PageUrl, RobotsFile, Site, SitemapUrl, page::Html};

/// The part of a site's structure that evidence shows is bounded.
const MAX_REFERRERS: usize = 50;

#[derive(Debug)]
pub(super) struct SiteGraph<'a> {
    pub(super) site: &'a Site,
    pages: HashMap<&'a str, &'a Page>,
    /// Only of URLs that were requested. A large site links to many more.
    linking_pages: HashMap<&'a str, Vec<&'a str>>,
    /// What leads to a URL without a link: redirects, canonicals, translations and sitemaps.
    other_referrers: HashMap<&'a str, Vec<&'a str>>,
    depths: HashMap<&'a str, u32>,
    sitemap_urls: Vec<&'a SitemapUrl>,
}

/// The redirects from a URL to its destination.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RedirectPath<'a> {
    pub(super) redirects: Vec<&'a Page>,
    pub(super) end: Destination<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Destination<'a> {
    Page(&'a Page),
    /// It got only a HEAD request.
    Tried(&'a FetchOutcome),
    Loop,
    NotVisited,
}

impl<'a> SiteGraph<'a> {
    pub(super) fn new(site: &'a Site) -> Self {
        let pages: HashMap<&str, &Page> = site.pages.iter().map(|page| (page.url.as_str(), page)).collect();
        let mut linking_pages: HashMap<&str, Vec<&str>> = HashMap::new();
        let was_requested = |url: &str| pages.contains_key(url) || site.tried.contains_key(url);
        for page in &site.pages {
            let targets = page.live().into_iter().flat_map(link_targets);
            let targets: HashSet<&str> =
                targets.filter(|target| *target != page.url && was_requested(target)).collect();
            for target in targets {
                linking_pages.entry(target).or_default().push(&page.url);
            }
        }
        let mut graph = Self {
            site,
            pages,
            linking_pages,
            other_referrers: other_referrers(site),
            depths: HashMap::new(),
            sitemap_urls: Vec::new(),
        };
        graph.compute_depths();
        let mut seen = HashSet::new();
        let entries = site.sitemaps.iter().flat_map(|sitemaps| &sitemaps.entries);
        graph.sitemap_urls =
            entries.filter(|entry| graph.is_own(&entry.url) && seen.insert(entry.url.as_str())).collect();
        graph
    }

    /// Breadth first over links. A redirect does not count as a click.
    fn compute_depths(&mut self) {
        let mut queue = VecDeque::from([(self.site.start.as_str(), 0)]);
        while let Some((url, depth)) = queue.pop_front() {
            if self.depths.contains_key(url) {
                continue;
            }
            self.depths.insert(url, depth);
            let Some(page) = self.pages.get(url).copied() else { continue };
            if let Some(to) = &page.redirect_to {
                queue.push_front((to, depth));
            }
            for target in page.live().iter().flat_map(|html| link_targets(html)) {
                if !self.depths.contains_key(target) && self.pages.contains_key(target) {
                    queue.push_back((target, depth + 1));
                }
            }
        }
    }

    pub(super) fn page(&self, url: &str) -> Option<&'a Page> {
        self.pages.get(url).copied()
    }

    /// The URLs with a known outcome.
    pub(super) fn requested_urls(&self) -> impl Iterator<Item = &'a str> {
        let pages = self.site.pages.iter().map(|page| page.url.as_str());
        pages.chain(self.site.tried.keys().map(String::as_str))
    }

    /// HTML pages with a successful response.
    pub(super) fn live_pages(&self) -> impl Iterator<Item = (&'a Page, &'a Html)> {
        self.site.pages.iter().filter_map(|page| Some((page, page.live()?)))
    }

    /// The pages that search engines may show.
    pub(super) fn indexable_pages(&self) -> impl Iterator<Item = (&'a Page, &'a Html)> {
        self.live_pages().filter(|(page, _)| page.is_indexable())
    }

    /// Other pages with a link to this URL, in the order of the visits. Empty if the URL was not requested.
    pub(super) fn linking_pages(&self, url: &str) -> &[&'a str] {
        self.linking_pages.get(url).map_or(&[], Vec::as_slice)
    }

    /// Everything that leads to this URL: pages with a link first, then redirects with the pages that link to them, pages
    /// with this canonical or translation, and sitemaps.
    pub(super) fn referrers(&self, url: &str) -> Vec<&'a str> {
        let others = self.other_referrers.get(url).map_or(&[][..], Vec::as_slice);
        let redirects = others
            .iter()
            .copied()
            .filter(|other| self.page(other).is_some_and(|page| page.redirect_to.as_deref() == Some(url)));
        let through_redirects = redirects.flat_map(|redirect| self.linking_pages(redirect).iter().copied());
        let all = self.linking_pages(url).iter().chain(others).copied().chain(through_redirects);
        let mut seen = HashSet::new();
        all.filter(|referrer| seen.insert(*referrer)).take(MAX_REFERRERS).collect()
    }

    /// The root of the site's host. Issues of the whole site have this URL, whichever page an audit starts with.
    pub(super) fn site_root(&self) -> String {
        let start = match self.follow(&self.site.start).end {
            Destination::Page(page) => &page.url,
            _ => &self.site.start,
        };
        PageUrl::parse(start).map_or_else(|| start.clone(), |start| format!("{}/", start.origin()))
    }

    /// Clicks from the start page. `None`: it cannot be reached by links.
    pub(super) fn depth(&self, url: &str) -> Option<u32> {
        self.depths.get(url).copied()
    }

    pub(super) fn is_own(&self, url: &str) -> bool {
        self.pages.contains_key(url) || self.site.scope.contains_str(url)
    }

    /// What is known about a URL, without following redirects.
    pub(super) fn destination(&self, url: &str) -> Destination<'a> {
        let tried = || self.site.tried.get(url).map_or(Destination::NotVisited, Destination::Tried);
        self.page(url).map_or_else(tried, Destination::Page)
    }

    pub(super) fn follow(&self, url: &str) -> RedirectPath<'a> {
        let mut redirects: Vec<&Page> = Vec::new();
        let mut url = url.to_owned();
        let end = loop {
            if redirects.iter().any(|redirect| redirect.url == url) {
                break Destination::Loop;
            }
            match self.destination(&url) {
                Destination::Page(page) if let Some(to) = &page.redirect_to => {
                    redirects.push(page);
                    url.clone_from(to);
                }
                destination => break destination,
            }
        };
        RedirectPath { redirects, end }
    }

    pub(super) fn start_robots(&self) -> Option<&'a RobotsFile> {
        self.robots_for(&self.site.start)
    }

    pub(super) fn robots_for(&self, url: &str) -> Option<&'a RobotsFile> {
        let origin = PageUrl::parse(url)?.origin();
        self.site.robots.iter().find(|file| file.url.strip_suffix("/robots.txt") == Some(origin.as_str()))
    }

    /// The URLs of this site in its sitemaps.
    pub(super) fn sitemap_urls(&self) -> impl Iterator<Item = &'a SitemapUrl> {
        self.sitemap_urls.iter().copied()
    }
}

fn other_referrers(site: &Site) -> HashMap<&str, Vec<&str>> {
    let mut referrers: HashMap<&str, Vec<&str>> = HashMap::new();
    for page in &site.pages {
        let translations = page.alternates().filter_map(|alternate| alternate.url.as_deref());
        let targets: BTreeSet<&str> =
            page.redirect_to.as_deref().into_iter().chain(page.canonical()).chain(translations).collect();
        for target in targets.into_iter().filter(|target| *target != page.url) {
            referrers.entry(target).or_default().push(&page.url);
        }
    }
    for entry in site.sitemaps.iter().flat_map(|sitemaps| &sitemaps.entries) {
        referrers.entry(&entry.url).or_default().push(&entry.sitemap);
    }
    referrers
}

fn link_targets(html: &Html) -> impl Iterator<Item = &str> {
    html.links.iter().map(|link| link.url.as_str())
}

impl Destination<'_> {
    /// Why a visitor does not get a page there. `None`: the page works, or it is not known.
    pub(super) fn failure(&self) -> Option<String> {
        match self {
            Self::Page(page) if page.is_broken() => Some(page.outcome().describe()),
            Self::Tried(outcome) if outcome.is_gone() => Some(outcome.describe()),
            Self::Loop => Some("its redirects form a loop".to_owned()),
            _ => None,
        }
    }
}
