//! Everything that one crawl saw of a site: what the checks are asked about.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Page, Scope, fetch::FetchFault, robots::Robots, sitemap::SitemapKind};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Site {
    pub start: String,
    pub scope: Scope,
    /// Every address that was visited, once, in the order of the answers. Redirects are among them.
    pub pages: Vec<Page>,
    /// One for each origin that was visited.
    pub robots: Vec<RobotsFile>,
    /// Null: they were not asked for.
    pub sitemaps: Option<Sitemaps>,
    pub llms: Option<LlmsFile>,
    /// Links that were tried but not read: other sites, and files of this one.
    pub tried: BTreeMap<String, Answer>,
    /// Found, but robots.txt forbids them to this crawler.
    pub forbidden: Vec<String>,
    /// Found, but left out by the limits on pages and depth.
    pub left_out: u32,
    pub end: End,
}

/// How a crawl came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Everything that was found was visited.
    Complete,
    /// A limit was reached.
    Limited,
    /// robots.txt forbids the very first page.
    Forbidden,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RobotsFile {
    pub url: String,
    #[serde(flatten)]
    pub answer: Answer,
    pub robots: Robots,
}

/// What a request came to, without its content.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// Null: there was no answer.
    pub status: Option<u16>,
    pub fault: Option<FetchFault>,
}

impl Answer {
    /// Nothing is there, as far as a HEAD can tell. Many servers turn crawlers away with 401, 403, 405, 429, 503 or 999,
    /// and our own client does not go everywhere: that says nothing of what visitors see.
    pub fn is_gone(&self) -> bool {
        match self.status {
            Some(status) => matches!(status, 404 | 410 | 500 | 502 | 504 | 520..530),
            None => self.fault.as_ref().is_some_and(|fault| *fault != FetchFault::Refused),
        }
    }

    /// For a person.
    pub fn told(&self) -> String {
        match (self.status, &self.fault) {
            (Some(status), _) => format!("it answered with status {status}"),
            (None, Some(fault)) => fault.to_string(),
            (None, None) => "it was not asked".to_owned(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Sitemaps {
    pub files: Vec<SitemapFile>,
    /// Each address once.
    pub entries: Vec<Listed>,
    /// Files or entries were left out by the limits.
    pub cut: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SitemapFile {
    pub url: String,
    #[serde(flatten)]
    pub answer: Answer,
    /// Null: it is no sitemap.
    pub kind: Option<SitemapKind>,
    /// What is wrong with the file.
    pub problem: Option<String>,
}

/// An address that a sitemap names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Listed {
    /// In its one spelling.
    pub url: String,
    /// As the sitemap has it.
    pub written: String,
    pub last_modified: Option<String>,
    /// The sitemap that names it.
    pub sitemap: String,
}

/// `/llms.txt`, where there is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LlmsFile {
    pub url: String,
    pub content_type: Option<String>,
    /// Its beginning: data from the site.
    pub text: String,
}

impl Site {
    pub fn new(start: String, scope: Scope) -> Self {
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
            end: End::Complete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_turns_crawlers_away_is_not_gone() {
        let answered = |status| Answer { status: Some(status), fault: None };
        assert!([404, 410, 500].iter().all(|status| answered(*status).is_gone()));
        assert!(![200, 301, 403, 405, 429, 503, 999].iter().any(|status| answered(*status).is_gone()));
        assert!(Answer { status: None, fault: Some(FetchFault::Name) }.is_gone());
        assert!(!Answer { status: None, fault: Some(FetchFault::Refused) }.is_gone());
    }
}
