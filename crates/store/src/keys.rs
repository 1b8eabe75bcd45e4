//! Keys, as their brand manages them.

use sqlx_macros::FromRow;
use svc_mcp_access::{
    BrandId, KeyId, Quota, QuotaReached, StoreError, Timestamp,
    decision::{Denial, KeyError},
    key::{Key, NewKey, Pause, Sealed},
};

use crate::{
    Cursor, Store,
    access_change::AccessChange,
    activity::{NewEvent, insert_event},
    approvals::cancel_approvals,
    cancelled_work::{Cancellation, OrderedBy, StoppedWork, WorkCounts, cancel_queued},
    engine::{Tx, query, transaction, within},
    error::Abort,
    next_cursor, parse_column, parse_tools_column,
    queued_work::lock_key,
    quotas::lock_limits,
    start_after,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CreateKeyError {
    #[error(transparent)]
    QuotaReached(#[from] QuotaReached),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What becomes of the work that a key has queued when it is revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueuedWork {
    Cancel,
    Keep,
}

/// Which keys to list.
#[derive(Debug, Clone, Default)]
pub struct KeyFilter {
    pub include_revoked: bool,
    pub after: Option<Cursor>,
    pub limit: u32,
}

#[derive(FromRow)]
struct KeyRow {
    key_id: String,
    brand_id: String,
    created_by: String,
    label: String,
    scope: String,
    prefix: String,
    sealing_key: Option<String>,
    created_at: i64,
    last_used_at: Option<i64>,
    expires_at: Option<i64>,
    revoked_at: Option<i64>,
    paused_at: Option<i64>,
    paused_by: Option<String>,
    pause_reason: Option<String>,
    tools: Option<String>,
    approval: String,
}

impl TryFrom<KeyRow> for Key {
    type Error = sqlx::Error;

    fn try_from(row: KeyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            key_id: parse_column(&row.key_id, "key id")?,
            brand_id: parse_column(&row.brand_id, "brand id")?,
            created_by: parse_column(&row.created_by, "user id")?,
            label: row.label,
            scope: parse_column(&row.scope, "scope")?,
            prefix: row.prefix,
            can_reveal: row.sealing_key.is_some(),
            created_at: Timestamp::from_millis(row.created_at),
            last_used_at: row.last_used_at.map(Timestamp::from_millis),
            expires_at: row.expires_at.map(Timestamp::from_millis),
            revoked_at: row.revoked_at.map(Timestamp::from_millis),
            pause: pause(row.paused_at, row.paused_by.as_deref(), row.pause_reason.as_deref())?,
            tools: parse_tools_column(row.tools.as_deref())?,
            approval: parse_column(&row.approval, "approval rule")?,
        })
    }
}

fn pause(at: Option<i64>, by: Option<&str>, reason: Option<&str>) -> Result<Option<Pause>, sqlx::Error> {
    let Some(at) = at else { return Ok(None) };
    Ok(Some(Pause {
        at: Timestamp::from_millis(at),
        by: parse_column(by.unwrap_or_default(), "user id")?,
        reason: parse_column(reason.unwrap_or_default(), "reason of a pause")?,
    }))
}

#[derive(FromRow)]
struct SealedRow {
    key_id: String,
    brand_id: String,
    sealing_key: String,
    sealed: Vec<u8>,
}

