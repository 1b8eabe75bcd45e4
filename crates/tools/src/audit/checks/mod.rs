//! The checks: one row each, saying what it is, why it matters and how to mend it, and a function that looks.

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
mod robots;
mod security;
mod sitemaps;
mod social;
mod structured_data;
mod titles;
mod urls;

use std::collections::HashMap;

pub use self::code::Code;
use super::{Evidence, Issue, Page, Severity, Site, Survey, page::Html};

/// More faults of one code on one page are not listed one by one.
const MOST_OF_A_CODE_ON_A_PAGE: usize = 20;

/// One check.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    pub code: Code,
    pub severity: Severity,
    /// Why it matters, for who owns the site.
    pub why: &'static str,
    /// How to mend it.
    pub fix: &'static str,
    run: Run,
}

#[derive(Debug, Clone, Copy)]
enum Run {
    /// Asked of every HTML page that answered.
    Page(fn(&Page, &Html) -> Vec<Evidence>),
    /// Asked of those that do not keep themselves out of search results.
    Shown(fn(&Page, &Html) -> Vec<Evidence>),
    /// Asked once. Each fault comes with the address that it is about.
    Site(fn(&Survey<'_>) -> Vec<(String, Evidence)>),
}

/// Every check there is.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    const SUBJECTS: [&[Check]; 16] = [
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
    SUBJECTS.into_iter().flatten()
}

/// The row of a check.
pub fn check(code: Code) -> Option<&'static Check> {
    checks().find(|check| check.code == code)
}

/// Everything that is wrong: errors first, then by check and page.
pub fn examine(site: &Site) -> Vec<Issue> {
    let survey = Survey::new(site);
    let mut issues: Vec<Issue> = checks().flat_map(|check| check.run(&survey)).collect();
    issues.sort_by(|a, b| (a.severity, a.code, &a.url).cmp(&(b.severity, b.code, &b.url)));
    issues
}

impl Check {
    fn run(&self, survey: &Survey<'_>) -> Vec<Issue> {
        let issue = |url: &str, evidence| Issue {
            code: self.code,
            severity: self.severity,
            url: url.to_owned(),
            evidence,
        };
        let on_pages = |look: fn(&Page, &Html) -> Vec<Evidence>, all: bool| {
            let pages = survey.live_pages().filter(|(page, _)| all || page.noindex().is_none());
            pages
                .flat_map(|(page, html)| {
                    let found = look(page, html).into_iter().take(MOST_OF_A_CODE_ON_A_PAGE);
                    found.map(|evidence| issue(&page.url, evidence)).collect::<Vec<_>>()
                })
                .collect()
        };
        match self.run {
            Run::Page(look) => on_pages(look, true),
            Run::Shown(look) => on_pages(look, false),
            Run::Site(look) => {
                let mut on_page: HashMap<String, usize> = HashMap::new();
                let mut found = look(survey);
                found.retain(|(url, _)| {
                    let count = on_page.entry(url.clone()).or_default();
                    *count += 1;
                    *count <= MOST_OF_A_CODE_ON_A_PAGE
                });
                found.into_iter().map(|(url, evidence)| issue(&url, evidence)).collect()
            }
        }
    }
}

/// Groups pages by a text, and gives each page of a group of several the addresses of the others.
fn shared<'a>(
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
fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The list that was agreed on, word for word.
    const ERRORS: &str = "http_4xx http_5xx timeout redirect_loop broken_internal_link title_missing title_duplicate \
        canonical_to_error canonical_to_redirect canonical_to_noindex sitemap_url_error sitemap_url_noindex \
        robots_blocks_site mixed_content http_scheme hreflang_to_error";
    const WARNINGS: &str = "redirect_chain meta_refresh title_short title_long title_multiple description_missing \
        description_duplicate h1_missing heading_order thin_content duplicate_content image_alt_missing \
        canonical_multiple canonical_relative canonical_header_mismatch hreflang_no_return hreflang_no_self \
        hreflang_bad_code jsonld_invalid sitemap_missing sitemap_url_blocked orphan_page viewport_missing slow_ttfb \
        insecure_form ai_search_bot_blocked";
    const NOTICES: &str = "description_long h1_multiple lang_missing hreflang_no_xdefault og_missing \
        twitter_card_missing jsonld_missing external_link_broken internal_nofollow nondescriptive_anchor deep_page \
        url_underscore url_uppercase img_no_dimensions hsts_missing csp_missing nosniff_missing robots_txt_missing \
        llms_txt_malformed ai_training_bot_blocked";

    #[test]
    fn the_table_is_the_list() {
        let mut total = 0;
        let lists = [
            (Severity::Error, ERRORS, 16),
            (Severity::Warning, WARNINGS, 26),
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
        assert_eq!((total, checks().count(), Code::ALL.len()), (62, 62, 62));
    }

    #[test]
    fn every_row_says_why_and_how() {
        for check in checks() {
            for words in [check.why, check.fix] {
                assert!(words.len() > 30 && words.ends_with('.'), "{}: {words}", check.code.as_str());
            }
        }
    }

    #[test]
    fn a_code_is_its_name_in_json() {
        for code in Code::ALL {
            let json = serde_json::to_value(code).unwrap();
            assert_eq!(json, code.as_str());
            assert_eq!(serde_json::from_value::<Code>(json).unwrap(), *code);
            assert!(check(*code).is_some());
        }
    }
}
