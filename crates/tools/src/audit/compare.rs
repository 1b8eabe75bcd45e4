//! What changed between two audits of a site.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Issue, checks::Code};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// Not there before.
    pub new: Vec<Issue>,
    /// There before, and no more.
    pub fixed: Vec<Issue>,
    /// There before and now, as it is now.
    pub still_there: Vec<Issue>,
}

impl Issue {
    /// One fault in every audit that finds it: what is wrong, where, and which of several. What was found in detail
    /// may change (a title grows from 70 characters to 75) without making it another.
    pub fn identity(&self) -> (Code, &str, &str) {
        (self.code, &self.url, &self.evidence.key)
    }
}

pub fn compare(before: &[Issue], now: &[Issue]) -> Comparison {
    let old: HashSet<_> = before.iter().map(Issue::identity).collect();
    let current: HashSet<_> = now.iter().map(Issue::identity).collect();
    let (still_there, new) = now.iter().cloned().partition(|issue| old.contains(&issue.identity()));
    let fixed = before.iter().filter(|issue| !current.contains(&issue.identity())).cloned().collect();
    Comparison { new, fixed, still_there }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Evidence, Severity},
        *,
    };

    fn issue(code: Code, url: &str, key: &str, found: &str) -> Issue {
        let evidence = Evidence::new(found, "other").key(key);
        Issue { code, severity: Severity::Error, url: url.to_owned(), evidence }
    }

    #[test]
    fn an_issue_is_known_by_code_page_and_key() {
        let before = [
            issue(Code::TitleLong, "/a", "", "70 characters"),
            issue(Code::BrokenInternalLink, "/a", "/x", "404"),
            issue(Code::BrokenInternalLink, "/a", "/y", "404"),
        ];
        let now = [
            issue(Code::TitleLong, "/a", "", "75 characters"),
            issue(Code::BrokenInternalLink, "/a", "/y", "500"),
            issue(Code::TitleLong, "/b", "", "70 characters"),
        ];
        let comparison = compare(&before, &now);
        assert_eq!(comparison.new, [now[2].clone()]);
        assert_eq!(comparison.fixed, [before[1].clone()]);
        assert_eq!(comparison.still_there, [now[0].clone(), now[1].clone()]);
        assert_eq!(compare(&now, &now).still_there.len(), 3);
    }
}