impl Store {
    /// Stores a new key together with its activity event.
    ///
    /// It is not an [`AccessChange`]: a new key takes access from nobody, and the bloom filter makes it known.
    pub async fn create_key(
        &self,
        brand: &BrandId,
        new: &NewKey,
        event: &NewEvent,
    ) -> Result<(), CreateKeyError> {
        let key = &new.key;
        let tools = key.tools.as_ref().map(|tools| serde_json::to_string(tools).expect("texts are JSON"));
        let (sealing_key, sealed) =
            new.sealed.as_ref().map(|sealed| (&sealed.sealing_key, &sealed.bytes)).unzip();
        self.run_or_refuse(brand, "create_key", async {
                transaction!(&self.engine, |tx| {
                    // Otherwise two concurrent requests could both create the last key.
                    let limits = lock_limits(&mut Tx::from(&mut *tx), brand).await?;
                    let (active, expires): (i64, Option<i64>) = sqlx::query_as(
                        "SELECT COUNT(*), MIN(expires_at) FROM keys WHERE brand_id = $1 AND revoked_at IS NULL \
                         AND (expires_at IS NULL OR expires_at > $2)",
                    )
                    .bind(brand.as_str())
                    .bind(key.created_at.millis())
                    .fetch_one(&mut *tx)
                    .await?;
                    let active = u32::try_from(active).unwrap_or(u32::MAX);
                    limits
                        .check(Quota::Keys, active, 1, expires.map(Timestamp::from_millis))
                        .map_err(|reached| Abort::Refused(CreateKeyError::from(reached)))?;
                        // The row is locked until the commit, so that keys are committed in the order of their numbers.
                        let (number,): (i64,) = sqlx::query_as(
                            "UPDATE access_version SET newest_key = newest_key + 1 WHERE only_row = 1 \
                             RETURNING newest_key",
                        )
                        .fetch_one(&mut *tx)
                        .await?;
                        sqlx::query(
                            "INSERT INTO keys (key_id, brand_id, created_by, label, scope, prefix, digest, sealing_key, \
                             sealed, created_at, expires_at, tools, number, approval) \
                             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
                        )
                        .bind(key.key_id.as_str())
                        .bind(brand.as_str())
                        .bind(key.created_by.as_str())
                        .bind(&key.label)
                        .bind(key.scope.as_str())
                        .bind(&key.prefix)
                        .bind(new.digest.as_bytes().as_slice())
                        .bind(sealing_key)
                        .bind(sealed)
                        .bind(key.created_at.millis())
                        .bind(key.expires_at.map(Timestamp::millis))
                        .bind(&tools)
                        .bind(number)
                        .bind(key.approval.as_str())
                        .execute(&mut *tx)
                        .await?;
                        insert_event(&mut Tx::from(&mut *tx), brand, event).await?;
                })
            })
            .await?;
        self.key_cache.evict(&new.digest);
        self.add_to_key_filter(new.digest);
        Ok(())
    }

