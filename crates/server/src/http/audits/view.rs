//! Audits as the API returns them.

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_tools::{
    audit::{Audit, Progress, StopReason},
    jobs::WorkStatus,
};

use crate::http::extract::schemas::Time;

/// Who asked for an audit
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RequestedBy {
    /// The id of the key, of the schedule or of the person
    requested_by: String,
    requested_by_kind: RequesterKind,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum RequesterKind {
    Key,
    Schedule,
    Person,
}

impl From<&Audit> for RequestedBy {
    fn from(audit: &Audit) -> Self {
        let key = audit.created_by_key.as_str();
        let (requested_by, requested_by_kind) = match &audit.requested_by {
            Some(person) => (person.as_str(), RequesterKind::Person),
            // A person's schedule has no key, so its own id is stored there.
            None if key.starts_with("schedule_") => (key, RequesterKind::Schedule),
            None => (key, RequesterKind::Key),
        };
        Self { requested_by: requested_by.to_owned(), requested_by_kind }
    }
}

/// An audit in a list
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ManagedAudit")]
pub(super) struct AuditRow {
    audit_id: String,
    /// The page where it starts
    url: String,
    status: WorkStatus,
    /// 0 to 100. Null until the status is `done`, or if no page was found
    score: Option<f64>,
    /// The number of pages that count for the score. Null until the status is `done`, and so are the following numbers
    pages: Option<u32>,
    errors: Option<u32>,
    warnings: Option<u32>,
    notices: Option<u32>,
    /// Why it ended. `complete`: it is a full audit. Anything else: it is partial, and its score is only that of the visited
    /// pages. Null until the status is `done`
    end: Option<StopReason>,
    #[schemars(with = "Time")]
    requested_at: String,
    #[schemars(with = "Option<Time>")]
    finished_at: Option<String>,
    #[serde(flatten)]
    requested_by: RequestedBy,
    /// Null before the first response of the site and after the end
    progress: Option<Progress>,
    /// Why it failed or was cancelled
    failure: Option<String>,
}

impl From<Audit> for AuditRow {
    fn from(audit: Audit) -> Self {
        let score = audit.summary.as_ref().map(|summary| summary.score);
        let counts = score.map(|score| score.counts);
        Self {
            score: score.and_then(|score| score.score),
            pages: score.map(|score| score.html_pages),
            errors: counts.map(|counts| counts.errors),
            warnings: counts.map(|counts| counts.warnings),
            notices: counts.map(|counts| counts.notices),
            end: audit.summary.as_ref().map(|summary| summary.end),
            requested_by: RequestedBy::from(&audit),
            audit_id: audit.audit_id,
            url: audit.plan.start,
            requested_at: audit.created_at.to_string(),
            finished_at: audit.finished_at.map(|at| at.to_string()),
            progress: audit.progress.filter(|_| !audit.status.has_ended()),
            failure: audit.failure,
            status: audit.status,
        }
    }
}
