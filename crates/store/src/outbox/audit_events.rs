//! The event of an audit that found errors which the audit before did not.

use serde_json::json;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, KeyId, Timestamp};
use svc_mcp_tools::{
    audit::{CrawlPlan, Summary},
    events::EventType,
};

use super::{NewOutboxEvent, add_event};
use crate::{
    engine::{Tx, within},
    parse_column, parse_json_column,
};

#[derive(FromRow)]
struct AuditRow {
    plan: String,
    created_by_key: String,
}

#[derive(FromRow)]
struct EarlierRow {
    audit_id: String,
    plan: String,
    summary: Option<String>,
}

/// Compares a full audit with the last full one of the same start page, if both cover the same. The issues of the audit must be
/// written.
pub(crate) async fn add_audit_event(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    audit_id: &str,
    summary: &Summary,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    if !summary.is_full() {
        return Ok(());
    }
    let sql = "SELECT plan, created_by_key FROM audits WHERE brand_id = $1 AND audit_id = $2";
    let audit: Option<AuditRow> =
        within!(tx, |db| sqlx::query_as(sql).bind(brand.as_str()).bind(audit_id).fetch_optional(db).await)?;
    let Some(audit) = audit else { return Ok(()) };
    let plan: CrawlPlan = parse_json_column(&audit.plan, "plan of an audit")?;
    let Some(earlier) = last_full_audit(tx, brand, audit_id, &plan).await? else { return Ok(()) };
    let sql = "SELECT COUNT(*) FROM audit_issues a WHERE a.brand_id = $1 AND a.audit_id = $2 AND a.severity = 'error' \
               AND NOT EXISTS (SELECT 1 FROM audit_issues b WHERE b.brand_id = $1 AND b.audit_id = $3 \
                 AND b.identity = a.identity)";
    let new_errors: i64 = within!(tx, |db| sqlx::query_scalar(sql)
        .bind(brand.as_str())
        .bind(audit_id)
        .bind(&earlier)
        .fetch_one(db)
        .await)?;
    if new_errors == 0 {
        return Ok(());
    }
    let key: KeyId = parse_column(&audit.created_by_key, "key id")?;
    let data = json!({
        "brand_id": brand,
        "key_id": key,
        "audit_id": audit_id,
        "compared_with": earlier,
        "new_errors": new_errors,
    });
    let event = EventType::AuditNewErrors;
    add_event(
        tx,
        NewOutboxEvent { event, brand: Some(brand), key: Some(&key), at: now, unique: audit_id, data },
    )
    .await
}

/// The last audit of the same start page, if it is full and covers the same.
async fn last_full_audit(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    audit_id: &str,
    plan: &CrawlPlan,
) -> Result<Option<String>, sqlx::Error> {
    let sql = "SELECT audit_id, plan, summary FROM audits WHERE brand_id = $1 AND start_url = $2 AND status = 'done' \
               AND audit_id <> $3 ORDER BY created_at DESC, audit_id DESC LIMIT 1";
    let row: Option<EarlierRow> = within!(tx, |db| sqlx::query_as(sql)
        .bind(brand.as_str())
        .bind(&plan.start)
        .bind(audit_id)
        .fetch_optional(db)
        .await)?;
    let Some(row) = row else { return Ok(None) };
    let earlier: CrawlPlan = parse_json_column(&row.plan, "plan of an audit")?;
    let summary = row.summary.as_deref();
    let summary: Option<Summary> =
        summary.map(|summary| parse_json_column(summary, "summary of an audit")).transpose()?;
    let is_comparable = summary.is_some_and(|summary| summary.is_full()) && plan.covers_the_same(&earlier);
    Ok(is_comparable.then_some(row.audit_id))
}
