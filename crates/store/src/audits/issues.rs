//! The issues of an audit. Their positions are their order of importance.

use sqlx_macros::FromRow;
use svc_mcp_access::BrandId;
use svc_mcp_tools::{
    audit::{Issue, IssueFilter, IssueGroup, Severity},
    page::{Cursor, Page},
};

use crate::{Store, engine::query, next_cursor, parse_column, parse_json_column};

#[derive(FromRow)]
pub(super) struct IssueRow {
    position: i64,
    code: String,
    severity: String,
    url: String,
    evidence: String,
}

/// `$3`, `$4` and `$5` are the severity, code and URL to filter by, or empty.
const FILTER: &str = "brand_id = $1 AND audit_id = $2 AND ($3 = '' OR severity = $3) AND ($4 = '' OR code = $4) \
     AND ($5 = '' OR url = $5)";

impl Store {
    pub(crate) async fn issue_groups(
        &self,
        brand: &BrandId,
        audit_id: &str,
        filter: &IssueFilter,
        shown: u32,
    ) -> Result<Vec<IssueGroup>, sqlx::Error> {
        #[derive(FromRow)]
        struct Row {
            issues: i64,
            pages: i64,
            #[sqlx(flatten)]
            issue: IssueRow,
        }
        let sql = format!(
            "SELECT position, ranked.code AS code, severity, url, evidence, issues, pages FROM (SELECT position, code, severity, \
             url, evidence, ROW_NUMBER() OVER (PARTITION BY code ORDER BY position) AS nth \
             FROM audit_issues WHERE {FILTER}) AS ranked \
             JOIN (SELECT code, COUNT(*) AS issues, COUNT(DISTINCT url) AS pages FROM audit_issues WHERE {FILTER} \
             GROUP BY code) AS counted ON counted.code = ranked.code WHERE nth <= $6 ORDER BY position"
        );
        let rows: Vec<Row> = query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
            .bind(brand.as_str())
            .bind(audit_id)
            .bind(severity_of(filter))
            .bind(filter.code.map_or("", |code| code.as_str()))
            .bind(filter.url.as_deref().unwrap_or(""))
            .bind(i64::from(shown))
            .fetch_all(db)
            .await)?;
        let mut groups: Vec<IssueGroup> = Vec::new();
        for row in rows {
            let issue = decode_issue(row.issue)?;
            match groups.iter_mut().find(|group| group.code == issue.code) {
                Some(group) => group.first.push(issue),
                None => groups.push(IssueGroup {
                    code: issue.code,
                    issues: u32::try_from(row.issues).unwrap_or(u32::MAX),
                    pages: u32::try_from(row.pages).unwrap_or(u32::MAX),
                    first: vec![issue],
                }),
            }
        }
        Ok(groups)
    }

    pub(super) async fn issues(
        &self,
        brand: &BrandId,
        audit_id: &str,
        filter: &IssueFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Issue>, sqlx::Error> {
        let severity = severity_of(filter);
        let code = filter.code.map_or("", |code| code.as_str());
        let url = filter.url.as_deref().unwrap_or("");
        let sql = format!(
            "SELECT position, code, severity, url, evidence FROM audit_issues WHERE {FILTER} \
             AND position > $6 ORDER BY position LIMIT $7 + 0"
        );
        let mut rows: Vec<IssueRow> =
            query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                .bind(brand.as_str())
                .bind(audit_id)
                .bind(severity)
                .bind(code)
                .bind(url)
                .bind(after.map_or(-1, |after| after.at.millis()))
                .bind(i64::from(limit) + 1)
                .fetch_all(db)
                .await)?;
        let sql = format!("SELECT COUNT(*) FROM audit_issues WHERE {FILTER}");
        let (total,): (i64,) = query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
            .bind(brand.as_str())
            .bind(audit_id)
            .bind(severity)
            .bind(code)
            .bind(url)
            .fetch_one(db)
            .await)?;
        let next = next_cursor(&mut rows, limit, |row: &IssueRow| {
            Cursor::at_position(usize::try_from(row.position).unwrap_or(0))
        });
        let items = rows.into_iter().map(decode_issue).collect::<Result<Vec<_>, _>>()?;
        Ok(Page { items, total: u64::try_from(total).unwrap_or(0), next })
    }
}

fn severity_of(filter: &IssueFilter) -> &'static str {
    filter.severity.map_or("", Severity::as_str)
}

pub(super) fn decode_issue(row: IssueRow) -> Result<Issue, sqlx::Error> {
    Ok(Issue {
        code: parse_column(&row.code, "code")?,
        severity: parse_column(&row.severity, "severity")?,
        url: row.url,
        evidence: parse_json_column(&row.evidence, "evidence")?,
    })
}
