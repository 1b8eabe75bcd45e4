//! Suspends and resumes a brand.

use serde_json::json;
use svc_mcp_access::{BrandId, StoreError, Suspension, Timestamp};
use svc_mcp_tools::events::EventType;

use super::brands::suspension;
use crate::{
    Store,
    access_change::AccessChange,
    audit_log::{AuditAction, NewAuditRecord, of_suspension},
    engine::{Tx, query, transaction, within},
    queued_work::{lock_work_of_brand, wake_held_of_brand},
    quotas::lock_limits,
};

/// Whether the brand is suspended, as of this statement.
pub(crate) async fn is_suspended(tx: &mut Tx<'_>, brand: &BrandId) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM brands WHERE brand_id = $1 AND suspended_at IS NOT NULL";
    let suspended: i64 = within!(tx, |db| sqlx::query_scalar(sql).bind(brand.as_str()).fetch_one(db).await)?;
    Ok(suspended > 0)
}

/// Suspends a brand within a transaction. Changes nothing if it is suspended. Returns whether anything changed.
pub(crate) async fn suspend(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    suspension: &Suspension,
) -> Result<bool, sqlx::Error> {
    // Calls take these locks in the same order.
    lock_work_of_brand(tx, brand).await?;
    lock_limits(tx, brand).await?;
    let sql = "UPDATE brands SET suspended_at = $2, suspended_by = $3, suspension_reason = $4 \
               WHERE brand_id = $1 AND suspended_at IS NULL";
    within!(tx, |db| sqlx::query(sql)
        .bind(brand.as_str())
        .bind(suspension.at.millis())
        .bind(suspension.by.as_str())
        .bind(&suspension.reason)
        .execute(db)
        .await
        .map(|done| done.rows_affected() > 0))
}

impl Store {
    /// Suspends a brand. A second call changes nothing. After this returns, the next request with each of its keys is
    /// refused, no worker begins any of its work, and no key is created.
    pub async fn suspend_brand(&self, brand: &BrandId, suspension: &Suspension) -> Result<(), StoreError> {
        let change = self
            .run("suspend_brand", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let changed = suspend(&mut tx, brand, suspension).await?;
                    if changed {
                        self.add_brand_event(&mut tx, EventType::BrandSuspended, brand, json!({})).await?;
                    }
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    let record = NewAuditRecord::new(AuditAction::BrandSuspend, Some(brand), brand.as_str());
                    let (before, after) = (of_suspension(None), of_suspension(Some(suspension)));
                    let record = record.with_change(Some(&before), &after).filter(|_| changed);
                    self.add_audit_records(&mut tx, record).await?;
                    change
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }

    /// Resumes a brand, and the work that was held. Changes nothing if it is not suspended.
    pub async fn resume_brand(&self, brand: &BrandId, now: Timestamp) -> Result<(), StoreError> {
        let change = self
            .run("resume_brand", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let sql = "UPDATE brands SET suspended_at = NULL, suspended_by = NULL, suspension_reason = NULL \
                               WHERE brand_id = $1 AND suspended_at IS NOT NULL";
                    let resumed = within!(&mut tx, |db| sqlx::query(sql)
                        .bind(brand.as_str())
                        .execute(db)
                        .await
                        .map(|done| done.rows_affected()))?;
                    if resumed > 0 {
                        wake_held_of_brand(&mut tx, brand, now).await?;
                        self.add_brand_event(&mut tx, EventType::BrandResumed, brand, json!({})).await?;
                    }
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    let record = NewAuditRecord::new(AuditAction::BrandResume, Some(brand), brand.as_str());
                    self.add_audit_records(&mut tx, (resumed > 0).then_some(record)).await?;
                    change
                })
            })
            .await?;
        self.publish(change).await;
        self.job_added.notify_waiters();
        Ok(())
    }

    /// `None`: the brand is not suspended.
    pub async fn brand_suspension(&self, brand: &BrandId) -> Result<Option<Suspension>, StoreError> {
        self.run_for(brand, "brand_suspension", async {
            let sql = "SELECT suspended_at, suspended_by, suspension_reason FROM brands WHERE brand_id = $1";
            let row: Option<(Option<i64>, Option<String>, Option<String>)> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_optional(db).await)?;
            let Some((at, by, reason)) = row else { return Ok(None) };
            suspension(at, by.as_deref(), reason)
        })
        .await
    }
}
