//! The one order of importance: severity, then the number of pages, then the title. Everything that shows issues uses it.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
};

use super::{
    super::{Issue, Severity},
    Check, Code, check,
};

/// Smaller is more important.
pub(in crate::audit) type Rank = (Severity, Reverse<u32>, &'static str);

/// The rank of a check whose issues are on this many pages.
pub(in crate::audit) fn rank(code: Code, pages: u32) -> Rank {
    let check = check(code);
    (check.map_or(Severity::Notice, |check| check.severity), Reverse(pages), check.map_or("", Check::title))
}

/// The number of pages with an issue of each code. A page counts once, however many issues it has.
pub(in crate::audit) fn pages_by_code(issues: &[Issue]) -> BTreeMap<Code, u32> {
    let distinct: HashSet<(Code, &str)> =
        issues.iter().map(|issue| (issue.code, issue.url.as_str())).collect();
    let mut pages = BTreeMap::new();
    for (code, _) in distinct {
        *pages.entry(code).or_insert(0) += 1;
    }
    pages
}

/// Sorts by rank and then by URL.
pub(super) fn sort_by_rank(issues: &mut [Issue]) {
    let pages = pages_by_code(issues);
    let ranks: BTreeMap<Code, Rank> =
        pages.into_iter().map(|(code, pages)| (code, rank(code, pages))).collect();
    issues.sort_by(|a, b| (&ranks[&a.code], &a.url).cmp(&(&ranks[&b.code], &b.url)));
}
