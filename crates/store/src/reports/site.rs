//! The site audit of a report, compared with the audit before it.

use svc_mcp_access::{BrandId, Timestamp};
use svc_mcp_tools::{
    audit::{Audit, IssueFilter, IssueGroup},
    report::{AuditFigures, AuditState, PartialAudit, TopIssue},
};

use crate::{Store, audits::DoneAudits};

const MAX_TOP_ISSUES: usize = 5;
/// How many earlier audits are read to find one with the same settings.
const MAX_EARLIER_AUDITS: u32 = 20;

impl Store {
    /// The newest full audit that ended before `to`, and the newest full one of the same site that ended before `from`. A
    /// partial audit says nothing about the whole site.
    pub(super) async fn audit_figures(
        &self,
        brand: &BrandId,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Option<AuditFigures>, sqlx::Error> {
        let newest = DoneAudits { before: Some(to), start_url: "", is_full: true, limit: 1 };
        let Some(now) = self.done_audits(brand, &newest).await?.pop() else { return Ok(None) };
        let earlier = DoneAudits {
            before: Some(from),
            start_url: &now.plan.start,
            is_full: true,
            limit: MAX_EARLIER_AUDITS,
        };
        let earlier = self.done_audits(brand, &earlier).await?;
        let is_comparable =
            |audit: &Audit| audit.audit_id != now.audit_id && audit.plan.covers_the_same(&now.plan);
        let before = earlier.into_iter().find(is_comparable);
        let (mut new, mut new_errors, mut fixed, mut still_there) = (0, 0, 0, 0);
        if let Some(before) = &before {
            let counted = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
            let difference = self.compare_audits(brand, &now, before, 0).await?;
            (new, fixed) = (counted(difference.new.total), counted(difference.fixed.total));
            new_errors = counted(difference.new.errors);
            still_there = counted(difference.still_there);
        }
        let groups = self.issue_groups(brand, &now.audit_id, &IssueFilter::default(), 1).await?;
        let top = groups.into_iter().take(MAX_TOP_ISSUES).filter_map(top_issue).collect();
        let Some(now) = state(&now) else { return Ok(None) };
        let before = before.as_ref().and_then(state);
        Ok(Some(AuditFigures { now, before, new, new_errors, fixed, still_there, top }))
    }

    /// The newest audit that ended before `to`. It is partial if there is no full one.
    pub(super) async fn partial_audit(
        &self,
        brand: &BrandId,
        to: Timestamp,
    ) -> Result<Option<PartialAudit>, sqlx::Error> {
        let newest = DoneAudits { before: Some(to), start_url: "", is_full: false, limit: 1 };
        let audit = self.done_audits(brand, &newest).await?.pop();
        Ok(audit.and_then(|audit| {
            let (summary, finished_at) = (audit.summary?, audit.finished_at?);
            Some(PartialAudit { finished_at, visited: summary.visited, left_out: summary.left_out })
        }))
    }
}

fn state(audit: &Audit) -> Option<AuditState> {
    let score = audit.summary.as_ref()?.score;
    Some(AuditState {
        audit_id: audit.audit_id.clone(),
        finished_at: audit.finished_at?,
        score: score.score,
        pages: score.html_pages,
        counts: score.counts,
    })
}

fn top_issue(group: IssueGroup) -> Option<TopIssue> {
    let first = group.first.into_iter().next()?;
    Some(TopIssue { code: group.code, severity: first.severity, pages: group.pages, example: first.url })
}
