//! Keys, as their brand manages them.

use serde::Serialize;
use sqlx_macros::FromRow;
use svc_mcp_access::{
    BrandId, KeyId, Quota, QuotaReached, StoreError, Timestamp,
    key::{Key, NewKey, OldSecret, Pause, RevokedReason, Sealed},
};

use crate::{
    Cursor, Store,
    activity::{NewEvent, insert_event},
    audit_log::{AuditAction, Fields, NewAuditRecord, of_key},
    engine::{Tx, query, transaction, within},
    error::Abort,
    next_cursor,
    operator::is_suspended,
    parse_column, parse_networks_column, parse_tools_column,
    quotas::{ACTIVE_KEYS, lock_limits},
    start_after,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CreateKeyError {
    #[error("the brand is suspended")]
    BrandSuspended,
    #[error(transparent)]
    QuotaReached(#[from] QuotaReached),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Which keys to list.
#[derive(Debug, Clone, Default)]
pub struct KeyFilter {
    pub include_revoked: bool,
    pub after: Option<Cursor>,
    pub limit: u32,
}

/// Reads a [`KeyRow`]. A condition follows.
pub(crate) const KEY_QUERY: &str = "SELECT key_id, brand_id, created_by, label, scope, prefix, sealing_key, created_at, \
    last_used_at, expires_at, revoked_at, paused_at, paused_by, pause_reason, tools, approval, \
    old_until, old_ended_at, old_last_used_at, revoked_reason, allowed_networks, last_used_ip, \
    last_used_client FROM keys";

#[derive(FromRow)]
pub(crate) struct KeyRow {
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
    old_until: Option<i64>,
    old_ended_at: Option<i64>,
    old_last_used_at: Option<i64>,
    revoked_reason: Option<String>,
    allowed_networks: Option<String>,
    last_used_ip: Option<String>,
    last_used_client: Option<String>,
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
            old_secret: row.old_until.map(|until| OldSecret {
                until: Timestamp::from_millis(until),
                ended_at: row.old_ended_at.map(Timestamp::from_millis),
                last_used_at: row.old_last_used_at.map(Timestamp::from_millis),
            }),
            revoked_reason: revoked_reason(row.revoked_at, row.revoked_reason.as_deref())?,
            allowed_networks: parse_networks_column(row.allowed_networks.as_deref())?,
            last_used_ip: row.last_used_ip.map(|address| parse_column(&address, "address")).transpose()?,
            last_used_client: row.last_used_client,
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

/// Older versions revoked keys only on request, and did not say so.
fn revoked_reason(at: Option<i64>, reason: Option<&str>) -> Result<Option<RevokedReason>, sqlx::Error> {
    match (at, reason) {
        (None, _) => Ok(None),
        (Some(_), None) => Ok(Some(RevokedReason::Requested)),
        (Some(_), Some(reason)) => parse_column(reason, "reason of a revoke").map(Some),
    }
}

/// Whether the brand may have one more active key. Until the commit, others who ask this wait: otherwise two concurrent
/// requests could both create the last key.
pub(crate) async fn check_key_quota(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    now: Timestamp,
) -> Result<(), Abort<QuotaReached>> {
    let limits = lock_limits(tx, brand).await?;
    let (active, expires): (i64, Option<i64>) = within!(tx, |db| sqlx::query_as(ACTIVE_KEYS)
        .bind(brand.as_str())
        .bind(now.millis())
        .fetch_one(db)
        .await)?;
    let active = u32::try_from(active).unwrap_or(u32::MAX);
    limits.check(Quota::Keys, active, 1, expires.map(Timestamp::from_millis)).map_err(Abort::Refused)
}

/// The column of a list of texts.
pub(crate) fn list_column<T: Serialize>(list: Option<&T>) -> Option<String> {
    list.map(|list| serde_json::to_string(list).expect("texts are JSON"))
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
        let tools = list_column(key.tools.as_ref());
        let networks = list_column(key.allowed_networks.as_ref());
        let (sealing_key, sealed) =
            new.sealed.as_ref().map(|sealed| (&sealed.sealing_key, &sealed.bytes)).unzip();
        self.run_for_or_refuse(brand, "create_key", async {
                transaction!(&self.engine, |tx| {
                    let mut parts = Tx::from(&mut *tx);
                    if is_suspended(&mut parts, brand).await? {
                        return Err(Abort::Refused(CreateKeyError::BrandSuspended));
                    }
                    check_key_quota(&mut parts, brand, key.created_at)
                        .await
                        .map_err(|abort| abort.map(CreateKeyError::from))?;
                        let number = next_key_number(&mut Tx::from(&mut *tx)).await?;
                        sqlx::query(
                            "INSERT INTO keys (key_id, brand_id, created_by, label, scope, prefix, digest, sealing_key, \
                             sealed, created_at, expires_at, tools, number, approval, allowed_networks) \
                             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
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
                        .bind(&networks)
                        .execute(&mut *tx)
                        .await?;
                        let mut tx = Tx::from(&mut *tx);
                        insert_event(&mut tx, brand, event).await?;
                        let record = NewAuditRecord::new(AuditAction::KeyCreate, Some(brand), key.key_id.as_str());
                        self.add_audit_records(&mut tx, [record.with_after(&of_key(key))]).await?;
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
            let sql = format!(
                "{KEY_QUERY} WHERE brand_id = $1 AND (revoked_at IS NULL OR $2 = 1) \
                 AND (created_at < $3 OR (created_at = $3 AND key_id < $4)) \
                 ORDER BY created_at DESC, key_id DESC LIMIT $5 + 0"
            );
            let (at, id) = start_after(filter.after.as_ref());
            let rows: Vec<KeyRow> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
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
            let sql = format!("{KEY_QUERY} WHERE brand_id = $1 AND key_id = $2");
            let row: Option<KeyRow> =
                query!(&self.engine, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
                    .bind(brand.as_str())
                    .bind(key.as_str())
                    .fetch_optional(db)
                    .await)?;
            row.map(Key::try_from).transpose()
        })
        .await
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
                    let mut tx = Tx::from(&mut *tx);
                    insert_event(&mut tx, brand, event).await?;
                    let record = NewAuditRecord::new(AuditAction::KeyReveal, Some(brand), key.as_str());
                    self.add_audit_records(&mut tx, [record]).await?;
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
                let done = sqlx::query(
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
                if done.rows_affected() > 0 {
                    let record = NewAuditRecord::new(AuditAction::KeyRewrap, Some(brand), key.as_str());
                    let sealed = |sealed: &Sealed| Fields::default().show("sealing_key", &sealed.sealing_key);
                    let record = record.with_change(Some(&sealed(old)), &sealed(new));
                    self.add_audit_records(&mut Tx::from(&mut *tx), record).await?;
                }
            })
        })
        .await
    }
}

/// The row is locked until the commit, so that keys are committed in the order of their numbers.
pub(crate) async fn next_key_number(tx: &mut Tx<'_>) -> Result<i64, sqlx::Error> {
    let sql = "UPDATE access_version SET newest_key = newest_key + 1 WHERE only_row = 1 RETURNING newest_key";
    within!(tx, |db| sqlx::query_scalar(sql).fetch_one(db).await)
}

/// The key as the transaction sees it.
pub(crate) async fn read_key(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    key: &KeyId,
) -> Result<Option<Key>, sqlx::Error> {
    let sql = format!("{KEY_QUERY} WHERE brand_id = $1 AND key_id = $2");
    let row: Option<KeyRow> = within!(tx, |db| sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str()))
        .bind(brand.as_str())
        .bind(key.as_str())
        .fetch_optional(db)
        .await)?;
    row.map(Key::try_from).transpose()
}

impl SealedRow {
    fn sealed(self) -> Sealed {
        Sealed { sealing_key: self.sealing_key, bytes: self.sealed }
    }
}
