//! What to fix: the issues of an audit grouped by their cause, and what each cause costs the score.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::{
    Code, Issue, Severity, Site, SiteGraph,
    checks::rank,
    score::{PageCounts, pages_with_errors},
    site_graph::Destination,
    snippet::clip,
};

const MAX_FIXES: usize = 20;
/// URLs of one kind in one fix.
const MAX_URLS: usize = 5;
const MAX_URL_CHARS: usize = 500;
/// Broken pages of one code that are fixes of their own. The others are one fix together, so that the other codes are seen.
const MAX_BROKEN_PAGES: usize = 3;

/// One cause, and the issues that disappear with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    /// What is wrong.
    pub code: Code,
    /// Other codes with issues of the same cause: a page that is missing also breaks links, canonicals and sitemaps.
    pub also: Vec<Code>,
    pub issues: u32,
    /// The number of pages with one of these issues.
    pub pages_total: u32,
    /// The first of these pages. A page that is the cause comes first.
    pub pages: Vec<String>,
    /// What leads to the page that is the cause.
    pub linked_from: Vec<String>,
    /// How much the score rises if only this is fixed.
    pub score_gain: f64,
}

/// A code, or one broken page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Cause<'a> {
    code: Code,
    page: Option<&'a str>,
}

/// The most important causes, in the order of their rank.
pub fn fixes(site: &Site, issues: &[Issue]) -> Vec<Fix> {
    let graph = SiteGraph::new(site);
    let causes = causes(&graph, issues);
    let gains = score_gains(site, issues, &causes);
    let mut groups: HashMap<Cause<'_>, Vec<&Issue>> = HashMap::new();
    for (cause, issue) in causes.iter().zip(issues) {
        groups.entry(*cause).or_default().push(issue);
    }
    let mut groups: Vec<_> = groups
        .into_iter()
        .map(|(cause, issues)| {
            let pages = issues.iter().map(|issue| issue.url.as_str()).collect::<HashSet<_>>().len();
            (rank(cause.code, count(pages)), cause, issues)
        })
        .collect();
    groups.sort_by(|(rank, cause, _), (other_rank, other, _)| (rank, cause).cmp(&(other_rank, other)));
    let shown = groups.into_iter().take(MAX_FIXES);
    shown.map(|(_, cause, issues)| fix(&graph, cause, &issues, gains.get(&cause).copied())).collect()
}

fn fix(graph: &SiteGraph<'_>, cause: Cause<'_>, issues: &[&Issue], score_gain: Option<f64>) -> Fix {
    let of_cause = |issue: &&&Issue| issue.code == cause.code;
    let causing: BTreeSet<&str> = issues.iter().filter(of_cause).map(|issue| issue.url.as_str()).collect();
    let affected: BTreeSet<&str> = issues.iter().map(|issue| issue.url.as_str()).collect();
    let other_pages = affected.iter().filter(|url| !causing.contains(*url));
    let mut linked_from = Vec::new();
    if is_about_a_target(cause.code) {
        for referrer in causing.iter().flat_map(|url| graph.referrers(url)) {
            if linked_from.len() < MAX_URLS && !linked_from.contains(&referrer) {
                linked_from.push(referrer);
            }
        }
    }
    let codes: BTreeSet<Code> = issues.iter().map(|issue| issue.code).collect();
    Fix {
        code: cause.code,
        also: codes.into_iter().filter(|code| *code != cause.code).collect(),
        issues: count(issues.len()),
        pages_total: count(affected.len()),
        pages: clipped(causing.iter().chain(other_pages).copied()),
        linked_from: clipped(linked_from),
        score_gain: score_gain.unwrap_or_default(),
    }
}

fn clipped<'a>(urls: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    urls.into_iter().take(MAX_URLS).map(|url| clip(url, MAX_URL_CHARS)).collect()
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Whether the page itself does not work.
fn is_broken_page(code: Code) -> bool {
    matches!(code, Code::Http4xx | Code::Http5xx | Code::Timeout | Code::RedirectLoop)
}

/// Whether what leads to the page has to be changed too.
fn is_about_a_target(code: Code) -> bool {
    is_broken_page(code) || code == Code::RedirectChain
}

