use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::ToolAccess;

use super::{Audit, AuditView, Code, Issue, view::FaultyPage};
use crate::{
    jobs::WorkStatus,
    tool::{Call, Failure, Hints, Outcome, Stopped, Tool, Words},
};

/// How many new and fixed issues are shown.
const SHOWN: u32 = 10;

#[derive(Debug)]
pub struct GetAudit;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// The `id` that `run_audit` gave, or an `audit_id` of `list_audits`.
    #[schemars(length(min = 1, max = 64))]
    audit_id: String,
    /// An earlier audit: what is new since then, what was mended, how much is still there.
    #[schemars(length(min = 1, max = 64))]
    compare_to: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct AuditAndChange {
    #[serde(flatten)]
    audit: AuditView,
    /// Null unless `compare_to` was given.
    comparison: Option<Comparison>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Comparison {
    compared_to: String,
    /// How many points the score rose or fell.
    score_change: Option<f64>,
    new: Changed,
    fixed: Changed,
    still_there: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Changed {
    total: u64,
    /// The first ten.
    first: Vec<ChangedIssue>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangedIssue {
    code: Code,
    #[serde(flatten)]
    page: FaultyPage,
}

impl Tool for GetAudit {
    type Arguments = Arguments;
    type Output = AuditAndChange;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const WORDS: Words = Words {
        name: "get_audit",
        title: "One audit",
        description: "Returns one audit: while it runs its `progress` (pages visited and waiting), once `done` its score \
            (100 means no page has an error), the number of errors, warnings and notices, and the issues that matter \
            most with why and how to mend them. With `compare_to` it also tells what is new, fixed and still there \
            against an earlier audit. Use `list_audit_issues` for the pages behind each issue.",
        example: r#"{"audit_id": "audit_7Hq2pXw9sLk3mNb5vTcR"}"#,
    };

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, Stopped> {
        let audit = find(call, &arguments.audit_id).await?;
        let comparison = match &arguments.compare_to {
            Some(other) => Some(compared(call, &audit, other).await?),
            None => None,
        };
        Ok(Outcome::of(AuditAndChange { audit: audit.into(), comparison }))
    }
}

pub(super) async fn find(call: &Call, audit_id: &str) -> Result<Audit, Stopped> {
    call.means.records.audit(call.brand_id(), audit_id).await?.ok_or_else(|| {
        Failure::new("audit_not_found", "The brand has no such audit.", "list_audits has those there are.")
            .into()
    })
}

async fn compared(call: &Call, audit: &Audit, other: &str) -> Result<Comparison, Stopped> {
    let other = find(call, other).await?;
    if [audit, &other].iter().any(|audit| audit.status != WorkStatus::Done) {
        return Err(Failure {
            retryable: true,
            ..Failure::new(
                "audit_not_done",
                "Both audits must be done to be compared.",
                "Ask again once they are.",
            )
        }
        .into());
    }
    let (brand, records) = (call.brand_id(), &call.means.records);
    let new = records.issues_not_in(brand, &audit.audit_id, &other.audit_id, SHOWN).await?;
    let fixed = records.issues_not_in(brand, &other.audit_id, &audit.audit_id, SHOWN).await?;
    let all: u64 =
        audit.summary.iter().flat_map(|summary| summary.codes.values()).map(|n| u64::from(*n)).sum();
    let score = |audit: &Audit| audit.summary.as_ref()?.score.score;
    Ok(Comparison {
        score_change: score(audit).zip(score(&other)).map(|(now, then)| ((now - then) * 10.0).round() / 10.0),
        still_there: all.saturating_sub(new.0),
        compared_to: other.audit_id,
        new: changed(new),
        fixed: changed(fixed),
    })
}

fn changed((total, first): (u64, Vec<Issue>)) -> Changed {
    let shown = |issue: Issue| ChangedIssue { code: issue.code, page: issue.into() };
    Changed { total, first: first.into_iter().map(shown).collect() }
}
