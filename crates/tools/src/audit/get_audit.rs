use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::ToolAccess;

use super::{Audit, AuditView, Code, Issue, view::AffectedPage};
use crate::{
    jobs::WorkStatus,
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure},
};

/// The number of new and fixed issues in the result.
const MAX_SHOWN: u32 = 10;

#[derive(Debug)]
pub struct GetAudit;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// The `id` from `run_audit`, or an `audit_id` from `list_audits`.
    #[schemars(length(min = 1, max = 64))]
    audit_id: String,
    /// An earlier audit to compare with: which issues are new, fixed and still there.
    #[schemars(length(min = 1, max = 64))]
    compare_to: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct AuditWithComparison {
    #[serde(flatten)]
    audit: AuditView,
    /// Null unless `compare_to` was given.
    comparison: Option<Comparison>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Comparison {
    compared_to: String,
    /// The change of the score in points.
    score_change: Option<f64>,
    new: ChangedIssues,
    fixed: ChangedIssues,
    still_there: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangedIssues {
    total: u64,
    /// The first ten.
    first: Vec<ChangedIssue>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangedIssue {
    code: Code,
    #[serde(flatten)]
    page: AffectedPage,
}

impl Tool for GetAudit {
    type Arguments = Arguments;
    type Output = AuditWithComparison;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "get_audit",
        title: "One audit",
        description: "Returns one audit: while it runs, its `progress` (pages visited and waiting); once `done`, its score \
            (100 means no page has an error), the number of errors, warnings and notices, and the most important \
            issues with why they matter and how to fix them. With `compare_to` it also returns which issues are new, \
            fixed and still there compared with an earlier audit. Use `list_audit_issues` for the pages of each issue.",
        example: r#"{"audit_id": "audit_7Hq2pXw9sLk3mNb5vTcR"}"#,
    };

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, ToolError> {
        let audit = find(call, &arguments.audit_id).await?;
        let comparison = match &arguments.compare_to {
            Some(other) => Some(compare(call, &audit, other).await?),
            None => None,
        };
        Ok(Outcome::new(AuditWithComparison { audit: audit.into(), comparison }))
    }
}

pub(super) async fn find(call: &Call, audit_id: &str) -> Result<Audit, ToolError> {
    call.context.records.audit(call.brand_id(), audit_id).await?.ok_or_else(|| {
        ToolFailure::new(
            "audit_not_found",
            "The brand has no audit with this id.",
            "Call list_audits to see the audits of the brand.",
        )
        .into()
    })
}

async fn compare(call: &Call, audit: &Audit, other: &str) -> Result<Comparison, ToolError> {
    let other = find(call, other).await?;
    if [audit, &other].iter().any(|audit| audit.status != WorkStatus::Done) {
        return Err(ToolFailure {
            retryable: true,
            ..ToolFailure::new(
                "audit_not_done",
                "Both audits must be done before they can be compared.",
                "Call get_audit again when both are done.",
            )
        }
        .into());
    }
    let (brand, records) = (call.brand_id(), &call.context.records);
    let new = records.issues_not_in(brand, &audit.audit_id, &other.audit_id, MAX_SHOWN).await?;
    let fixed = records.issues_not_in(brand, &other.audit_id, &audit.audit_id, MAX_SHOWN).await?;
    let all: u64 =
        audit.summary.iter().flat_map(|summary| summary.codes.values()).map(|n| u64::from(*n)).sum();
    let score = |audit: &Audit| audit.summary.as_ref()?.score.score;
    Ok(Comparison {
        score_change: score(audit).zip(score(&other)).map(|(now, then)| ((now - then) * 10.0).round() / 10.0),
        still_there: all.saturating_sub(new.0),
        compared_to: other.audit_id,
        new: changes(new),
        fixed: changes(fixed),
    })
}

fn changes((total, first): (u64, Vec<Issue>)) -> ChangedIssues {
    let shown = |issue: Issue| ChangedIssue { code: issue.code, page: issue.into() };
    ChangedIssues { total, first: first.into_iter().map(shown).collect() }
}
