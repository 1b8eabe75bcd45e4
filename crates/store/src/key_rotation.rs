//! Rotation of keys: a new secret, and the end of the old one.

use svc_mcp_access::{
    BrandId, KeyId, StoreError, Timestamp,
    key::{Key, KeyStatus, NewSecret},
};

use crate::{
    NewEvent, Store,
    access_change::AccessChange,
    activity::insert_event,
    audit_log::{AuditAction, Fields, NewAuditRecord},
    engine::{Tx, transaction, within},
    error::Abort,
    keys::{next_key_number, read_key},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RotateKeyError {
    #[error("there is no such key")]
    Unknown,
    #[error("the key is revoked")]
    Revoked,
    #[error("the key is expired")]
    Expired,
    #[error("the old secret works until {until}")]
    AlreadyRotating { until: Timestamp },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The old secret is not ended if it works until `$4`, and ended at once if that is now (`$3`). The first digest of the key
/// stays the name of its window.
const ROTATE: &str = "UPDATE keys SET old_digest = digest, old_until = $4, old_last_used_at = NULL, \
     old_ended_at = CASE WHEN $4 > $3 THEN NULL ELSE $3 END, window_digest = COALESCE(window_digest, digest), \
     digest = $5, prefix = $6, sealing_key = $7, sealed = $8 \
     WHERE brand_id = $1 AND key_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3) \
     AND (old_until IS NULL OR old_until <= $3 OR old_ended_at IS NOT NULL)";

const FINISH: &str = "UPDATE keys SET old_ended_at = $3 WHERE brand_id = $1 AND key_id = $2 AND revoked_at IS NULL \
     AND old_digest IS NOT NULL AND old_ended_at IS NULL RETURNING old_until";

impl Store {
    /// Gives a key a new secret. The old one works until `old_until`, and not at all if that is the time of the event.
    pub async fn rotate_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        new: &NewSecret,
        old_until: Timestamp,
        event: &NewEvent,
    ) -> Result<Key, RotateKeyError> {
        let (sealing_key, sealed) =
            new.sealed.as_ref().map(|sealed| (&sealed.sealing_key, &sealed.bytes)).unzip();
        let work = async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                let changed = within!(&mut tx, |db| sqlx::query(ROTATE)
                    .bind(brand.as_str())
                    .bind(key.as_str())
                    .bind(event.at.millis())
                    .bind(old_until.millis())
                    .bind(new.digest.as_bytes().as_slice())
                    .bind(&new.prefix)
                    .bind(sealing_key)
                    .bind(sealed)
                    .execute(db)
                    .await
                    .map(|done| done.rows_affected()))?;
                let rotated =
                    read_key(&mut tx, brand, key).await?.ok_or(Abort::Refused(RotateKeyError::Unknown))?;
                if changed == 0 {
                    return Err(Abort::Refused(refusal(&rotated, event.at)));
                }
                // After the row of the key: every change locks the row of the versions last.
                let number = next_key_number(&mut tx).await?;
                let sql = "UPDATE keys SET number = $3 WHERE brand_id = $1 AND key_id = $2";
                within!(&mut tx, |db| sqlx::query(sql)
                    .bind(brand.as_str())
                    .bind(key.as_str())
                    .bind(number)
                    .execute(db)
                    .await
                    .map(|_| ()))?;
                insert_event(&mut tx, brand, event).await?;
                let change = AccessChange::record_brand(&mut tx, brand).await?;
                let record = NewAuditRecord::new(AuditAction::KeyRotate, Some(brand), key.as_str());
                let fields = Fields::default().show("old_secret_until", old_until);
                self.add_audit_records(&mut tx, [record.with_after(&fields)]).await?;
                (rotated, change)
            })
        };
        let (rotated, change) = self.run_for_or_refuse(brand, "rotate_key", work).await?;
        self.add_to_key_filter(new.digest);
        self.publish(change).await;
        Ok(rotated)
    }

    /// Ends the old secret of a rotated key. Changes nothing if it does not work any more. After this returns, the next
    /// request with it is refused.
    pub async fn finish_rotation(
        &self,
        brand: &BrandId,
        key: &KeyId,
        event: &NewEvent,
    ) -> Result<(), StoreError> {
        // Not in the brand's queue: a secret that overloads its brand must be revocable.
        let change = self
            .run("finish_rotation", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    // Also after its time: the clock of another instance may be a little behind.
                    let until: Option<i64> = within!(&mut tx, |db| sqlx::query_scalar(FINISH)
                        .bind(brand.as_str())
                        .bind(key.as_str())
                        .bind(event.at.millis())
                        .fetch_optional(db)
                        .await)?;
                    let is_ended = until.is_some_and(|until| until > event.at.millis());
                    if is_ended {
                        insert_event(&mut tx, brand, event).await?;
                    }
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    let record =
                        NewAuditRecord::new(AuditAction::KeyFinishRotation, Some(brand), key.as_str());
                    self.add_audit_records(&mut tx, is_ended.then_some(record)).await?;
                    change
                })
            })
            .await?;
        self.publish(change).await;
        Ok(())
    }
}

/// Why a key was not rotated.
fn refusal(key: &Key, now: Timestamp) -> RotateKeyError {
    match (key.status(now), key.rotating_until(now)) {
        (KeyStatus::Revoked, _) => RotateKeyError::Revoked,
        (KeyStatus::Expired, _) => RotateKeyError::Expired,
        (KeyStatus::Active, Some(until)) => RotateKeyError::AlreadyRotating { until },
        // Its state has changed since the update.
        (KeyStatus::Active, None) => StoreError::Unavailable.into(),
    }
}
