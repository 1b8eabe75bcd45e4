//! A site with its ways: who links to whom, where redirects end, how many clicks away a page is.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{Address, Answer, Listed, Page, RobotsFile, Site, page::Html};

/// A site, ready to be asked about.
#[derive(Debug)]
pub(super) struct Survey<'a> {
    pub(super) site: &'a Site,
    pages: HashMap<&'a str, &'a Page>,
    linkers: HashMap<&'a str, Vec<&'a str>>,
    depths: HashMap<&'a str, u32>,
    listed: Vec<&'a Listed>,
}

/// Where an address leads, redirects followed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Journey<'a> {
    /// The redirects on the way.
    pub(super) hops: Vec<&'a Page>,
    pub(super) end: Arrival<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Arrival<'a> {
    At(&'a Page),
    /// It was tried, not read.
    Tried(&'a Answer),
    Loop,
    /// It was not visited.
    Unknown,
}

impl<'a> Survey<'a> {
    pub(super) fn new(site: &'a Site) -> Self {
        let pages: HashMap<&str, &Page> = site.pages.iter().map(|page| (page.url.as_str(), page)).collect();
        let mut linkers: HashMap<&str, Vec<&str>> = HashMap::new();
        for page in &site.pages {
            let targets: HashSet<&str> = page.live().iter().flat_map(|html| links_of(html)).collect();
            for target in targets.into_iter().filter(|target| *target != page.url) {
                linkers.entry(target).or_default().push(&page.url);
            }
        }
        let mut survey = Self { site, pages, linkers, depths: HashMap::new(), listed: Vec::new() };
        survey.measure();
        let mut seen = HashSet::new();
        let entries = site.sitemaps.iter().flat_map(|sitemaps| &sitemaps.entries);
        survey.listed =
            entries.filter(|listed| survey.is_own(&listed.url) && seen.insert(listed.url.as_str())).collect();
        survey
    }

    /// Breadth first over links; a redirect is no click.
    fn measure(&mut self) {
        let mut waiting = VecDeque::from([(self.site.start.as_str(), 0)]);
        while let Some((url, depth)) = waiting.pop_front() {
            if self.depths.contains_key(url) {
                continue;
            }
            self.depths.insert(url, depth);
            let Some(page) = self.pages.get(url).copied() else { continue };
            if let Some(to) = &page.redirect_to {
                waiting.push_front((to, depth));
            }
            for target in page.live().iter().flat_map(|html| links_of(html)) {
                if !self.depths.contains_key(target) && self.pages.contains_key(target) {
                    waiting.push_back((target, depth + 1));
                }
            }
        }
    }

    pub(super) fn page(&self, url: &str) -> Option<&'a Page> {
        self.pages.get(url).copied()
    }

    /// HTML pages that answered, with what they say.
    pub(super) fn live_pages(&self) -> impl Iterator<Item = (&'a Page, &'a Html)> {
        self.site.pages.iter().filter_map(|page| Some((page, page.live()?)))
    }

    /// The pages that search engines may show.
    pub(super) fn indexable_pages(&self) -> impl Iterator<Item = (&'a Page, &'a Html)> {
        self.live_pages().filter(|(page, _)| page.is_indexable())
    }

    /// Other pages with a link to this address, in the order of the visits.
    pub(super) fn linkers(&self, url: &str) -> &[&'a str] {
        self.linkers.get(url).map_or(&[], Vec::as_slice)
    }

    /// Clicks from the start page. `None`: no chain of links leads there.
    pub(super) fn depth(&self, url: &str) -> Option<u32> {
        self.depths.get(url).copied()
    }

    pub(super) fn is_own(&self, url: &str) -> bool {
        self.pages.contains_key(url) || self.site.scope.holds_text(url)
    }

    pub(super) fn follow(&self, url: &str) -> Journey<'a> {
        let mut hops: Vec<&Page> = Vec::new();
        let mut url = url.to_owned();
        let end = loop {
            if hops.iter().any(|hop| hop.url == url) {
                break Arrival::Loop;
            }
            let Some(page) = self.page(&url) else {
                break self.site.tried.get(&url).map_or(Arrival::Unknown, Arrival::Tried);
            };
            let Some(to) = &page.redirect_to else { break Arrival::At(page) };
            hops.push(page);
            url.clone_from(to);
        };
        Journey { hops, end }
    }

    pub(super) fn start_robots(&self) -> Option<&'a RobotsFile> {
        self.robots_of(&self.site.start)
    }

    pub(super) fn robots_of(&self, url: &str) -> Option<&'a RobotsFile> {
        let origin = Address::parse(url)?.origin();
        self.site.robots.iter().find(|file| file.url.strip_suffix("/robots.txt") == Some(origin.as_str()))
    }

    /// The addresses that a sitemap names and that belong to the site.
    pub(super) fn listed(&self) -> impl Iterator<Item = &'a Listed> {
        self.listed.iter().copied()
    }
}

fn links_of(html: &Html) -> impl Iterator<Item = &str> {
    html.links.iter().map(|link| link.url.as_str())
}

impl Arrival<'_> {
    /// Why a visitor finds nothing there. `None`: they find something, or it is not known.
    pub(super) fn trouble(&self) -> Option<String> {
        match self {
            Self::At(page) if page.is_broken() => {
                Some(Answer { status: page.status, fault: page.fault.clone() }.told())
            }
            Self::Tried(answer) if answer.is_gone() => Some(answer.told()),
            Self::Loop => Some("its redirects lead in a circle".to_owned()),
            _ => None,
        }
    }
}
