//! What a report tells, in numbers. The store fills these in; nothing here is worded or drawn yet.

use serde::{Deserialize, Serialize};
use svc_mcp_access::Timestamp;

use crate::audit::{Code, Counts, Severity};

/// A number in the period, and in the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Compared {
    pub now: u64,
    pub before: u64,
}

impl std::ops::Add for Compared {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { now: self.now + other.now, before: self.before + other.before }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Figures {
    /// `None`: the site was never audited.
    pub audit: Option<AuditFigures>,
    /// By the name of the channel. Channels where nothing happened in either period may be missing.
    pub channels: Vec<ChannelFigures>,
    /// Posts that went out in the period, newest first, a few.
    pub latest_posts: Vec<LatestPost>,
    /// Analyses that ended in the period, by kind.
    pub analyses: Vec<(String, Compared)>,
    pub keyword_searches: Compared,
    /// What was searched for in the period, newest first, a few.
    pub latest_searches: Vec<String>,
    /// Tool calls with the brand's keys.
    pub calls: Compared,
    /// Those of them that were refused or failed.
    pub failed_calls: Compared,
}

/// The newest finished audit up to the period's end, and the newest before its beginning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditFigures {
    pub now: AuditState,
    /// `None`: there was no other one before.
    pub before: Option<AuditState>,
    /// Issues that were not there before; without an audit before: none.
    pub new: u32,
    pub fixed: u32,
    pub still_there: u32,
    /// The worst, by severity and number of pages, a few.
    pub top: Vec<TopIssue>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditState {
    pub audit_id: String,
    pub finished_at: Timestamp,
    pub score: Option<f64>,
    pub pages: u32,
    pub counts: Counts,
}

/// One kind of fault and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopIssue {
    pub code: Code,
    pub severity: Severity,
    pub pages: u32,
    /// One of the pages. Data from the site.
    pub example: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChannelFigures {
    pub channel: String,
    pub published: Compared,
    /// Targets of posts that were created in the period and failed.
    pub failed: Compared,
    /// Waiting to go out, right now.
    pub scheduled: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatestPost {
    /// Its title, or the beginning of its text.
    pub title: String,
    pub channel: String,
    pub url: Option<String>,
    pub published_at: Timestamp,
}
