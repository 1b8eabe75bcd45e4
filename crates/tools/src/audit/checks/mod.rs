//! The checks. Each has a code, a severity, a title, a reason, a fix and a function that finds the issues.

mod ai_bots;
mod canonical;
mod code;
mod content;
mod descriptions;
mod headings;
mod hreflang;
mod http;
mod images;
mod language_codes;
mod links;
mod ranking;
mod robots;
mod security;
mod sitemaps;
mod social;
mod structured_data;
mod titles;
mod urls;

use std::collections::HashMap;

pub use self::code::Code;
use self::ranking::sort_by_rank;
pub(super) use self::ranking::{pages_by_code, rank};
use super::{Evidence, Issue, Page, Severity, Site, SiteGraph, page::Html};
use crate::cpu_pool::checkpoint;

/// More issues of one code on one page are not listed.
const MAX_ISSUES_PER_CODE_AND_PAGE: usize = 20;

#[derive(Debug, Clone, Copy)]
pub struct Check {
    pub code: Code,
    pub severity: Severity,
    title: &'static str,
    /// Why it matters to the owner of the site.
    pub why: &'static str,
    /// How to fix it.
    pub fix: &'static str,
    run: Run,
}

#[derive(Debug, Clone, Copy)]
enum Run {
    /// Runs on every HTML page with a successful response.
    Page(fn(&Page, &Html) -> Vec<Evidence>),
    /// Runs on the pages that do not forbid indexing.
    SearchablePage(fn(&Page, &Html) -> Vec<Evidence>),
    /// Judges the response of each visited URL. The graph only adds where it is linked.
    Response(fn(&SiteGraph<'_>) -> Vec<(String, Evidence)>),
    /// Needs several pages, or links that were tried. Each issue comes with the URL of its page.
    Pages(fn(&SiteGraph<'_>) -> Vec<(String, Evidence)>),
    /// The issue belongs to the whole site.
    Site(fn(&SiteGraph<'_>) -> Vec<Evidence>),
}

pub fn checks() -> impl Iterator<Item = &'static Check> {
    const TOPICS: [&[Check]; 16] = [
        http::CHECKS,
        links::CHECKS,
        titles::CHECKS,
        descriptions::CHECKS,
        headings::CHECKS,
        content::CHECKS,
        images::CHECKS,
        canonical::CHECKS,
        hreflang::CHECKS,
        structured_data::CHECKS,
        sitemaps::CHECKS,
        robots::CHECKS,
        security::CHECKS,
        urls::CHECKS,
        social::CHECKS,
        ai_bots::CHECKS,
    ];
    TOPICS.into_iter().flatten()
}

pub fn check(code: Code) -> Option<&'static Check> {
    checks().find(|check| check.code == code)
}

impl Code {
    /// What is wrong, in words for people.
    pub fn title(self) -> &'static str {
        check(self).map_or("", Check::title)
    }
}

/// Runs all checks. Issues are sorted by the rank of their check, then by page.
pub fn examine(site: &Site) -> Vec<Issue> {
    let graph = SiteGraph::new(site);
    let run = |check: &Check| {
        checkpoint();
        check.run(&graph)
    };
    let mut issues: Vec<Issue> = checks().flat_map(run).collect();
    sort_by_rank(&mut issues);
    issues
}

impl Check {
    /// What is wrong, in words for people: `Page not found (4xx)`.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// Whether the check needs only the page itself. Then it finds the same in every audit that visits the page.
    pub fn is_page_check(&self) -> bool {
        matches!(self.run, Run::Page(_) | Run::SearchablePage(_) | Run::Response(_))
    }

    /// Whether its issue belongs to the whole site. Its URL is that of the site.
    pub fn is_site_wide(&self) -> bool {
        matches!(self.run, Run::Site(_))
    }

    fn run(&self, graph: &SiteGraph<'_>) -> Vec<Issue> {
        let issue = |url: &str, evidence| Issue {
            code: self.code,
            severity: self.severity,
            url: url.to_owned(),
            evidence,
        };
        let on_pages = |find: fn(&Page, &Html) -> Vec<Evidence>, all: bool| {
            let pages = graph.live_pages().filter(|(page, _)| all || page.noindex().is_none());
            pages
                .flat_map(|(page, html)| {
                    let found = find(page, html).into_iter().take(MAX_ISSUES_PER_CODE_AND_PAGE);
                    found.map(|evidence| issue(&page.url, evidence)).collect::<Vec<_>>()
                })
                .collect()
        };
        match self.run {
            Run::Page(find) => on_pages(find, true),
            Run::SearchablePage(find) => on_pages(find, false),
            Run::Response(find) | Run::Pages(find) => {
                let mut counts: HashMap<String, usize> = HashMap::new();
                let mut found = find(graph);
                found.retain(|(url, _)| {
                    let count = counts.entry(url.clone()).or_default();
                    *count += 1;
                    *count <= MAX_ISSUES_PER_CODE_AND_PAGE
                });
                found.into_iter().map(|(url, evidence)| issue(&url, evidence)).collect()
            }
            Run::Site(find) => {
                let root = graph.site_root();
                find(graph).into_iter().map(|evidence| issue(&root, evidence)).collect()
            }
        }
    }
}

/// Pages that share a text, ignoring case. Each comes with its text and the URLs of the other pages.
fn pages_with_same_text<'a>(
    pages: impl Iterator<Item = (&'a Page, &'a Html)>,
    text_of: impl Fn(&'a Html) -> Option<&'a str>,
) -> Vec<(&'a Page, &'a str, Vec<&'a str>)> {
    let mut order = Vec::new();
    let mut groups: HashMap<String, Vec<&'a str>> = HashMap::new();
    for (page, html) in pages {
        let Some(text) = text_of(html).filter(|text| !text.trim().is_empty()) else { continue };
        groups.entry(text.to_lowercase()).or_default().push(&page.url);
        order.push((page, text));
    }
    let others = |(page, text): (&'a Page, &'a str)| {
        let group = groups.get(&text.to_lowercase()).filter(|group| group.len() > 1)?;
        Some((page, text, group.iter().copied().filter(|url| *url != page.url).collect()))
    };
    order.into_iter().filter_map(others).collect()
}

/// `1 image`, `3 images`.
fn count_of(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Clients know these codes, so they must not change.
    const ERRORS: &str = "http_4xx http_5xx timeout redirect_loop broken_internal_link title_missing title_duplicate \
        canonical_to_error canonical_to_redirect canonical_to_noindex sitemap_url_error sitemap_url_noindex \
        robots_blocks_site mixed_content http_scheme hreflang_to_error";
    const WARNINGS: &str = "redirect_chain meta_refresh title_short title_long title_multiple description_missing \
        description_duplicate h1_missing heading_order thin_content duplicate_content image_alt_missing image_broken \
        canonical_multiple canonical_relative canonical_header_mismatch hreflang_no_return hreflang_no_self \
        hreflang_bad_code jsonld_invalid sitemap_missing sitemap_url_blocked orphan_page viewport_missing slow_ttfb \
        insecure_form ai_search_bot_blocked";
    const NOTICES: &str = "description_long h1_multiple lang_missing hreflang_no_xdefault og_missing \
        twitter_card_missing jsonld_missing external_link_broken internal_nofollow nondescriptive_anchor deep_page \
        url_underscore url_uppercase img_no_dimensions hsts_missing csp_missing nosniff_missing robots_txt_missing \
        llms_txt_malformed ai_training_bot_blocked";

    #[test]
    fn every_code_has_one_check_of_the_agreed_severity() {
        let mut total = 0;
        let lists = [
            (Severity::Error, ERRORS, 16),
            (Severity::Warning, WARNINGS, 27),
            (Severity::Notice, NOTICES, 20),
        ];
        for (severity, list, count) in lists {
            let listed: BTreeSet<&str> = list.split_whitespace().collect();
            let rows: BTreeSet<&str> = checks()
                .filter(|check| check.severity == severity)
                .map(|check| check.code.as_str())
                .collect();
            assert_eq!(rows, listed);
            assert_eq!(rows.len(), count);
            total += count;
        }
        assert_eq!((total, checks().count(), Code::ALL.len()), (63, 63, 63));
    }

    #[test]
    fn every_check_has_a_reason_and_a_fix() {
        for check in checks() {
            for text in [check.why, check.fix] {
                assert!(text.len() > 30 && text.ends_with('.'), "{}: {text}", check.code.as_str());
            }
        }
    }

    #[test]
    fn every_check_has_its_own_short_title() {
        let titles: BTreeSet<&str> = Code::ALL.iter().map(|code| code.title()).collect();
        assert_eq!(titles.len(), Code::ALL.len());
        for title in titles {
            assert!(
                (6..=60).contains(&title.len()) && !title.contains('_') && !title.ends_with('.'),
                "{title}"
            );
        }
    }

    #[test]
    fn code_has_the_same_name_in_json() {
        for code in Code::ALL {
            let json = serde_json::to_value(code).unwrap();
            assert_eq!(json, code.as_str());
            assert_eq!(serde_json::from_value::<Code>(json).unwrap(), *code);
            assert!(check(*code).is_some());
        }
    }
}
