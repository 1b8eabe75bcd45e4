//! How good a site is, in one number, and what stands in its way.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Issue, Page, Severity, Site};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    /// 100 × (1 − pages with errors ÷ HTML pages), to one decimal. Null: no page was seen.
    pub score: Option<f64>,
    /// Pages that were seen, and addresses where a page should have been.
    pub html_pages: u32,
    pub pages_with_errors: u32,
    pub counts: Counts,
}

/// How many issues there are of each severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    pub errors: u32,
    pub warnings: u32,
    pub notices: u32,
}

impl Score {
    pub fn of(site: &Site, issues: &[Issue]) -> Self {
        let faulty: HashSet<&str> = issues
            .iter()
            .filter(|issue| issue.severity == Severity::Error)
            .map(|issue| issue.url.as_str())
            .collect();
        let pages = site.pages.iter().filter(|page| counts_as_page(page, &faulty));
        let (mut html_pages, mut pages_with_errors) = (0_u32, 0_u32);
        for page in pages {
            html_pages += 1;
            pages_with_errors += u32::from(faulty.contains(page.url.as_str()));
        }
        let share = f64::from(pages_with_errors) / f64::from(html_pages.max(1));
        let score = (html_pages > 0).then(|| (1000.0 * (1.0 - share)).round() / 10.0);
        Self { score, html_pages, pages_with_errors, counts: Counts::of(issues) }
    }
}

/// A page that fails is one that should have been there. A redirect is none, unless it leads nowhere.
fn counts_as_page(page: &Page, faulty: &HashSet<&str>) -> bool {
    page.html.is_some()
        || page.is_broken()
        || page.redirect_to.is_some() && faulty.contains(page.url.as_str())
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