/// The cause of each issue.
fn causes<'a>(graph: &SiteGraph<'_>, issues: &'a [Issue]) -> Vec<Cause<'a>> {
    let broken: HashMap<&str, Code> = issues
        .iter()
        .filter(|issue| is_broken_page(issue.code))
        .map(|issue| (issue.url.as_str(), issue.code))
        .collect();
    let mut causes: Vec<Cause<'a>> = issues
        .iter()
        .map(|issue| broken_page_behind(graph, &broken, issue).unwrap_or(by_code(issue)))
        .collect();
    let most_important = most_important_broken_pages(&causes);
    for cause in &mut causes {
        if !most_important.contains(cause) {
            cause.page = None;
        }
    }
    causes
}

fn by_code(issue: &Issue) -> Cause<'static> {
    Cause { code: issue.code, page: None }
}

/// The broken page that causes this issue.
fn broken_page_behind<'a>(
    graph: &SiteGraph<'_>,
    broken: &HashMap<&'a str, Code>,
    issue: &Issue,
) -> Option<Cause<'a>> {
    let target = match issue.code {
        code if is_broken_page(code) || code == Code::SitemapUrlError => &issue.url,
        Code::BrokenInternalLink | Code::HreflangToError => &issue.evidence.key,
        Code::CanonicalToError => issue.evidence.related.first()?,
        _ => return None,
    };
    let known =
        |url: &str| broken.get_key_value(url).map(|(page, code)| Cause { code: *code, page: Some(*page) });
    known(target).or_else(|| {
        let path = graph.follow(target);
        let end = match path.end {
            Destination::Page(page) => Some(page),
            _ => None,
        };
        path.redirects.into_iter().chain(end).find_map(|page| known(&page.url))
    })
}

/// For each code, the broken pages with the most issues.
fn most_important_broken_pages<'a>(causes: &[Cause<'a>]) -> HashSet<Cause<'a>> {
    let mut issues: HashMap<Cause<'a>, usize> = HashMap::new();
    for cause in causes.iter().filter(|cause| cause.page.is_some()) {
        *issues.entry(*cause).or_default() += 1;
    }
    let mut ordered: Vec<_> = issues.into_iter().collect();
    ordered.sort_by_key(|(cause, issues)| (std::cmp::Reverse(*issues), *cause));
    let mut of_code: HashMap<Code, usize> = HashMap::new();
    let important = ordered.into_iter().filter(|(cause, _)| {
        let number = of_code.entry(cause.code).or_default();
        *number += 1;
        *number <= MAX_BROKEN_PAGES
    });
    important.map(|(cause, _)| cause).collect()
}

/// How much the score rises for each cause: the pages whose errors all come from it have none afterwards.
fn score_gains<'a>(site: &Site, issues: &[Issue], causes: &[Cause<'a>]) -> HashMap<Cause<'a>, f64> {
    // The only cause of a page's errors. `None`: there are several.
    let mut only_causes: HashMap<&str, Option<Cause<'a>>> = HashMap::new();
    for (issue, cause) in issues.iter().zip(causes).filter(|(issue, _)| issue.severity == Severity::Error) {
        let known = only_causes.entry(&issue.url).or_insert(Some(*cause));
        *known = known.filter(|known| known == cause);
    }
    let counts = PageCounts::of(site, issues);
    let mut fixed: HashMap<Cause<'a>, PageCounts> = HashMap::new();
    for page in pages_with_errors(site, issues) {
        if let Some(Some(cause)) = only_causes.get(page.url.as_str()) {
            let fixed = fixed.entry(*cause).or_default();
            fixed.with_errors += 1;
            // Without its error, a redirect does not count as a page.
            fixed.html_pages += u32::from(page.redirect_to.is_some());
        }
    }
    let gain = |fixed: PageCounts| {
        let then = PageCounts {
            html_pages: counts.html_pages - fixed.html_pages,
            with_errors: counts.with_errors - fixed.with_errors,
        };
        // Without pages there is nothing wrong.
        let [now, then] = [counts, then].map(|counts| counts.score().unwrap_or(100.0));
        ((then - now) * 10.0).round() / 10.0
    };
    fixed.into_iter().map(|(cause, fixed)| (cause, gain(fixed))).collect()
}
