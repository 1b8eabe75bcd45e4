//! Pausing and resuming keys, by a person or because the creator was removed from the brand.

use serde_json::json;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp, UserId, decision::Denial, key::PauseReason};
use svc_mcp_tools::{events::EventType, jobs::JobKind};

use crate::{
    EventKind, EventOutcome, NewEvent, Store,
    access_change::AccessChange,
    activity::insert_event,
    audit_log::{AuditAction, Fields, NewAuditRecord, of_member},
    cancelled_work::{Cancellation, OrderedBy, cancel_queued},
    engine::{Tx, transaction, within},
    members::lock_member,
    parse_column,
    queued_work::{lock_key, lock_keys_of, wake_held},
};

/// Who removes a member, and when.
#[derive(Debug, Clone)]
pub struct MemberRemoval {
    pub actor: UserId,
    pub at: Timestamp,
    /// The ids of the events of the member's keys start with this.
    pub event_prefix: String,
}

const PAUSE: &str = "UPDATE keys SET paused_at = $3, paused_by = $4, pause_reason = $5 \
     WHERE brand_id = $1 AND key_id = $2 AND revoked_at IS NULL AND paused_at IS NULL";
const RESUME: &str = "UPDATE keys SET paused_at = NULL, paused_by = NULL, pause_reason = NULL \
     WHERE brand_id = $1 AND key_id = $2 AND revoked_at IS NULL AND paused_at IS NOT NULL";

impl Store {
    /// Pauses a key. A second call changes nothing. After this returns, the next request with the key is refused.
    pub async fn pause_key(&self, brand: &BrandId, key: &KeyId, event: &NewEvent) -> Result<(), StoreError> {
        let change = self
            .run("pause_key", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    lock_key(&mut tx, key).await?;
                    let changed = pause(&mut tx, brand, key, event).await?;
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    self.add_audit_records(&mut tx, changed.then(|| of_pause(brand, key, true))).await?;
                    change
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }

    /// Resumes a paused key, and the work that was held. Changes nothing if it is not paused.
    pub async fn resume_key(&self, brand: &BrandId, key: &KeyId, event: &NewEvent) -> Result<(), StoreError> {
        let change = self
            .run("resume_key", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let changed = resume(&mut tx, brand, key, event).await?;
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    self.add_audit_records(&mut tx, changed.then(|| of_pause(brand, key, false))).await?;
                    change
                })
            })
            .await?;
        self.publish(change).await;
        self.job_added.notify_waiters();
        Ok(())
    }

    /// Removes a member, pauses the keys that they created, and cancels what these have queued. Returns whether there was such a member.
    pub async fn remove_member(
        &self,
        brand: &BrandId,
        user: &UserId,
        removal: &MemberRemoval,
    ) -> Result<bool, StoreError> {
        let (removed, change) = self
            .run("remove_member", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    lock_keys_of(&mut tx, brand, user).await?;
                    let member = lock_member(&mut tx, brand, user).await?;
                    let sql = "DELETE FROM members WHERE brand_id = $1 AND user_id = $2";
                    let removed = within!(&mut tx, |db| sqlx::query(sql)
                        .bind(brand.as_str())
                        .bind(user.as_str())
                        .execute(db)
                        .await
                        .map(|done| done.rows_affected() > 0))?;
                    if removed {
                        pause_keys_of(&mut tx, brand, user, removal).await?;
                        let cancellation = Cancellation {
                            denial: Denial::OwnerRemoved,
                            actor: &removal.actor,
                            at: removal.at,
                            event_prefix: &removal.event_prefix,
                        };
                        cancel_queued(&mut tx, brand, OrderedBy::Creator(user), &JobKind::ALL, &cancellation)
                            .await?;
                        let data = json!({"user_id": user});
                        self.add_brand_event(&mut tx, EventType::MemberRemoved, brand, data).await?;
                    }
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    let record = member.filter(|_| removed).map(|member| {
                        NewAuditRecord::new(AuditAction::MemberRemove, Some(brand), user.as_str())
                            .with_before(&of_member(&member))
                    });
                    self.add_audit_records(&mut tx, record).await?;
                    (removed, change)
                })
            })
            .await?;
        self.publish(change).await;
        Ok(removed)
    }
}

fn of_pause(brand: &BrandId, key: &KeyId, paused: bool) -> NewAuditRecord {
    let fields = Fields::default().show("paused", paused);
    NewAuditRecord::new(AuditAction::KeyUpdate, Some(brand), key.as_str()).with_after(&fields)
}

/// Pauses a key that is locked, and records it. Changes nothing if it is paused. Returns whether anything changed.
pub(crate) async fn pause(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
    event: &NewEvent,
) -> Result<bool, sqlx::Error> {
    let changed = within!(tx, |db| sqlx::query(PAUSE)
        .bind(brand.as_str())
        .bind(key.as_str())
        .bind(event.at.millis())
        .bind(event.actor.as_str())
        .bind(PauseReason::Requested.as_str())
        .execute(db)
        .await
        .map(|done| done.rows_affected()))?;
    if changed > 0 {
        insert_event(tx, brand, event).await?;
    }
    Ok(changed > 0)
}

/// Resumes a key and the work that was held, and records it. Changes nothing if it is not paused. Returns whether anything
/// changed.
pub(crate) async fn resume(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
    event: &NewEvent,
) -> Result<bool, sqlx::Error> {
    let changed = within!(tx, |db| sqlx::query(RESUME)
        .bind(brand.as_str())
        .bind(key.as_str())
        .execute(db)
        .await
        .map(|done| done.rows_affected()))?;
    if changed > 0 {
        insert_event(tx, brand, event).await?;
        wake_held(tx, brand, key, event.at).await?;
    }
    Ok(changed > 0)
}

async fn pause_keys_of(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    user: &UserId,
    removal: &MemberRemoval,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE keys SET paused_at = $3, paused_by = $4, pause_reason = $5 WHERE brand_id = $1 \
         AND created_by = $2 AND revoked_at IS NULL AND paused_at IS NULL RETURNING key_id";
    let paused: Vec<(String,)> = within!(tx, |db| sqlx::query_as(sql)
        .bind(brand.as_str())
        .bind(user.as_str())
        .bind(removal.at.millis())
        .bind(removal.actor.as_str())
        .bind(PauseReason::OwnerRemoved.as_str())
        .fetch_all(db)
        .await)?;
    for (number, (key,)) in paused.iter().enumerate() {
        let event = NewEvent {
            event_id: format!("{}-{number}", removal.event_prefix),
            at: removal.at,
            kind: EventKind::Paused,
            key_id: parse_column(key, "key id")?,
            actor: removal.actor.clone(),
            tool: None,
            outcome: EventOutcome::Ok,
            reason: Some(PauseReason::OwnerRemoved.as_str()),
            latency_us: None,
        };
        insert_event(tx, brand, &event).await?;
    }
    Ok(())
}
