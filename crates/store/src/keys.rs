//! Keys as people manage them.

use sqlx::FromRow;
use svc_mcp_access::{
    BrandId, KeyId, Timestamp,
    decision::Unavailable,
    key::{ACTIVE_KEYS_PER_BRAND, Key, NewKey, Sealed},
};

use crate::{
    Cursor, Store,
    activity::{NewEvent, insert_event},
    brands::one_at_a_time,
    cache::Changed,
    engine::{Tx, query, transaction, within},
    next_cursor, starting, stored, stored_tools,
};

/// The brand has as many active keys as it may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyLimitReached;

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
    tools: Option<String>,
}

impl TryFrom<KeyRow> for Key {
    type Error = sqlx::Error;

    fn try_from(row: KeyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            key_id: stored(&row.key_id, "key id")?,
            brand_id: stored(&row.brand_id, "brand id")?,
            created_by: stored(&row.created_by, "user id")?,
            label: row.label,
            scope: stored(&row.scope, "scope")?,
            prefix: row.prefix,
            can_reveal: row.sealing_key.is_some(),
            created_at: Timestamp::from_millis(row.created_at),
            last_used_at: row.last_used_at.map(Timestamp::from_millis),
            expires_at: row.expires_at.map(Timestamp::from_millis),
            revoked_at: row.revoked_at.map(Timestamp::from_millis),
            tools: stored_tools(row.tools.as_deref())?,
        })
    }
}

#[derive(FromRow)]
struct SealedRow {
    key_id: String,
    brand_id: String,
    sealing_key: String,
    sealed: Vec<u8>,
}

/// Moves the access version on inside a transaction, and gives the new one.
macro_rules! bump_access_version {
    ($tx:ident) => {{
        let (version,): (i64,) = sqlx::query_as(
            "UPDATE access_version SET version = version + 1 WHERE only_row = 1 RETURNING version",
        )
        .fetch_one(&mut *$tx)
        .await?;
        version
    }};
}
pub(crate) use bump_access_version;

/// Moves it on within a transaction that does more. To be followed by `profile_changed` once that is committed.
pub(crate) async fn move_access_version(tx: &mut Tx<'_>) -> Result<(), sqlx::Error> {
    let sql = "UPDATE access_version SET version = version + 1 WHERE only_row = 1";
    within!(tx, |db| sqlx::query(sql).execute(db).await.map(|_| ()))
}

