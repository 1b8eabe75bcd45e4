//! Site audits, their issues and pages, and the texts of the pages.

mod changes;
mod compare;
mod issues;
mod pages;

use async_trait::async_trait;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_tools::{
    audit::{
        Audit, AuditDifference, AuditRecords, AuditedPage, Fix, Issue, IssueFilter, IssueGroup,
        Page as CrawledPage, PageQuery, PageText, PageTextQuery, PageTexts,
    },
    page::{Cursor, Page},
};

pub(crate) use self::changes::apply_audit_change;
use self::changes::url_key;
use crate::{Store, ToolRecords, cut_page, engine::query, parse_column, parse_json_column, start_after};

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
    requested_by: Option<String>,
    finished_at: Option<i64>,
}

const ROWS_PER_STATEMENT: usize = 200;

/// How many open audits of a brand are read to find one of the same site.
const MAX_OPEN_AUDITS: u32 = 100;

const COLUMNS: &str = "audit_id, plan, status, progress, summary, failure, created_at, created_by_key, requested_by, finished_at";

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

    async fn newest_audit(&self, brand: &BrandId, is_full: bool) -> Result<Option<Audit>, StoreError> {
        self.store
            .run_for(brand, "newest_audit", async {
                let query = DoneAudits { before: None, start_url: "", is_full, limit: 1 };
                Ok(self.store.done_audits(brand, &query).await?.pop())
            })
            .await
    }

    async fn audit_fixes(&self, brand: &BrandId, audit_id: &str) -> Result<Vec<Fix>, StoreError> {
        self.store
            .run_for(brand, "audit_fixes", async {
                let sql = "SELECT fixes FROM audits WHERE brand_id = $1 AND audit_id = $2";
                let row: Option<(Option<String>,)> = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(audit_id)
                    .fetch_optional(db)
                    .await)?;
                let fixes = row.and_then(|(fixes,)| fixes);
                fixes.map_or_else(|| Ok(Vec::new()), |fixes| parse_json_column(&fixes, "fixes"))
            })
            .await
    }

    async fn audited_pages(
        &self,
        brand: &BrandId,
        audit_id: &str,
        query: &PageQuery,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<AuditedPage>, StoreError> {
        self.store
            .run_for(brand, "audited_pages", self.store.audited_pages(brand, audit_id, query, after, limit))
            .await
    }

    async fn known_url(
        &self,
        brand: &BrandId,
        audit_id: &str,
        spellings: &[String],
    ) -> Result<Option<String>, StoreError> {
        self.store.run_for(brand, "known_url", self.store.known_url(brand, audit_id, spellings)).await
    }

    async fn issue_groups(
        &self,
        brand: &BrandId,
        audit_id: &str,
        filter: &IssueFilter,
        shown: u32,
    ) -> Result<Vec<IssueGroup>, StoreError> {
        self.store
            .run_for(brand, "issue_groups", self.store.issue_groups(brand, audit_id, filter, shown))
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
        self.store.run_for(brand, "issues", self.store.issues(brand, audit_id, filter, after, limit)).await
    }

    async fn compare_audits(
        &self,
        brand: &BrandId,
        audit: &Audit,
        earlier: &Audit,
        shown: u32,
    ) -> Result<AuditDifference, StoreError> {
        self.store
            .run_for(brand, "compare_audits", self.store.compare_audits(brand, audit, earlier, shown))
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

/// Which finished audits to read, newest first.
pub(crate) struct DoneAudits<'a> {
    /// They ended before this time.
    pub(crate) before: Option<Timestamp>,
    /// Empty: any.
    pub(crate) start_url: &'a str,
    /// Only full audits.
    pub(crate) is_full: bool,
    pub(crate) limit: u32,
}

/// The summary is compact JSON, and all of its texts are ours.
const IS_FULL: &str = "summary LIKE '%\"end\":\"complete\"%'";

impl Store {
    pub(crate) async fn done_audits(
        &self,
        brand: &BrandId,
        wanted: &DoneAudits<'_>,
    ) -> Result<Vec<Audit>, sqlx::Error> {
        let is_full = if wanted.is_full { IS_FULL } else { "summary IS NOT NULL" };
        let sql = format!(
            "SELECT {COLUMNS} FROM audits WHERE brand_id = $1 AND status = 'done' AND finished_at < $2 \
             AND ($3 = '' OR start_url = $3) AND {is_full} ORDER BY finished_at DESC, audit_id DESC LIMIT $4 + 0"
        );
        let rows: Vec<AuditRow> =
            query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                .bind(brand.as_str())
                .bind(wanted.before.map_or(i64::MAX, Timestamp::millis))
                .bind(wanted.start_url)
                .bind(i64::from(wanted.limit))
                .fetch_all(db)
                .await)?;
        rows.into_iter().map(decode_audit).collect()
    }
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
        requested_by: row.requested_by.map(|user| parse_column(&user, "user id")).transpose()?,
        finished_at: row.finished_at.map(Timestamp::from_millis),
    })
}
