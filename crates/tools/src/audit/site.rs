//! Everything that one crawl found. The checks read it.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AuditLimit, CrawlScope, FetchOutcome, Page, robots::Robots, sitemap::SitemapKind};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Site {
    pub start: String,
    pub scope: CrawlScope,
    /// Every visited URL once, in the order of the responses, including redirects.
    pub pages: Vec<Page>,
    /// One for each visited origin.
    pub robots: Vec<RobotsFile>,
    /// Null: they were not requested.
    pub sitemaps: Option<Sitemaps>,
    pub llms: Option<LlmsFile>,
    /// Links that got only a HEAD request: links to other sites, and to files of this one.
    pub tried: BTreeMap<String, FetchOutcome>,
    /// URLs that robots.txt forbids for this crawler.
    pub forbidden: Vec<String>,
    /// URLs that were not visited because of the limits on pages and depth.
    pub left_out: u32,
    /// Other limits that were reached. Those of the sitemaps are in `sitemaps`.
    pub limits: BTreeSet<AuditLimit>,
    pub end: StopReason,
}

/// Why a crawl ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Every URL that was found was visited.
    Complete,
    /// A limit was reached.
    Limited,
    /// robots.txt forbids the start page.
    Forbidden,
    /// The time limit was reached. The audit covers the pages read until then.
    TimedOut,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RobotsFile {
    pub url: String,
    #[serde(flatten)]
    pub outcome: FetchOutcome,
    pub robots: Robots,
}

impl RobotsFile {
    /// Crawlers treat a robots.txt that fails as one that forbids everything.
    pub fn is_unavailable(&self) -> bool {
        self.outcome.status.is_none_or(|status| status >= 500 || status == 429)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Sitemaps {
    pub files: Vec<SitemapFile>,
    /// Each URL once.
    pub entries: Vec<SitemapUrl>,
    /// The limits that left out files or entries.
    pub limits: BTreeSet<AuditLimit>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SitemapFile {
    pub url: String,
    #[serde(flatten)]
    pub outcome: FetchOutcome,
    /// Null: it is not a sitemap.
    pub kind: Option<SitemapKind>,
    /// What is wrong with the file.
    pub problem: Option<String>,
}

/// A URL in a sitemap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SitemapUrl {
    /// Normalized.
    pub url: String,
    /// As written in the sitemap.
    pub written: String,
    pub last_modified: Option<String>,
    pub sitemap: String,
}

/// `/llms.txt`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LlmsFile {
    pub url: String,
    pub content_type: Option<String>,
    /// The beginning of the file.
    pub text: String,
}

impl Site {
    pub fn new(start: String, scope: CrawlScope) -> Self {
        Self {
            start,
            scope,
            pages: Vec::new(),
            robots: Vec::new(),
            sitemaps: None,
            llms: None,
            tried: BTreeMap::new(),
            forbidden: Vec::new(),
            left_out: 0,
            limits: BTreeSet::new(),
            end: StopReason::Complete,
        }
    }

    /// Why there is nothing to check: no URL responded. A robots.txt that fails forbids the whole site.
    pub fn unreachable_reason(&self) -> Option<String> {
        if self.pages.iter().any(|page| page.status.is_some()) {
            return None;
        }
        let pages = self.pages.iter().filter_map(|page| page.error.as_ref());
        let robots = self.robots.iter().filter_map(|file| file.outcome.error.as_ref());
        let error = pages.chain(robots).next()?;
        Some(format!("{} could not be read: {error}.", self.start))
    }
}
