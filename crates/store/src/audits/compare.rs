//! The difference between two audits.

use svc_mcp_access::BrandId;
use svc_mcp_tools::audit::{
    Audit, AuditDifference, ChangedIssues, Check, ComparedScope, PageOverlap, checks,
};

use super::issues::{IssueRow, decode_issue};
use crate::{Store, engine::query};

/// Issue `a` of audit `$2` is also in audit `$3`.
const IS_IN_BOTH: &str = "EXISTS (SELECT 1 FROM audit_issues b WHERE b.brand_id = $1 AND b.audit_id = $3 \
     AND b.identity = a.identity)";

impl Store {
    pub(crate) async fn compare_audits(
        &self,
        brand: &BrandId,
        audit: &Audit,
        earlier: &Audit,
        shown: u32,
    ) -> Result<AuditDifference, sqlx::Error> {
        let overlap = self.page_overlap(brand, &audit.audit_id, &earlier.audit_id).await?;
        let scope = ComparedScope::of(audit, earlier, overlap);
        Ok(AuditDifference {
            scope,
            overlap,
            new: self.issues_not_in(brand, &audit.audit_id, &earlier.audit_id, scope, shown).await?,
            fixed: self.issues_not_in(brand, &earlier.audit_id, &audit.audit_id, scope, shown).await?,
            still_there: self
                .count_issues(brand, &audit.audit_id, &earlier.audit_id, scope, IS_IN_BOTH)
                .await?,
        })
    }

    async fn page_overlap(
        &self,
        brand: &BrandId,
        audit_id: &str,
        earlier: &str,
    ) -> Result<PageOverlap, sqlx::Error> {
        let sql = "SELECT (SELECT COUNT(*) FROM audited_pages WHERE brand_id = $1 AND audit_id = $2), \
                   (SELECT COUNT(*) FROM audited_pages WHERE brand_id = $1 AND audit_id = $3), \
                   (SELECT COUNT(*) FROM audited_pages WHERE brand_id = $1 AND audit_id = $2 AND url IN \
                   (SELECT url FROM audited_pages WHERE brand_id = $1 AND audit_id = $3))";
        let (new, old, both): (i64, i64, i64) = query!(&self.engine, |db| sqlx::query_as(sql)
            .bind(brand.as_str())
            .bind(audit_id)
            .bind(earlier)
            .fetch_one(db)
            .await)?;
        let count = |number: i64| u32::try_from(number).unwrap_or(0);
        Ok(PageOverlap { both: count(both), only_new: count(new - both), only_earlier: count(old - both) })
    }

    /// The issues that `audit_id` has and `other` has not.
    async fn issues_not_in(
        &self,
        brand: &BrandId,
        audit_id: &str,
        other: &str,
        scope: ComparedScope,
        shown: u32,
    ) -> Result<ChangedIssues, sqlx::Error> {
        let is_missing = format!("NOT {IS_IN_BOTH}");
        let total = self.count_issues(brand, audit_id, other, scope, &is_missing).await?;
        if total == 0 {
            return Ok(ChangedIssues::default());
        }
        let is_missing_error = format!("{is_missing} AND a.severity = 'error'");
        let errors = self.count_issues(brand, audit_id, other, scope, &is_missing_error).await?;
        if shown == 0 {
            return Ok(ChangedIssues { total, errors, first: Vec::new() });
        }
        let sql = format!(
            "SELECT position, code, severity, url, evidence FROM {} AND {is_missing} ORDER BY position LIMIT $4 + 0",
            compared_issues(scope)
        );
        let rows: Vec<IssueRow> =
            query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                .bind(brand.as_str())
                .bind(audit_id)
                .bind(other)
                .bind(i64::from(shown))
                .fetch_all(db)
                .await)?;
        Ok(ChangedIssues {
            total,
            errors,
            first: rows.into_iter().map(decode_issue).collect::<Result<_, _>>()?,
        })
    }

    async fn count_issues(
        &self,
        brand: &BrandId,
        audit_id: &str,
        other: &str,
        scope: ComparedScope,
        condition: &str,
    ) -> Result<u64, sqlx::Error> {
        let sql = format!("SELECT COUNT(*) FROM {} AND {condition}", compared_issues(scope));
        let (count,): (i64,) = query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
            .bind(brand.as_str())
            .bind(audit_id)
            .bind(other)
            .fetch_one(db)
            .await)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }
}

/// The issues of audit `$2` that can be compared with those of audit `$3`.
fn compared_issues(scope: ComparedScope) -> String {
    let all = "audit_issues a WHERE a.brand_id = $1 AND a.audit_id = $2";
    match scope {
        ComparedScope::Everything => all.to_owned(),
        ComparedScope::CommonPages => {
            let codes = checks().filter(|check| Check::is_page_check(check));
            let codes: Vec<String> = codes.map(|check| format!("'{}'", check.code.as_str())).collect();
            format!(
                "{all} AND a.code IN ({}) AND a.url IN \
                 (SELECT p.url FROM audited_pages p WHERE p.brand_id = $1 AND p.audit_id = $3)",
                codes.join(", ")
            )
        }
    }
}
