//! Audits, their summaries and the texts of their pages.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{KeyId, Timestamp, UserId};

use super::{
    AuditLimit, AuditedPage, Code, CrawlPlan, Fix, Issue, Page, Progress, Score, Site, StopReason,
    checks::{pages_by_code, rank},
};
use crate::jobs::WorkStatus;

/// One audit of a site, queued, running or ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    pub audit_id: String,
    pub plan: CrawlPlan,
    pub status: WorkStatus,
    /// `None` before the first response.
    pub progress: Option<Progress>,
    /// `None` until it is done.
    pub summary: Option<Summary>,
    /// Why it failed.
    pub failure: Option<String>,
    pub created_at: Timestamp,
    /// The key that asked for it. If a person's schedule started the audit, this is the id of the schedule; if a person did, it
    /// is the id of the audit.
    pub created_by_key: KeyId,
    /// The person who asked for it. `None`: a key or a schedule did.
    pub requested_by: Option<UserId>,
    pub finished_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    #[serde(flatten)]
    pub score: Score,
    /// The number of visited URLs, including redirects.
    pub visited: u32,
    pub end: StopReason,
    /// URLs that were not visited because of the limits on pages and depth.
    pub left_out: u32,
    /// URLs that were not visited because robots.txt forbids it.
    pub forbidden: u32,
    /// The number of issues of each code.
    pub codes: BTreeMap<Code, u32>,
    /// The number of pages with issues of each code. Empty: an older version made the audit.
    #[serde(default)]
    pub pages: BTreeMap<Code, u32>,
    /// The limits that left out a part of the site.
    #[serde(default)]
    pub limits: BTreeSet<AuditLimit>,
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
            pages: pages_by_code(issues),
            limits: site
                .limits
                .iter()
                .chain(site.sitemaps.iter().flat_map(|all| &all.limits))
                .copied()
                .collect(),
        }
    }

    /// The codes by importance, each with the number of its issues and of the pages that have them.
    pub fn ranked(&self) -> Vec<(Code, u32, u32)> {
        let pages = |code, issues| self.pages.get(&code).copied().unwrap_or(issues);
        let mut ranked: Vec<_> =
            self.codes.iter().map(|(code, issues)| (*code, *issues, pages(*code, *issues))).collect();
        ranked.sort_by_key(|(code, _, pages)| rank(*code, *pages));
        ranked
    }

    /// Whether the audit visited everything that it found and may visit.
    pub fn is_full(&self) -> bool {
        self.end == StopReason::Complete
    }

    /// Says why a partial audit is partial, and what to do. `None`: it is full.
    pub fn partial_note(&self) -> Option<String> {
        let (why, fix) = match self.end {
            StopReason::Complete => return None,
            StopReason::Limited if self.limits.contains(&AuditLimit::HeldBytes) => {
                ("it reached its limit of memory", "")
            }
            StopReason::Limited => (
                "it reached its limit of pages or depth",
                " For a full audit call run_audit with a larger max_pages (at most 1000) and without max_depth.",
            ),
            StopReason::Forbidden => (
                "robots.txt forbids the start page",
                " Allow the agent svc-mcp in robots.txt and run the audit again.",
            ),
            StopReason::TimedOut => ("it reached its time limit", ""),
            StopReason::Cancelled => ("it was cancelled", ""),
        };
        Some(format!(
            "This audit is partial: {why}. It visited {} and left out {} known URLs. Its score and issues are only \
             those of what it visited, and reports do not use it.{fix}",
            self.visited, self.left_out
        ))
    }
}

/// The text of a page at its last crawl. It is untrusted data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    pub url: String,
    pub title: Option<String>,
    pub text: String,
    /// On the brand's own site, not a competitor's.
    pub is_own: bool,
}

impl PageText {
    /// The texts of the pages with a successful response.
    pub fn of(site: &Site, is_own: bool) -> Vec<Self> {
        let text = |page: &Page| {
            let document = page.live()?.document();
            let text = document.text();
            (!text.is_empty()).then(|| Self { url: page.url.clone(), title: document.title, text, is_own })
        };
        site.pages.iter().filter_map(text).collect()
    }
}

/// A person started an audit, for the activity log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteAuditStarted {
    pub event_id: String,
    pub actor: UserId,
    /// The id of the audit. The activity stores it in the column of the key.
    pub audit_id: KeyId,
}

#[derive(Debug, Clone)]
pub enum AuditChange {
    Add(Audit),
    /// The progress, and the pages read since the last change. An interrupted crawl continues from there.
    Advance {
        audit_id: String,
        progress: Progress,
        pages: Vec<Page>,
    },
    Finish {
        audit_id: String,
        summary: Summary,
        issues: Vec<Issue>,
        fixes: Vec<Fix>,
        /// Every visited URL.
        pages: Vec<AuditedPage>,
    },
    Fail {
        audit_id: String,
        reason: String,
    },
    /// Replaces the stored texts of a site.
    KeepTexts {
        site: String,
        texts: Vec<PageText>,
    },
    /// The same for a partial audit: nothing is replaced if more than twice as many texts are stored.
    KeepPartialTexts {
        site: String,
        texts: Vec<PageText>,
    },
}
