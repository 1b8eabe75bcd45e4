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
        let with_errors: HashSet<&str> = issues
            .iter()
            .filter(|issue| issue.severity == Severity::Error)
            .map(|issue| issue.url.as_str())
            .collect();
        let pages = site.pages.iter().filter(|page| counts_as_page(page, &with_errors));
        let (mut html_pages, mut pages_with_errors) = (0_u32, 0_u32);
        for page in pages {
            html_pages += 1;
            pages_with_errors += u32::from(with_errors.contains(page.url.as_str()));
        }
        let share = f64::from(pages_with_errors) / f64::from(html_pages.max(1));
        let score = (html_pages > 0).then(|| (1000.0 * (1.0 - share)).round() / 10.0);
        Self { score, html_pages, pages_with_errors, counts: Counts::of(issues) }
    }
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
