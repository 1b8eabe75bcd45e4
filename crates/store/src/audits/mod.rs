//! Site audits, their issues, and the texts of the audited pages.

mod changes;
mod short_digest;

use async_trait::async_trait;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_tools::{
    audit::{
        Audit, AuditRecords, Issue, IssueFilter, IssueGroup, Page as CrawledPage, PageText, PageTextQuery,
        PageTexts, Severity,
    },
    page::{Cursor, Page},
};

pub(crate) use self::changes::apply_audit_change;
use self::changes::url_key;
use crate::{
    Store, ToolRecords, cut_page, engine::query, next_cursor, parse_column, parse_json_column, start_after,
};

#[derive(FromRow)]
struct AuditRow {
    audit_id: String,
    plan: String,
    status: String,
    progress: Option<String>,
    summary: Option<String>,
    failure: Option<String>,
    created_at: i64,
    created_by_key: String,
    finished_at: Option<i64>,
}

/// How many open audits of a brand are read to find one of the same site.
const MAX_OPEN_AUDITS: u32 = 100;

const COLUMNS: &str =
    "audit_id, plan, status, progress, summary, failure, created_at, created_by_key, finished_at";

#[derive(FromRow)]
struct IssueRow {
    position: i64,
    code: String,
    severity: String,
    url: String,
    evidence: String,
}

/// `$3`, `$4` and `$5` are the severity, code and URL to filter by, or empty.
const FILTER: &str = "brand_id = $1 AND audit_id = $2 AND ($3 = '' OR severity = $3) AND ($4 = '' OR code = $4) \
     AND ($5 = '' OR url = $5)";

/// The issues that audit `$2` has and audit `$3` has not.
const MISSING: &str = "FROM audit_issues a WHERE a.brand_id = $1 AND a.audit_id = $2 AND NOT EXISTS (SELECT 1 \
     FROM audit_issues b WHERE b.brand_id = $1 AND b.audit_id = $3 AND b.identity = a.identity)";

#[async_trait]
impl AuditRecords for ToolRecords {
    async fn audits(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Audit>, StoreError> {
        self.store
            .run_for(brand, "audits", async {
                let sql = format!(
                    "SELECT {COLUMNS} FROM audits WHERE brand_id = $1 AND (created_at < $2 \
                     OR (created_at = $2 AND audit_id < $3)) ORDER BY created_at DESC, audit_id DESC LIMIT $4 + 0"
                );
                let (at, id) = start_after(after);
                let rows: Vec<AuditRow> =
                    query!(&self.store.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                        .bind(brand.as_str())
                        .bind(at)
                        .bind(id)
                        .bind(i64::from(limit) + 1)
                        .fetch_all(db)
                        .await)?;
                let sql = "SELECT COUNT(*) FROM audits WHERE brand_id = $1";
                let (total,): (i64,) = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .fetch_one(db)
                    .await)?;
                let items = rows.into_iter().map(decode_audit).collect::<Result<Vec<_>, _>>()?;
                Ok(cut_page(items, total, limit, |audit: &Audit| Cursor {
                    at: audit.created_at,
                    id: audit.audit_id.clone(),
                }))
            })
            .await
    }

    async fn audit(&self, brand: &BrandId, audit_id: &str) -> Result<Option<Audit>, StoreError> {
        self.store
            .run_for(brand, "audit", async {
                let sql = format!("SELECT {COLUMNS} FROM audits WHERE brand_id = $1 AND audit_id = $2");
                let row: Option<AuditRow> =
                    query!(&self.store.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                        .bind(brand.as_str())
                        .bind(audit_id)
                        .fetch_optional(db)
                        .await)?;
                row.map(decode_audit).transpose()
            })
            .await
    }

    async fn open_audits(&self, brand: &BrandId) -> Result<Vec<Audit>, StoreError> {
        self.store
            .run_for(brand, "open_audits", async {
                let sql = format!(
                    "SELECT {COLUMNS} FROM audits WHERE brand_id = $1 AND status IN ('queued', 'running') \
                     ORDER BY created_at LIMIT {MAX_OPEN_AUDITS}"
                );
                let rows: Vec<AuditRow> =
                    query!(&self.store.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                        .bind(brand.as_str())
                        .fetch_all(db)
                        .await)?;
                rows.into_iter().map(decode_audit).collect()
            })
            .await
    }