impl Store {
    /// Keeps a new key and the record that it was made, or neither.
    pub async fn create_key(
        &self,
        brand: &BrandId,
        new: &NewKey,
        event: &NewEvent,
    ) -> Result<Result<(), KeyLimitReached>, Unavailable> {
        let key = &new.key;
        let tools = key.tools.as_ref().map(|tools| serde_json::to_string(tools).expect("texts are JSON"));
        let (sealing_key, sealed) =
            new.sealed.as_ref().map(|sealed| (&sealed.sealing_key, &sealed.bytes)).unzip();
        let created = self
            .run("create_key", async {
                transaction!(&self.engine, |tx| {
                    // Two at once could both take the last place.
                    one_at_a_time(&mut Tx::from(&mut *tx), brand).await?;
                    let (active,): (i64,) = sqlx::query_as(
                        "SELECT COUNT(*) FROM keys WHERE brand_id = $1 AND revoked_at IS NULL \
                         AND (expires_at IS NULL OR expires_at > $2)",
                    )
                    .bind(brand.as_str())
                    .bind(key.created_at.millis())
                    .fetch_one(&mut *tx)
                    .await?;
                    if usize::try_from(active).unwrap_or(usize::MAX) >= ACTIVE_KEYS_PER_BRAND {
                        Err(KeyLimitReached)
                    } else {
                        // Held until the commit: a key with a higher number is committed later.
                        let (number,): (i64,) = sqlx::query_as(
                            "UPDATE access_version SET newest_key = newest_key + 1 WHERE only_row = 1 \
                             RETURNING newest_key",
                        )
                        .fetch_one(&mut *tx)
                        .await?;
                        sqlx::query(
                            "INSERT INTO keys (key_id, brand_id, created_by, label, scope, prefix, digest, sealing_key, \
                             sealed, created_at, expires_at, tools, number) \
                             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
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
                        .execute(&mut *tx)
                        .await?;
                        insert_event!(tx, brand, event);
                        Ok(())
                    }
                })
            })
            .await?;
        self.standings.forget(&new.digest);
        self.enrol(new.digest);
        Ok(created)
    }

    /// Newest first.
    pub async fn keys(
        &self,
        brand: &BrandId,
        filter: &KeyFilter,
    ) -> Result<(Vec<Key>, Option<Cursor>), Unavailable> {
        self.run("keys", async {
            let sql = "SELECT key_id, brand_id, created_by, label, scope, prefix, sealing_key, created_at, last_used_at, \
                       expires_at, revoked_at, tools FROM keys WHERE brand_id = $1 \
                       AND (revoked_at IS NULL OR $2 = 1) \
                       AND (created_at < $3 OR (created_at = $3 AND key_id < $4)) \
                       ORDER BY created_at DESC, key_id DESC LIMIT $5 + 0";
            let (at, id) = starting(filter.after.as_ref());
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

    pub async fn key(&self, brand: &BrandId, key: &KeyId) -> Result<Option<Key>, Unavailable> {
        self.run("key", async {
            let sql = "SELECT key_id, brand_id, created_by, label, scope, prefix, sealing_key, created_at, last_used_at, \
                       expires_at, revoked_at, tools FROM keys WHERE brand_id = $1 AND key_id = $2";
            let row: Option<KeyRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(key.as_str())
                .fetch_optional(db)
                .await)?;
            row.map(Key::try_from).transpose()
        })
        .await
    }

    /// Revokes a key, once: a second time changes nothing. When this returns, the next request with it is refused.
    pub async fn revoke_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        event: &NewEvent,
    ) -> Result<(), Unavailable> {
        let version = self
            .run("revoke_key", async {
                transaction!(&self.engine, |tx| {
                    let done = sqlx::query(
                        "UPDATE keys SET revoked_at = $3 WHERE brand_id = $1 AND key_id = $2 AND revoked_at IS NULL",
                    )
                    .bind(brand.as_str())
                    .bind(key.as_str())
                    .bind(event.at.millis())
                    .execute(&mut *tx)
                    .await?;
                    if done.rows_affected() > 0 {
                        insert_event!(tx, brand, event);
                    }
                    bump_access_version!(tx)
                })
            })
            .await?;
        self.changed(Changed::Brand(brand), version).await;
        Ok(())
    }

    /// The sealed secret, after the record that it was asked for is on disk. `None`: it was never sealed.
    pub async fn sealed_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        event: &NewEvent,
    ) -> Result<Option<Sealed>, Unavailable> {
        self.run("sealed_key", async {
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
                    insert_event!(tx, brand, event);
                }
                row.map(SealedRow::sealed)
            })
        })
        .await
    }

    /// A batch of keys of any brand that are not sealed with `newest`, in the order of their ids. For rewrapping.
    pub async fn keys_sealed_otherwise(
        &self,
        newest: &str,
        after: Option<&KeyId>,
        limit: u32,
    ) -> Result<Vec<(BrandId, KeyId, Sealed)>, Unavailable> {
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
                Ok((stored(&row.brand_id, "brand id")?, stored(&row.key_id, "key id")?, row.sealed()))
            };
            rows.into_iter().map(read).collect()
        })
        .await
    }

    /// Replaces a seal, unless someone else did so meanwhile.
    pub async fn reseal_key(
        &self,
        brand: &BrandId,
        key: &KeyId,
        old: &Sealed,
        new: &Sealed,
    ) -> Result<(), Unavailable> {
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

impl SealedRow {
    fn sealed(self) -> Sealed {
        Sealed { sealing_key: self.sealing_key, bytes: self.sealed }
    }
}
