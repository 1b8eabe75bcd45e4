//! Changes of a key's settings, all of one request in one transaction.

use svc_mcp_access::{
    BrandId, KeyId, QuotaReached, StoreError, Timestamp,
    key::{ChangeRefused, Key, KeyChanges, KeyStatus},
};

use crate::{
    EventKind, NewEvent, Store,
    access_change::AccessChange,
    activity::insert_event_because,
    audit_log::{AuditAction, NewAuditRecord, of_key},
    engine::{Tx, transaction, within},
    error::Abort,
    key_pause::{pause, resume},
    keys::{KEY_QUERY, KeyRow, check_key_quota, list_column},
    queued_work::lock_key,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UpdateKeyError {
    /// There is no such key in the brand.
    #[error("there is no such key")]
    NotFound,
    #[error("the key must not be changed like this: {0:?}")]
    Refused(ChangeRefused),
    /// The key had expired, and the brand may not have one more active key.
    #[error(transparent)]
    QuotaReached(#[from] QuotaReached),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Changes a key, and returns it as it is now. `event` is the record of a change of its settings; a pause
    /// and a resume have events of their own. Whether the actor may do this is decided with the key as it is in the
    /// transaction. After this returns, the next request with the key follows the change.
    pub async fn update_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        changes: &KeyChanges,
        event: &NewEvent,
    ) -> Result<Key, UpdateKeyError> {
        // Not in the brand's queue: a key that overloads its brand must be stoppable.
        let work = async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                lock_key(&mut tx, key).await?;
                let before = read(&mut tx, brand, key).await?;
                let before = before.ok_or(Abort::Refused(UpdateKeyError::NotFound))?;
                let mut after = before.clone();
                let changed = changes
                    .apply(&mut after, event.actor == before.created_by)
                    .map_err(|refused| Abort::Refused(UpdateKeyError::Refused(refused)))?;
                let was_expired = before.status(event.at) == KeyStatus::Expired;
                if was_expired && after.status(event.at) == KeyStatus::Active {
                    check_key_quota(&mut tx, brand, event.at)
                        .await
                        .map_err(|abort| abort.map(UpdateKeyError::from))?;
                }
                if !changed.is_empty() {
                    write(&mut tx, brand, &after).await?;
                    insert_event_because(&mut tx, brand, event, &changed.join(", ")).await?;
                }
                if let Some(paused) = changes.paused {
                    let kind = if paused { EventKind::Paused } else { EventKind::Resumed };
                    let event_id = format!("{}-{}", event.event_id, kind.as_str());
                    let event = NewEvent { event_id, kind, ..event.clone() };
                    if paused {
                        pause(&mut tx, brand, key, &event).await?;
                    } else {
                        resume(&mut tx, brand, key, &event).await?;
                    }
                }
                let after = read(&mut tx, brand, key).await?;
                let after = after.ok_or(Abort::Refused(UpdateKeyError::NotFound))?;
                let change = AccessChange::record_brand(&mut tx, brand).await?;
                let record = NewAuditRecord::new(AuditAction::KeyUpdate, Some(brand), key.as_str());
                let record = record.with_change(Some(&of_key(&before)), &of_key(&after));
                self.add_audit_records(&mut tx, record).await?;
                (after, change)
            })
        };
        let (key, change) = self.run_or_refuse("update_key", work).await?;
        self.publish(change).await;
        if changes.paused == Some(false) {
            self.job_added.notify_waiters();
        }
        Ok(key)
    }
}

async fn read(tx: &mut Tx<'_>, brand: &BrandId, key: &KeyId) -> Result<Option<Key>, sqlx::Error> {
    let sql = format!("{KEY_QUERY} WHERE brand_id = $1 AND key_id = $2");
    let row: Option<KeyRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .bind(key.as_str())
        .fetch_optional(db)
        .await)?;
    row.map(Key::try_from).transpose()
}

async fn write(tx: &mut Tx<'_>, brand: &BrandId, key: &Key) -> Result<(), sqlx::Error> {
    let sql = "UPDATE keys SET label = $3, scope = $4, tools = $5, expires_at = $6, approval = $7, \
               allowed_networks = $8 WHERE brand_id = $1 AND key_id = $2";
    within!(tx, |db| sqlx::query(sql)
        .bind(brand.as_str())
        .bind(key.key_id.as_str())
        .bind(&key.label)
        .bind(key.scope.as_str())
        .bind(list_column(key.tools.as_ref()))
        .bind(key.expires_at.map(Timestamp::millis))
        .bind(key.approval.as_str())
        .bind(list_column(key.allowed_networks.as_ref()))
        .execute(db)
        .await
        .map(|_| ()))
}
