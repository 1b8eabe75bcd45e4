//! The URLs that an audit visited.

use sqlx::QueryBuilder;
use sqlx_macros::FromRow;
use svc_mcp_access::BrandId;
use svc_mcp_tools::{
    audit::{AuditedPage, PageQuery, PageSort, StatusRange},
    page::{Cursor, Page},
};

use super::ROWS_PER_STATEMENT;
use crate::{
    Store,
    engine::{Tx, query, within},
};

#[derive(FromRow)]
struct PageRow {
    url: String,
    status: Option<i64>,
    failure: Option<String>,
    redirect_to: Option<String>,
    title: Option<String>,
    words: Option<i64>,
    language: Option<String>,
    ease_tenths: Option<i64>,
    issues: i64,
    errors: i64,
}

/// `$3` and `$4` are the lowest and highest status, or −1 for any, or 0 for none. `$5` is a pattern, or empty.
const FILTER: &str = "brand_id = $1 AND audit_id = $2 AND ($3 = -1 OR ($3 = 0 AND status IS NULL) \
     OR (status >= $3 AND status <= $4)) AND ($5 = '' OR LOWER(url) LIKE $5 ESCAPE '\\' OR title_lower LIKE $5 ESCAPE '\\')";

pub(super) async fn add_audited_pages(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    audit_id: &str,
    pages: &[AuditedPage],
) -> Result<(), sqlx::Error> {
    for (chunk, pages) in pages.chunks(ROWS_PER_STATEMENT).enumerate() {
        let first = chunk * ROWS_PER_STATEMENT;
        within!(tx, |db| {
            let mut insert = QueryBuilder::new(
                "INSERT INTO audited_pages (brand_id, audit_id, position, url, status, failure, redirect_to, title, \
                 title_lower, words, language, ease_tenths, issues, errors) ",
            );
            insert.push_values(pages.iter().enumerate(), |mut row, (number, page)| {
                row.push_bind(brand.as_str())
                    .push_bind(audit_id)
                    .push_bind(i64::try_from(first + number).unwrap_or(i64::MAX))
                    .push_bind(&page.url)
                    .push_bind(page.status.map(i64::from))
                    .push_bind(&page.failure)
                    .push_bind(&page.redirect_to)
                    .push_bind(&page.title)
                    .push_bind(page.title.as_ref().map(|title| title.to_lowercase()))
                    .push_bind(page.words.map(i64::from))
                    .push_bind(&page.language)
                    .push_bind(page.readability.map(tenths))
                    .push_bind(i64::from(page.issues))
                    .push_bind(i64::from(page.errors));
            });
            insert.build().persistent(false).execute(db).await.map(|_| ())
        })?;
    }
    Ok(())
}

impl Store {
    pub(super) async fn audited_pages(
        &self,
        brand: &BrandId,
        audit_id: &str,
        wanted: &PageQuery,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<AuditedPage>, sqlx::Error> {
        let (lowest, highest) = match wanted.status {
            None => (-1, -1),
            Some(StatusRange::NoResponse) => (0, 0),
            Some(StatusRange::Between(lowest, highest)) => (i64::from(lowest), i64::from(highest)),
        };
        let pattern = wanted.text.as_deref().map(contains_pattern).unwrap_or_default();
        let offset = after.map_or(0, |after| after.at.millis().max(0));
        // The pages of an audit do not change, so a position in this order stays the same.
        let sql = format!(
            "SELECT url, status, failure, redirect_to, title, words, language, ease_tenths, issues, errors \
             FROM audited_pages WHERE {FILTER} ORDER BY {}, url, position LIMIT $6 + 0 OFFSET $7 + 0",
            order(wanted.sort)
        );
        let rows: Vec<PageRow> =
            query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                .bind(brand.as_str())
                .bind(audit_id)
                .bind(lowest)
                .bind(highest)
                .bind(&pattern)
                .bind(i64::from(limit))
                .bind(offset)
                .fetch_all(db)
                .await)?;
        let sql = format!("SELECT COUNT(*) FROM audited_pages WHERE {FILTER}");
        let (total,): (i64,) = query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
            .bind(brand.as_str())
            .bind(audit_id)
            .bind(lowest)
            .bind(highest)
            .bind(&pattern)
            .fetch_one(db)
            .await)?;
        let (total, offset) = (u64::try_from(total).unwrap_or(0), usize::try_from(offset).unwrap_or(0));
        let end = offset.saturating_add(rows.len());
        let has_more = !rows.is_empty() && (end as u64) < total;
        Ok(Page {
            items: rows.into_iter().map(decode_page).collect(),
            total,
            next: has_more.then(|| Cursor::at_position(end)),
        })
    }

    pub(super) async fn known_url(
        &self,
        brand: &BrandId,
        audit_id: &str,
        spellings: &[String],
    ) -> Result<Option<String>, sqlx::Error> {
        if spellings.is_empty() {
            return Ok(None);
        }
        let found: Vec<(String,)> = query!(&self.engine, |db| {
            let mut sql = QueryBuilder::new("");
            for (table, before) in [("audited_pages", ""), ("audit_issues", " UNION ")] {
                sql.push(before).push("SELECT url FROM ").push(table).push(" WHERE brand_id = ");
                sql.push_bind(brand.as_str()).push(" AND audit_id = ").push_bind(audit_id);
                sql.push(" AND url IN (");
                let mut list = sql.separated(", ");
                for spelling in spellings {
                    list.push_bind(spelling);
                }
                sql.push(")");
            }
            sql.build_query_as().persistent(false).fetch_all(db).await
        })?;
        Ok(spellings.iter().find(|spelling| found.iter().any(|(url,)| url == *spelling)).cloned())
    }
}

fn order(sort: PageSort) -> &'static str {
    match sort {
        PageSort::Url => "url",
        PageSort::MostIssues => "errors DESC, issues DESC",
        PageSort::FewestWords => "CASE WHEN words IS NULL THEN 1 ELSE 0 END, words",
        PageSort::HardestToRead => "CASE WHEN ease_tenths IS NULL THEN 1 ELSE 0 END, ease_tenths",
    }
}

/// A `LIKE` pattern for texts in lower case that contain `piece`.
fn contains_pattern(piece: &str) -> String {
    let escaped = piece.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

#[expect(clippy::cast_possible_truncation, reason = "the measure is far below 2^53")]
fn tenths(ease: f64) -> i64 {
    (ease * 10.0).round() as i64
}

fn decode_page(row: PageRow) -> AuditedPage {
    let count = |number: i64| u32::try_from(number).unwrap_or(0);
    AuditedPage {
        url: row.url,
        status: row.status.and_then(|status| u16::try_from(status).ok()),
        failure: row.failure,
        redirect_to: row.redirect_to,
        title: row.title,
        words: row.words.map(count),
        language: row.language,
        readability: row.ease_tenths.map(|tenths| f64::from(i32::try_from(tenths).unwrap_or(0)) / 10.0),
        issues: count(row.issues),
        errors: count(row.errors),
    }
}
