use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Issue, Page, Severity, Site};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    /// 100 × (1 − pages with errors ÷ HTML pages), with one decimal. Null: no page was found.
    pub score: Option<f64>,
    /// Pages that were read, and URLs where a page is missing.
    pub html_pages: u32,
    pub pages_with_errors: u32,
    pub counts: Counts,
}

/// The number of issues of each severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    pub errors: u32,
    pub warnings: u32,
    pub notices: u32,
}

impl Score {
    pub fn of(site: &Site, issues: &[Issue]) -> Self {
        let pages = PageCounts::of(site, issues);
        Self {
            score: pages.score(),
            html_pages: pages.html_pages,
            pages_with_errors: pages.with_errors,
            counts: Counts::of(issues),
        }
    }
}

/// The pages that determine the score.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PageCounts {
    pub(super) html_pages: u32,
    pub(super) with_errors: u32,
}

impl PageCounts {
    pub(super) fn of(site: &Site, issues: &[Issue]) -> Self {
        let with_errors = urls_with_errors(issues);
        let mut counts = Self::default();
        for page in site.pages.iter().filter(|page| counts_as_page(page, &with_errors)) {
            counts.html_pages += 1;
            counts.with_errors += u32::from(with_errors.contains(page.url.as_str()));
        }
        counts
    }

    pub(super) fn score(self) -> Option<f64> {
        let share = f64::from(self.with_errors) / f64::from(self.html_pages.max(1));
        (self.html_pages > 0).then(|| (1000.0 * (1.0 - share)).round() / 10.0)
    }
}

/// The pages that lower the score.
pub(super) fn pages_with_errors<'a>(site: &'a Site, issues: &[Issue]) -> Vec<&'a Page> {
    let with_errors = urls_with_errors(issues);
    let has_errors = |page: &&Page| with_errors.contains(page.url.as_str());
    site.pages.iter().filter(|page| counts_as_page(page, &with_errors)).filter(has_errors).collect()
}

fn urls_with_errors(issues: &[Issue]) -> HashSet<&str> {
    let errors = issues.iter().filter(|issue| issue.severity == Severity::Error);
    errors.map(|issue| issue.url.as_str()).collect()
}

/// A broken page counts, because visitors expect it. A redirect counts only if it has an error.
fn counts_as_page(page: &Page, with_errors: &HashSet<&str>) -> bool {
    page.html.is_some()
        || page.is_broken()
        || page.redirect_to.is_some() && with_errors.contains(page.url.as_str())
}

impl Counts {
    pub fn of(issues: &[Issue]) -> Self {
        let mut counts = Self::default();
        for issue in issues {
            match issue.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Notice => counts.notices += 1,
            }
        }
        counts
    }
}
