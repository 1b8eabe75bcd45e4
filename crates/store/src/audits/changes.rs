//! How audits are added, advanced and ended, and how the texts of their pages are stored.

use sqlx::QueryBuilder;
use svc_mcp_access::{BrandId, Timestamp, UserId};
use svc_mcp_tools::audit::{Audit, AuditChange, Fix, Issue, Page, PageText};

use super::{ROWS_PER_STATEMENT, pages::add_audited_pages};
use crate::{
    brands::lock_brand,
    engine::{Tx, within},
    outbox::add_audit_event,
    short_digest::short_digest,
};

pub(crate) async fn apply_audit_change(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &AuditChange,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    match change {
        AuditChange::Add(audit) => add(tx, brand, audit).await,
        AuditChange::Advance { audit_id, progress, pages } => {
            let progress = json(progress);
            within!(tx, |db| sqlx::query(
                "UPDATE audits SET status = 'running', progress = $3 WHERE brand_id = $1 AND audit_id = $2",
            )
            .bind(brand.as_str())
            .bind(audit_id)
            .bind(progress)
            .execute(db)
            .await
            .map(|_| ()))?;
            add_pages(tx, brand, audit_id, pages).await
        }
        AuditChange::Finish { audit_id, summary, issues, fixes, pages } => {
            end(tx, brand, audit_id, "done", Some(json(summary)), None, now).await?;
            set_fixes(tx, brand, audit_id, fixes).await?;
            add_audited_pages(tx, brand, audit_id, pages).await?;
            add_issues(tx, brand, audit_id, issues).await?;
            add_audit_event(tx, brand, audit_id, summary, now).await
        }
        AuditChange::Fail { audit_id, reason } => {
            end(tx, brand, audit_id, "failed", None, Some(reason), now).await
        }
        AuditChange::KeepTexts { site, texts } => replace_texts(tx, brand, site, texts, now).await,
        AuditChange::KeepPartialTexts { site, texts } => {
            if count_texts(tx, brand, site).await? > 2 * texts.len() {
                return Ok(());
            }
            replace_texts(tx, brand, site, texts, now).await
        }
    }
}

async fn add(tx: &mut Tx<'_>, brand: &BrandId, audit: &Audit) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO audits (brand_id, audit_id, start_url, plan, status, progress, summary, failure, created_at, \
         created_by_key, finished_at, requested_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(brand.as_str())
    .bind(&audit.audit_id)
    .bind(&audit.plan.start)
    .bind(json(&audit.plan))
    .bind(audit.status.as_str())
    .bind(audit.progress.as_ref().map(json))
    .bind(audit.summary.as_ref().map(json))
    .bind(&audit.failure)
    .bind(audit.created_at.millis())
    .bind(audit.created_by_key.as_str())
    .bind(audit.finished_at.map(Timestamp::millis))
    .bind(audit.requested_by.as_ref().map(UserId::as_str))
    .execute(db)
    .await
    .map(|_| ())
    })
}

async fn end(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    audit_id: &str,
    status: &'static str,
    summary: Option<String>,
    failure: Option<&String>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "UPDATE audits SET status = $3, summary = $4, failure = $5, finished_at = $6 \
         WHERE brand_id = $1 AND audit_id = $2",
    )
    .bind(brand.as_str())
    .bind(audit_id)
    .bind(status)
    .bind(summary)
    .bind(failure)
    .bind(now.millis())
    .execute(db)
    .await
    .map(|_| ()))?;
    // The pages are needed only to continue an interrupted crawl.
    within!(tx, |db| sqlx::query("DELETE FROM audit_pages WHERE brand_id = $1 AND audit_id = $2")
        .bind(brand.as_str())
        .bind(audit_id)
        .execute(db)
        .await
        .map(|_| ()))
}

async fn set_fixes(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    audit_id: &str,
    fixes: &[Fix],
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query("UPDATE audits SET fixes = $3 WHERE brand_id = $1 AND audit_id = $2")
        .bind(brand.as_str())
        .bind(audit_id)
        .bind(json(&fixes))
        .execute(db)
        .await
        .map(|_| ()))
}

