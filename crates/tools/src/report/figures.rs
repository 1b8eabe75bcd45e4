//! The numbers of a report as the store provides them.

use serde::{Deserialize, Serialize};
use svc_mcp_access::Timestamp;

use crate::audit::{Code, Counts, Severity};

/// A number for the period and for the one before.
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
    /// `None`: there is no full audit of the site.
    pub audit: Option<AuditFigures>,
    /// The newest partial audit, if there is no full one.
    #[serde(default)]
    pub partial_audit: Option<PartialAudit>,
    /// By channel. Channels without activity in both periods may be missing.
    pub channels: Vec<ChannelFigures>,
    /// A few posts published in the period, newest first.
    pub latest_posts: Vec<LatestPost>,
    /// Analyses that ended in the period, by kind.
    pub analyses: Vec<(String, Compared)>,
    pub keyword_searches: Compared,
    /// A few searches of the period, newest first.
    pub latest_searches: Vec<String>,
    /// Tool calls with the brand's keys.
    pub calls: Compared,
    /// The calls that were refused or failed.
    pub failed_calls: Compared,
}

/// The newest full audit before the end of the period, and the newest before its start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditFigures {
    pub now: AuditState,
    /// `None`: there was no earlier audit.
    pub before: Option<AuditState>,
    /// Issues that the earlier audit did not have. 0 without an earlier audit.
    pub new: u32,
    /// How many of the new ones are errors. Reports of older versions do not have it.
    #[serde(default)]
    pub new_errors: u32,
    pub fixed: u32,
    pub still_there: u32,
    /// A few of the most important issues.
    pub top: Vec<TopIssue>,
}

/// An audit that did not visit everything it found, so that it has no score of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartialAudit {
    pub finished_at: Timestamp,
    pub visited: u32,
    pub left_out: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditState {
    pub audit_id: String,
    pub finished_at: Timestamp,
    pub score: Option<f64>,
    pub pages: u32,
    pub counts: Counts,
}

/// One kind of issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopIssue {
    pub code: Code,
    pub severity: Severity,
    pub pages: u32,
    /// One of the pages. This is data from the site.
    pub example: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChannelFigures {
    pub channel: String,
    pub published: Compared,
    /// Failed targets of posts created in the period.
    pub failed: Compared,
    /// Scheduled posts at this moment.
    pub scheduled: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatestPost {
    /// The title, or the beginning of the text.
    pub title: String,
    pub channel: String,
    pub url: Option<String>,
    pub published_at: Timestamp,
}
