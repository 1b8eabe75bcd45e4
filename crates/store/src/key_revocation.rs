//! Revoking keys: on request, by an operator, or because the secret is public.

use svc_mcp_access::{
    BrandId, KeyId, StoreError,
    decision::{Denial, KeyError},
    key::RevokedReason,
};
use svc_mcp_tools::jobs::JobKind;

use crate::{
    NewEvent, Store,
    access_change::AccessChange,
    activity::insert_event,
    audit_log::{AuditAction, Fields, NewAuditRecord},
    cancelled_work::{Cancellation, OrderedBy, StoppedWork, cancel_queued},
    engine::{Tx, transaction, within},
    key_notices::{Leak, add_leak_emails},
    queued_work::lock_key,
};

/// What becomes of the work that a key has queued when it is revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueuedWork {
    Cancel,
    Keep,
}

/// How a key is revoked.
pub(crate) struct Revocation<'a> {
    pub(crate) reason: RevokedReason,
    pub(crate) queued: QueuedWork,
    pub(crate) event: &'a NewEvent,
    pub(crate) leak: Option<&'a Leak<'a>>,
}

impl Store {
    /// Revokes a key. A second call changes nothing, except that it may cancel what the first one kept. After this
    /// returns, the next request with the key is refused, and nothing that it had queued goes out, except what the result
    /// says.
    pub async fn revoke_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        queued: QueuedWork,
        event: &NewEvent,
    ) -> Result<StoppedWork, StoreError> {
        let revocation = Revocation { reason: RevokedReason::Requested, queued, event, leak: None };
        self.revoke(brand, key, &revocation).await
    }

    /// The same, by an operator. Queued work is cancelled.
    pub async fn revoke_key_as_operator(
        &self,
        brand: &BrandId,
        key: &KeyId,
        event: &NewEvent,
    ) -> Result<StoppedWork, StoreError> {
        let (reason, queued) = (RevokedReason::Operator, QueuedWork::Cancel);
        self.revoke(brand, key, &Revocation { reason, queued, event, leak: None }).await
    }

    /// The same for a key whose secret is public. Its creator and the administrators get a mail.
    pub async fn revoke_leaked_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        leak: &Leak<'_>,
        event: &NewEvent,
    ) -> Result<StoppedWork, StoreError> {
        let (reason, queued) = (RevokedReason::Leaked, QueuedWork::Cancel);
        let stopped =
            self.revoke(brand, key, &Revocation { reason, queued, event, leak: Some(leak) }).await?;
        self.job_added.notify_waiters();
        Ok(stopped)
    }

    async fn revoke(
        &self,
        brand: &BrandId,
        key: &KeyId,
        revocation: &Revocation<'_>,
    ) -> Result<StoppedWork, StoreError> {
        // Not in the brand's queue: a key that overloads its brand must be revocable.
        let (stopped, change) = self
            .run("revoke_key", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    let (stopped, record) = revoke(&mut tx, brand, key, revocation).await?;
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    self.add_audit_records(&mut tx, record).await?;
                    (stopped, change)
                })
            })
            .await?;
        self.publish(change).await;
        Ok(stopped)
    }
}

/// Revokes a key within a transaction, and cancels what it has queued. Also returns the record for the audit log, if anything
/// has changed.
pub(crate) async fn revoke(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
    revocation: &Revocation<'_>,
) -> Result<(StoppedWork, Option<NewAuditRecord>), sqlx::Error> {
    let Revocation { queued, event, leak, .. } = *revocation;
    lock_key(tx, key).await?;
    let changed = set_revoked(tx, brand, key, revocation).await?;
    if changed {
        insert_event(tx, brand, event).await?;
    }
    let cancellation = Cancellation {
        denial: Denial::KeyInvalid(KeyError::Revoked),
        actor: &event.actor,
        at: event.at,
        event_prefix: &event.event_id,
    };
    let kinds = match queued {
        QueuedWork::Cancel => &JobKind::ALL[..],
        // A schedule has no end, and a call that waits for approval was not ordered yet.
        QueuedWork::Keep => &[JobKind::Schedule],
    };
    let stopped = cancel_queued(tx, brand, OrderedBy::Key(key), kinds, &cancellation).await?;
    if changed && let Some(leak) = leak {
        add_leak_emails(tx, brand, key, leak, &stopped, event.at).await?;
    }
    let fields = Fields::default()
        .show("reason", revocation.reason.as_str())
        .show("keeps_queued_work", queued == QueuedWork::Keep);
    let record = NewAuditRecord::new(AuditAction::KeyRevoke, Some(brand), key.as_str()).with_after(&fields);
    Ok((stopped, changed.then_some(record)))
}

/// Returns whether anything changed. A revoke that cancels queued work may follow one that kept it, but not the reverse.
async fn set_revoked(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
    revocation: &Revocation<'_>,
) -> Result<bool, sqlx::Error> {
    let changed = within!(tx, |db| {
        sqlx::query(
            "UPDATE keys SET revoked_at = COALESCE(revoked_at, $3), keeps_queued_work = $4, \
         revoked_reason = CASE WHEN revoked_at IS NULL THEN $5 ELSE revoked_reason END WHERE brand_id = $1 \
         AND key_id = $2 AND (revoked_at IS NULL OR keeps_queued_work > $4)",
        )
        .bind(brand.as_str())
        .bind(key.as_str())
        .bind(revocation.event.at.millis())
        .bind(i64::from(revocation.queued == QueuedWork::Keep))
        .bind(revocation.reason.as_str())
        .execute(db)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(changed > 0)
}