async fn add_pages(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    audit_id: &str,
    pages: &[Page],
) -> Result<(), sqlx::Error> {
    // One row for each statement: pages are large, and all values of a statement are in memory twice.
    for page in pages {
        within!(tx, |db| {
            sqlx::query(
            "INSERT INTO audit_pages (brand_id, audit_id, url, page) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        )
        .bind(brand.as_str())
        .bind(audit_id)
        .bind(url_key(&page.url))
        .bind(json(page))
        .execute(db)
        .await
        .map(|_| ())
        })?;
    }
    Ok(())
}

async fn add_issues(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    audit_id: &str,
    issues: &[Issue],
) -> Result<(), sqlx::Error> {
    for (chunk, issues) in issues.chunks(ROWS_PER_STATEMENT).enumerate() {
        let first = chunk * ROWS_PER_STATEMENT;
        within!(tx, |db| {
            let mut insert = QueryBuilder::new(
                "INSERT INTO audit_issues (brand_id, audit_id, position, code, severity, url, identity, evidence) ",
            );
            insert.push_values(issues.iter().enumerate(), |mut row, (number, issue)| {
                row.push_bind(brand.as_str())
                    .push_bind(audit_id)
                    .push_bind(position(first + number))
                    .push_bind(issue.code.as_str())
                    .push_bind(issue.severity.as_str())
                    .push_bind(&issue.url)
                    .push_bind(identity(issue))
                    .push_bind(json(&issue.evidence));
            });
            insert.build().persistent(false).execute(db).await.map(|_| ())
        })?;
    }
    Ok(())
}

async fn count_texts(tx: &mut Tx<'_>, brand: &BrandId, site: &str) -> Result<usize, sqlx::Error> {
    let (count,): (i64,) = within!(tx, |db| {
        sqlx::query_as("SELECT COUNT(*) FROM page_texts WHERE brand_id = $1 AND site = $2")
            .bind(brand.as_str())
            .bind(site)
            .fetch_one(db)
            .await
    })?;
    Ok(usize::try_from(count).unwrap_or(0))
}

async fn replace_texts(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    site: &str,
    texts: &[PageText],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    // Otherwise two concurrent audits would write to the same positions.
    lock_brand(tx, brand).await?;
    within!(tx, |db| sqlx::query("DELETE FROM page_texts WHERE brand_id = $1 AND site = $2")
        .bind(brand.as_str())
        .bind(site)
        .execute(db)
        .await
        .map(|_| ()))?;
    for (chunk, texts) in texts.chunks(ROWS_PER_STATEMENT).enumerate() {
        let first = chunk * ROWS_PER_STATEMENT;
        within!(tx, |db| {
            let mut insert = QueryBuilder::new(
                "INSERT INTO page_texts (brand_id, site, position, url, title, text, is_own, fetched_at) ",
            );
            insert.push_values(texts.iter().enumerate(), |mut row, (number, page)| {
                row.push_bind(brand.as_str())
                    .push_bind(site)
                    .push_bind(position(first + number))
                    .push_bind(without_nul(&page.url))
                    .push_bind(page.title.as_deref().map(without_nul))
                    .push_bind(without_nul(&page.text))
                    .push_bind(i64::from(page.is_own))
                    .push_bind(now.millis());
            });
            insert.build().persistent(false).execute(db).await.map(|_| ())
        })?;
    }
    Ok(())
}

/// A page may contain NUL, which PostgreSQL does not store.
fn without_nul(text: &str) -> String {
    text.replace('\0', "")
}

/// JSON escapes a NUL, so PostgreSQL can store it.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("the value is JSON")
}

/// URLs may be longer than an index allows.
pub(super) fn url_key(url: &str) -> String {
    short_digest(&[url])
}

fn identity(issue: &Issue) -> String {
    let (code, url, key) = issue.identity();
    short_digest(&[code.as_str(), url, key])
}

fn position(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