    async fn crawled_page(
        &self,
        brand: &BrandId,
        audit_id: &str,
        url: &str,
    ) -> Result<Option<CrawledPage>, StoreError> {
        self.store
            .run_for(brand, "crawled_page", async {
                let sql = "SELECT page FROM audit_pages WHERE brand_id = $1 AND audit_id = $2 AND url = $3";
                let row: Option<(String,)> = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(audit_id)
                    .bind(url_key(url))
                    .fetch_optional(db)
                    .await)?;
                row.map(|(page,)| parse_json_column(&page, "page")).transpose()
            })
            .await
    }

    async fn issue_groups(
        &self,
        brand: &BrandId,
        audit_id: &str,
        filter: &IssueFilter,
        shown: u32,
    ) -> Result<Vec<IssueGroup>, StoreError> {
        #[derive(FromRow)]
        struct Row {
            total: i64,
            #[sqlx(flatten)]
            issue: IssueRow,
        }
        self.store
            .run_for(brand, "issue_groups", async {
                let sql = format!(
                    "SELECT position, code, severity, url, evidence, total FROM (SELECT position, code, severity, \
                     url, evidence, COUNT(*) OVER (PARTITION BY code) AS total, \
                     ROW_NUMBER() OVER (PARTITION BY code ORDER BY position) AS nth \
                     FROM audit_issues WHERE {FILTER}) AS ranked WHERE nth <= $6 ORDER BY position"
                );
                let rows: Vec<Row> =
                    query!(&self.store.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
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
                            total: u32::try_from(row.total).unwrap_or(u32::MAX),
                            first: vec![issue],
                        }),
                    }
                }
                Ok(groups)
            })
            .await
    }

    async fn issues(
        &self,
        brand: &BrandId,
        audit_id: &str,
        filter: &IssueFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Issue>, StoreError> {
        self.store
            .run_for(brand, "issues", async {
                let severity = severity_of(filter);
                let code = filter.code.map_or("", |code| code.as_str());
                let url = filter.url.as_deref().unwrap_or("");
                let sql = format!(
                    "SELECT position, code, severity, url, evidence FROM audit_issues WHERE {FILTER} \
                     AND position > $6 ORDER BY position LIMIT $7 + 0"
                );
                let mut rows: Vec<IssueRow> =
                    query!(&self.store.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
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
                let (total,): (i64,) =
                    query!(&self.store.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
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
            })
            .await
    }

    async fn issues_not_in(
        &self,
        brand: &BrandId,
        audit_id: &str,
        other: &str,
        shown: u32,
    ) -> Result<(u64, Vec<Issue>), StoreError> {
        self.store
            .run_for(brand, "issues_not_in", async {
                let sql = format!(
                    "SELECT position, code, severity, url, evidence {MISSING} ORDER BY position LIMIT $4 + 0"
                );
                let rows: Vec<IssueRow> =
                    query!(&self.store.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                        .bind(brand.as_str())
                        .bind(audit_id)
                        .bind(other)
                        .bind(i64::from(shown))
                        .fetch_all(db)
                        .await)?;
                let total = self.store.count_not_in(brand, audit_id, other).await?;
                let issues = rows.into_iter().map(decode_issue).collect::<Result<Vec<_>, _>>()?;
                Ok((u64::try_from(total).unwrap_or(0), issues))
            })
            .await
    }

    async fn page_texts(&self, brand: &BrandId, limits: PageTextQuery) -> Result<PageTexts, StoreError> {
        #[derive(FromRow)]
        struct Row {
            url: String,
            title: Option<String>,
            /// `None`: with this text, all of them would be longer than the limit.
            text: Option<String>,
        }
        self.store
            .run_for(brand, "page_texts", async {
                // One row more shows that there are further texts.
                let sql = "SELECT url, title, CASE WHEN length <= $3 THEN text END AS text FROM (\
                           SELECT url, title, text, position, site, \
                           SUM(OCTET_LENGTH(text)) OVER (ORDER BY position, site) AS length FROM (\
                           SELECT url, title, text, position, site FROM page_texts \
                           WHERE brand_id = $1 AND is_own = $2 ORDER BY position, site LIMIT $4 + 0) AS nearest) \
                           AS measured ORDER BY position, site";
                let rows: Vec<Row> = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(i64::from(limits.is_own))
                    .bind(i64::from(limits.max_bytes))
                    .bind(i64::from(limits.max_texts) + 1)
                    .fetch_all(db)
                    .await)?;
                let count = rows.len();
                let texts: Vec<PageText> = rows
                    .into_iter()
                    .take(limits.max_texts as usize)
                    .map_while(|row| {
                        let Row { url, title, text } = row;
                        Some(PageText { url, title, text: text?, is_own: limits.is_own })
                    })
                    .collect();
                Ok(PageTexts { is_limited: texts.len() < count, texts })
            })
            .await
    }
}

impl Store {
    /// The number of issues that `audit_id` has and `other` has not.
    pub(crate) async fn count_not_in(
        &self,
        brand: &BrandId,
        audit_id: &str,
        other: &str,
    ) -> Result<i64, sqlx::Error> {
        let sql = format!("SELECT COUNT(*) {MISSING}");
        let (count,): (i64,) = query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
            .bind(brand.as_str())
            .bind(audit_id)
            .bind(other)
            .fetch_one(db)
            .await)?;
        Ok(count)
    }
}

fn severity_of(filter: &IssueFilter) -> &'static str {
    filter.severity.map_or("", Severity::as_str)
}

fn decode_audit(row: AuditRow) -> Result<Audit, sqlx::Error> {
    Ok(Audit {
        audit_id: row.audit_id,
        plan: parse_json_column(&row.plan, "plan")?,
        status: parse_column(&row.status, "status")?,
        progress: row.progress.map(|text| parse_json_column(&text, "progress")).transpose()?,
        summary: row.summary.map(|text| parse_json_column(&text, "summary")).transpose()?,
        failure: row.failure,
        created_at: Timestamp::from_millis(row.created_at),
        created_by_key: parse_column(&row.created_by_key, "key id")?,
        finished_at: row.finished_at.map(Timestamp::from_millis),
    })
}

fn decode_issue(row: IssueRow) -> Result<Issue, sqlx::Error> {
    Ok(Issue {
        code: parse_column(&row.code, "code")?,
        severity: parse_column(&row.severity, "severity")?,
        url: row.url,
        evidence: parse_json_column(&row.evidence, "evidence")?,
    })
}
