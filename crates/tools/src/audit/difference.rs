//! What two audits can be compared on, and how they differ.

use super::{Audit, Issue};

/// The URLs that two audits visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PageOverlap {
    pub both: u32,
    /// Only the newer audit.
    pub only_new: u32,
    /// Only the earlier audit.
    pub only_earlier: u32,
}

/// Which issues of two audits are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedScope {
    /// Both audits looked at the same: a page that only one of them found is new or has gone.
    Everything,
    /// Only what both could find: issues that a page alone shows, on pages that both visited.
    CommonPages,
}

impl ComparedScope {
    pub fn of(audit: &Audit, earlier: &Audit, overlap: PageOverlap) -> Self {
        let is_full = |audit: &Audit| audit.summary.as_ref().is_some_and(super::Summary::is_full);
        let (is_full, was_full) = (is_full(audit), is_full(earlier));
        let same_pages = overlap.only_new == 0 && overlap.only_earlier == 0 && overlap.both > 0;
        if is_full && was_full && audit.plan.covers_the_same(&earlier.plan)
            || is_full == was_full && same_pages
        {
            Self::Everything
        } else {
            Self::CommonPages
        }
    }
}

/// How the issues of an audit differ from those of an earlier one.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditDifference {
    pub scope: ComparedScope,
    pub overlap: PageOverlap,
    pub new: ChangedIssues,
    pub fixed: ChangedIssues,
    pub still_there: u64,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChangedIssues {
    pub total: u64,
    pub errors: u64,
    /// A few of them, by importance.
    pub first: Vec<Issue>,
}
