use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, StoreError, ToolAccess};

use super::{
    Audit, AuditDifference, AuditView, ComparedScope, Issue, Severity,
    view::{AffectedPage, take_bytes},
};
use crate::{
    Records,
    jobs::WorkStatus,
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure},
};

/// The number of new and of fixed issues in the result, and their size as JSON.
const MAX_SHOWN: u32 = 10;
const MAX_CHANGED_BYTES: usize = 7_000;

#[derive(Debug)]
pub struct GetAudit;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// From `run_audit` or `list_audits`.
    #[schemars(length(min = 1, max = 64))]
    audit_id: String,
    /// An earlier audit to compare with: which issues are new, fixed and still there. Only what both audits could find is
    /// compared.
    #[schemars(length(min = 1, max = 64))]
    compare_to: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct AuditWithComparison {
    #[serde(flatten)]
    audit: AuditView,
    /// Null unless `compare_to` was given.
    comparison: Option<ComparisonView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ComparisonView {
    compared_to: String,
    /// The number of pages that both audits visited.
    pages_compared: u32,
    /// The change of the score in points. Null if the audits did not look at the same pages.
    score_change: Option<f64>,
    new: ChangedIssuesView,
    fixed: ChangedIssuesView,
    still_there: u64,
    /// What was not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangedIssuesView {
    total: u64,
    /// The ten most important at most.
    first: Vec<ChangedIssue>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangedIssue {
    code: &'static str,
    title: &'static str,
    severity: Severity,
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
        description: "Returns one audit: while it runs, its `progress`; once `done`, its score (100: no page has an error), \
            the number of errors, warnings and notices, and `fixes`: what to do, the most important first, grouped \
            by cause, each with its pages, what links to them, and how much the score gains. With `compare_to` it \
            also returns which issues are new, fixed and still there. `list_audit_issues` has the evidence, \
            `list_pages` the pages.",
        example: r#"{"audit_id": "audit_7Hq2pXw9sLk3mNb5vTcR"}"#,
    };

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, ToolError> {
        let audit = find(call, &arguments.audit_id).await?;
        let comparison = match &arguments.compare_to {
            Some(other) => Some(compare(call, &audit, other).await?),
            None => None,
        };
        let fixes = call.context.records.audit_fixes(call.brand_id(), &audit.audit_id).await?;
        Ok(Outcome::new(AuditWithComparison { audit: AuditView::new(audit, fixes), comparison }))
    }
}

/// An audit with its fixes, as the tool shows it.
pub async fn find_audit(
    records: &dyn Records,
    brand: &BrandId,
    audit_id: &str,
) -> Result<Option<(Audit, AuditView)>, StoreError> {
    let Some(audit) = records.audit(brand, audit_id).await? else { return Ok(None) };
    let fixes = records.audit_fixes(brand, audit_id).await?;
    Ok(Some((audit.clone(), AuditView::new(audit, fixes))))
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

async fn compare(call: &Call, audit: &Audit, other: &str) -> Result<ComparisonView, ToolError> {
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
    let records = &call.context.records;
    let difference = records.compare_audits(call.brand_id(), audit, &other, MAX_SHOWN).await?;
    let score = |audit: &Audit| audit.summary.as_ref()?.score.score;
    let is_comparable = difference.scope == ComparedScope::Everything;
    let scores = score(audit).zip(score(&other)).filter(|_| is_comparable);
    Ok(ComparisonView {
        compared_to: other.audit_id,
        pages_compared: difference.overlap.both,
        score_change: scores.map(|(now, then)| ((now - then) * 10.0).round() / 10.0),
        still_there: difference.still_there,
        notes: note_on(&difference).into_iter().collect(),
        new: changes(difference.new.total, difference.new.first),
        fixed: changes(difference.fixed.total, difference.fixed.first),
    })
}

fn note_on(difference: &AuditDifference) -> Option<String> {
    match (difference.scope, difference.overlap.both) {
        (ComparedScope::Everything, _) => None,
        (ComparedScope::CommonPages, 0) => Some(
            "Nothing was compared: the audits have no page in common, or an older version did not store which pages \
             they visited. Run a new audit to compare with."
                .to_owned(),
        ),
        (ComparedScope::CommonPages, pages) => Some(format!(
            "The audits did not look at the same pages, because one of them is partial or has other settings. Only what \
             the {pages} pages that both visited show by themselves was compared. The score, and checks that need other \
             pages (for example broken links and duplicates), were not."
        )),
    }
}

fn changes(total: u64, first: Vec<Issue>) -> ChangedIssuesView {
    let shown = |issue: Issue| ChangedIssue {
        code: issue.code.as_str(),
        title: issue.code.title(),
        severity: issue.severity,
        page: issue.into(),
    };
    ChangedIssuesView { total, first: take_bytes(first.into_iter().map(shown), MAX_CHANGED_BYTES) }
}
