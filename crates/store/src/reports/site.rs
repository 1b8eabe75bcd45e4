//! The site audit of a report, compared with the audit before it.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, Timestamp};
use svc_mcp_tools::{
    audit::Summary,
    report::{AuditFigures, AuditState, TopIssue},
};

use crate::{Store, engine::query, parse_column, parse_json_column};

const MAX_TOP_ISSUES: i64 = 5;

#[derive(FromRow)]
struct AuditRow {
    audit_id: String,
    start_url: String,
    summary: String,
    finished_at: i64,
}

#[derive(FromRow)]
struct TopRow {
    code: String,
    severity: String,
    pages: i64,
    example: String,
}

impl Store {
    /// The newest audit that ended before `to`, and the newest of the same site that ended before `from`.
    pub(super) async fn audit_figures(
        &self,
        brand: &BrandId,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Option<AuditFigures>, sqlx::Error> {
        let Some(now) = self.newest_audit(brand, "", to, "").await? else { return Ok(None) };
        let before = self.newest_audit(brand, &now.start_url, from, &now.audit_id).await?;
        let counted = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
        let (mut new, mut fixed) = (0, 0);
        if let Some(before) = &before {
            new = counted(self.count_not_in(brand, &now.audit_id, &before.audit_id).await?);
            fixed = counted(self.count_not_in(brand, &before.audit_id, &now.audit_id).await?);
        }
        let top = self.top_issues(brand, &now.audit_id).await?;
        let now = state(&now)?;
        let counts = now.counts;
        let all = counts.errors + counts.warnings + counts.notices;
        let still_there = if before.is_some() { all.saturating_sub(new) } else { 0 };
        let before = before.as_ref().map(state).transpose()?;
        Ok(Some(AuditFigures { now, before, new, fixed, still_there, top }))
    }

    async fn newest_audit(
        &self,
        brand: &BrandId,
        start_url: &str,
        until: Timestamp,
        except: &str,
    ) -> Result<Option<AuditRow>, sqlx::Error> {
        query!(&self.engine, |db| {
            sqlx::query_as(
                "SELECT audit_id, start_url, summary, finished_at FROM audits WHERE brand_id = $1 \
                 AND status = 'done' AND summary IS NOT NULL AND finished_at < $2 \
                 AND ($3 = '' OR start_url = $3) AND audit_id <> $4 \
                 ORDER BY finished_at DESC, audit_id DESC LIMIT 1",
            )
            .bind(brand.as_str())
            .bind(until.millis())
            .bind(start_url)
            .bind(except)
            .fetch_optional(db)
            .await
        })
    }

    async fn top_issues(&self, brand: &BrandId, audit_id: &str) -> Result<Vec<TopIssue>, sqlx::Error> {
        let rows: Vec<TopRow> = query!(&self.engine, |db| {
            sqlx::query_as(
                "SELECT code, severity, pages, example FROM (SELECT code, severity, COUNT(DISTINCT url) AS pages, \
                 MIN(url) AS example, CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END AS weight \
                 FROM audit_issues WHERE brand_id = $1 AND audit_id = $2 GROUP BY code, severity) AS grouped \
                 ORDER BY weight, pages DESC, code LIMIT $3 + 0",
            )
            .bind(brand.as_str())
            .bind(audit_id)
            .bind(MAX_TOP_ISSUES)
            .fetch_all(db)
            .await
        })?;
        rows.into_iter().map(decode_top).collect()
    }
}

fn state(row: &AuditRow) -> Result<AuditState, sqlx::Error> {
    let summary: Summary = parse_json_column(&row.summary, "summary")?;
    Ok(AuditState {
        audit_id: row.audit_id.clone(),
        finished_at: Timestamp::from_millis(row.finished_at),
        score: summary.score.score,
        pages: summary.score.html_pages,
        counts: summary.score.counts,
    })
}

fn decode_top(row: TopRow) -> Result<TopIssue, sqlx::Error> {
    Ok(TopIssue {
        code: parse_column(&row.code, "code")?,
        severity: parse_column(&row.severity, "severity")?,
        pages: u32::try_from(row.pages).unwrap_or(u32::MAX),
        example: row.example,
    })
}
