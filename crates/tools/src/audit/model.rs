use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{KeyId, Timestamp};

use super::{Code, End, Issue, Page, Plan, Progress, Score, Severity, Site, checks::check};
use crate::jobs::WorkStatus;

/// One audit of a site, from the moment it is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    pub audit_id: String,
    pub plan: Plan,
    pub status: WorkStatus,
    /// Null before the first answer.
    pub progress: Option<Progress>,
    /// Null until it is done.
    pub summary: Option<Summary>,
    /// Why it failed.
    pub failure: Option<String>,
    pub created_at: Timestamp,
    pub created_by_key: KeyId,
    pub finished_at: Option<Timestamp>,
}

/// What an audit came to, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    #[serde(flatten)]
    pub score: Score,
    /// Every address that was visited, redirects included.
    pub visited: u32,
    pub end: End,
    /// Found, but left out by the limits on pages and depth.
    pub left_out: u32,
    /// Found, but forbidden to crawlers by robots.txt.
    pub forbidden: u32,
    /// How many issues there are of each code.
    pub codes: BTreeMap<Code, u32>,
}

impl Summary {
    pub fn of(site: &Site, issues: &[Issue]) -> Self {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let mut codes = BTreeMap::new();
        for issue in issues {
            *codes.entry(issue.code).or_insert(0) += 1;
        }
        Self {
            score: Score::of(site, issues),
            visited: count(site.pages.len()),
            end: site.end,
            left_out: site.left_out,
            forbidden: count(site.forbidden.len()),
            codes,
        }
    }

    /// The codes, those first that matter most: by severity, then by how often.
    pub fn ranked(&self) -> Vec<(Code, Severity, u32)> {
        let with_severity = |(code, count): (&Code, &u32)| Some((*code, check(*code)?.severity, *count));
        let mut ranked: Vec<_> = self.codes.iter().filter_map(with_severity).collect();
        ranked.sort_by_key(|(code, severity, count)| (*severity, std::cmp::Reverse(*count), *code));
        ranked
    }
}

/// What a page said when it was last crawled. It is data, whatever it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    pub url: String,
    pub title: Option<String>,
    pub text: String,
    /// Of the brand's own site, or of a competitor's.
    pub is_own: bool,
}

impl PageText {
    /// The texts of the pages that answered.
    pub fn of(site: &Site, is_own: bool) -> Vec<Self> {
        let text = |page: &Page| {
            let document = page.live()?.document();
            let text = document.text();
            (!text.is_empty()).then(|| Self { url: page.url.clone(), title: document.title, text, is_own })
        };
        site.pages.iter().filter_map(text).collect()
    }
}

/// Something about audits that is to be true.
#[derive(Debug, Clone)]
pub enum AuditChange {
    Add(Audit),
    /// How far it is, and the pages that were read since the last time: a crawl that is cut off goes on from there.
    Advance {
        audit_id: String,
        progress: Progress,
        pages: Vec<Page>,
    },
    Finish {
        audit_id: String,
        summary: Summary,
        issues: Vec<Issue>,
    },
    Fail {
        audit_id: String,
        reason: String,
    },
    /// These are the texts of this site now, in place of those before.
    KeepTexts {
        site: String,
        texts: Vec<PageText>,
    },
}