    /// Newest first.
    pub async fn keys(
        &self,
        brand: &BrandId,
        filter: &KeyFilter,
    ) -> Result<(Vec<Key>, Option<Cursor>), StoreError> {
        self.run_for(brand, "keys", async {
            let sql = "SELECT key_id, brand_id, created_by, label, scope, prefix, sealing_key, created_at, last_used_at, \
                       expires_at, revoked_at, paused_at, paused_by, pause_reason, tools, approval FROM keys WHERE brand_id = $1 \
                       AND (revoked_at IS NULL OR $2 = 1) \
                       AND (created_at < $3 OR (created_at = $3 AND key_id < $4)) \
                       ORDER BY created_at DESC, key_id DESC LIMIT $5 + 0";
            let (at, id) = start_after(filter.after.as_ref());
            let rows: Vec<KeyRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(i64::from(filter.include_revoked))
                .bind(at)
                .bind(id)
                .bind(i64::from(filter.limit) + 1)
                .fetch_all(db)
                .await)?;
            let mut keys = rows.into_iter().map(Key::try_from).collect::<Result<Vec<_>, _>>()?;
            let next = next_cursor(&mut keys, filter.limit, |key| Cursor {
                at: key.created_at,
                id: key.key_id.to_string(),
            });
            Ok((keys, next))
        })
        .await
    }

    pub async fn key(&self, brand: &BrandId, key: &KeyId) -> Result<Option<Key>, StoreError> {
        self.run_for(brand, "key", async {
            let sql = "SELECT key_id, brand_id, created_by, label, scope, prefix, sealing_key, created_at, last_used_at, \
                       expires_at, revoked_at, paused_at, paused_by, pause_reason, tools, approval FROM keys WHERE brand_id = $1 AND key_id = $2";
            let row: Option<KeyRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(key.as_str())
                .fetch_optional(db)
                .await)?;
            row.map(Key::try_from).transpose()
        })
        .await
    }

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
        // Not in the brand's queue: a key that overloads its brand must be revocable.
        let (stopped, change) = self
            .run("revoke_key", async {
                transaction!(&self.engine, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    lock_key(&mut tx, key).await?;
                    if set_revoked(&mut tx, brand, key, queued, event.at).await? {
                        insert_event(&mut tx, brand, event).await?;
                    }
                    let cancellation = Cancellation {
                        denial: Denial::KeyInvalid(KeyError::Revoked),
                        actor: &event.actor,
                        at: event.at,
                        event_prefix: &event.event_id,
                    };
                    let ordered_by = OrderedBy::Key(key);
                    let stopped = match queued {
                        QueuedWork::Cancel => {
                            cancel_queued(&mut tx, brand, ordered_by, &cancellation).await?
                        }
                        // A call that nobody has approved was not ordered yet.
                        QueuedWork::Keep => {
                            let approvals =
                                cancel_approvals(&mut tx, brand, ordered_by, &cancellation).await?;
                            let cancelled = WorkCounts { approvals, ..WorkCounts::default() };
                            StoppedWork { cancelled, ..StoppedWork::default() }
                        }
                    };
                    (stopped, AccessChange::record_brand(&mut tx, brand).await?)
                })
            })
            .await?;
        self.publish(change).await;
        Ok(stopped)
    }

    /// The sealed secret. The activity event is committed first. `None`: the secret was not sealed.
    pub async fn sealed_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        event: &NewEvent,
    ) -> Result<Option<Sealed>, StoreError> {
        self.run_for(brand, "sealed_key", async {
            transaction!(&self.engine, |tx| {
                let row: Option<SealedRow> = sqlx::query_as(
                    "SELECT key_id, brand_id, sealing_key, sealed FROM keys \
                     WHERE brand_id = $1 AND key_id = $2 AND sealing_key IS NOT NULL",
                )
                .bind(brand.as_str())
                .bind(key.as_str())
                .fetch_optional(&mut *tx)
                .await?;
                if row.is_some() {
                    insert_event(&mut Tx::from(&mut *tx), brand, event).await?;
                }
                row.map(SealedRow::sealed)
            })
        })
        .await
    }

    /// Keys of all brands that are not sealed with `newest`, sorted by id. For the rewrap.
    pub async fn keys_sealed_otherwise(
        &self,
        newest: &str,
        after: Option<&KeyId>,
        limit: u32,
    ) -> Result<Vec<(BrandId, KeyId, Sealed)>, StoreError> {
        self.run("keys_sealed_otherwise", async {
            let sql = "SELECT key_id, brand_id, sealing_key, sealed FROM keys \
                       WHERE sealing_key IS NOT NULL AND sealing_key <> $1 AND key_id > $2 ORDER BY key_id LIMIT $3 + 0";
            let rows: Vec<SealedRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(newest)
                .bind(after.map_or("", KeyId::as_str))
                .bind(i64::from(limit))
                .fetch_all(db)
                .await)?;
            let read = |row: SealedRow| {
                Ok((parse_column(&row.brand_id, "brand id")?, parse_column(&row.key_id, "key id")?, row.sealed()))
            };
            rows.into_iter().map(read).collect()
        })
        .await
    }

    /// Replaces a seal, unless it has been replaced since.
    pub async fn reseal_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        old: &Sealed,
        new: &Sealed,
    ) -> Result<(), StoreError> {
        self.run("reseal_key", async {
            transaction!(&self.engine, |tx| {
                sqlx::query(
                    "UPDATE keys SET sealing_key = $4, sealed = $5 \
                     WHERE brand_id = $1 AND key_id = $2 AND sealed = $3",
                )
                .bind(brand.as_str())
                .bind(key.as_str())
                .bind(&old.bytes)
                .bind(&new.sealing_key)
                .bind(&new.bytes)
                .execute(&mut *tx)
                .await?;
            })
        })
        .await
    }
}

/// Returns whether anything changed. A revoke that cancels queued work may follow one that kept it, but not the reverse.
async fn set_revoked(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
    queued: QueuedWork,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let changed = within!(tx, |db| {
        sqlx::query(
        "UPDATE keys SET revoked_at = COALESCE(revoked_at, $3), keeps_queued_work = $4 WHERE brand_id = $1 \
         AND key_id = $2 AND (revoked_at IS NULL OR keeps_queued_work > $4)",
    )
    .bind(brand.as_str())
    .bind(key.as_str())
    .bind(now.millis())
    .bind(i64::from(queued == QueuedWork::Keep))
    .execute(db)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(changed > 0)
}

impl SealedRow {
    fn sealed(self) -> Sealed {
        Sealed { sealing_key: self.sealing_key, bytes: self.sealed }
    }
}
