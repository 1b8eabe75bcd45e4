//! The channels of brands.

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, ChannelId, StoreError, Timestamp, key::Sealed};
use svc_mcp_tools::posts::{BrandChannel, MAX_CHANNELS, StoredChannel};

use crate::{
    Store,
    access_change::AccessChange,
    audit_log::{AuditAction, Fields, NewAuditRecord, of_channel},
    brands::lock_brand,
    engine::{Tx, query, transaction, within},
    error::Abort,
    parse_column, parse_json_column,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PutChannelError {
    #[error("the brand has {MAX_CHANNELS} channels")]
    LimitReached,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(FromRow)]
struct ChannelRow {
    channel_id: String,
    settings: String,
    sealing_key: Option<String>,
    sealed: Option<Vec<u8>>,
    created_at: i64,
    updated_at: i64,
}

#[derive(FromRow)]
struct SealedRow {
    brand_id: String,
    channel_id: String,
    sealing_key: String,
    sealed: Vec<u8>,
}

/// The sealed secret of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedChannel {
    pub brand_id: BrandId,
    pub channel_id: ChannelId,
    pub sealed: Sealed,
}

impl TryFrom<ChannelRow> for StoredChannel {
    type Error = sqlx::Error;

    fn try_from(row: ChannelRow) -> Result<Self, sqlx::Error> {
        let settings = parse_json_column(&row.settings, "settings of a channel")?;
        let sealed = row.sealing_key.zip(row.sealed);
        Ok(Self {
            channel: BrandChannel { channel_id: parse_column(&row.channel_id, "channel id")?, settings },
            sealed: sealed.map(|(sealing_key, bytes)| Sealed { sealing_key, bytes }),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        })
    }
}

impl Store {
    /// The brand's channels without its feed, sorted by id.
    pub async fn channels(&self, brand: &BrandId) -> Result<Vec<StoredChannel>, StoreError> {
        self.run_for(brand, "channels", async {
            let sql = "SELECT channel_id, settings, sealing_key, sealed, created_at, updated_at FROM channels \
                       WHERE brand_id = $1 ORDER BY channel_id";
            let rows: Vec<ChannelRow> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_all(db).await)?;
            rows.into_iter().map(StoredChannel::try_from).collect()
        })
        .await
    }

    pub async fn channel(
        &self,
        brand: &BrandId,
        channel: &ChannelId,
    ) -> Result<Option<StoredChannel>, StoreError> {
        self.run_for(brand, "channel", async {
            let sql = "SELECT channel_id, settings, sealing_key, sealed, created_at, updated_at FROM channels \
                       WHERE brand_id = $1 AND channel_id = $2";
            let row: Option<ChannelRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(channel.as_str())
                .fetch_optional(db)
                .await)?;
            row.map(StoredChannel::try_from).transpose()
        })
        .await
    }

    /// Creates or changes a channel. A change keeps `created_at`.
    pub async fn put_channel(&self, brand: &BrandId, kept: &StoredChannel) -> Result<(), PutChannelError> {
        let settings = serde_json::to_string(&kept.channel.settings).expect("settings are JSON");
        let put = self.run_for_or_refuse(brand, "put_channel", async {
            transaction!(&self.engine, |tx| {
                // Otherwise two concurrent requests could both create the last channel.
                lock_brand(&mut Tx::from(&mut *tx), brand).await?;
                let (others,): (i64,) =
                    sqlx::query_as("SELECT COUNT(*) FROM channels WHERE brand_id = $1 AND channel_id <> $2")
                        .bind(brand.as_str())
                        .bind(kept.channel.channel_id.as_str())
                        .fetch_one(&mut *tx)
                        .await?;
                if others >= i64::from(MAX_CHANNELS) {
                    return Err(Abort::Refused(PutChannelError::LimitReached));
                }
                    let before = lock_channel(&mut Tx::from(&mut *tx), brand, &kept.channel.channel_id).await?;
                    sqlx::query(
                        "INSERT INTO channels (brand_id, channel_id, settings, sealing_key, sealed, created_at, updated_at) \
                         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (brand_id, channel_id) DO UPDATE SET \
                         settings = excluded.settings, sealing_key = excluded.sealing_key, sealed = excluded.sealed, \
                         updated_at = excluded.updated_at",
                    )
                    .bind(brand.as_str())
                    .bind(kept.channel.channel_id.as_str())
                    .bind(&settings)
                    .bind(kept.sealed.as_ref().map(|sealed| &sealed.sealing_key))
                    .bind(kept.sealed.as_ref().map(|sealed| &sealed.bytes))
                    .bind(kept.created_at.millis())
                    .bind(kept.updated_at.millis())
                    .execute(&mut *tx)
                    .await?;
                    let mut tx = Tx::from(&mut *tx);
                    let change = AccessChange::record_brand(&mut tx, brand).await?;
                    let channel_id = kept.channel.channel_id.as_str();
                    let record = NewAuditRecord::new(AuditAction::ChannelPut, Some(brand), channel_id);
                    let record = record.with_change(before.as_ref().map(of_channel).as_ref(), &of_channel(kept));
                    self.add_audit_records(&mut tx, record).await?;
                    change
            })
        });
        self.publish(put.await?).await;
        Ok(())
    }

    /// Deletes a channel and cancels its unpublished posts. Returns whether there was such a channel.
    pub async fn delete_channel(&self, brand: &BrandId, channel: &ChannelId) -> Result<bool, StoreError> {
        let deleted = self.run_for(brand, "delete_channel", async {
            transaction!(&self.engine, |tx| {
                let before = lock_channel(&mut Tx::from(&mut *tx), brand, channel).await?;
                let done = sqlx::query("DELETE FROM channels WHERE brand_id = $1 AND channel_id = $2")
                    .bind(brand.as_str())
                    .bind(channel.as_str())
                    .execute(&mut *tx)
                    .await?;
                sqlx::query(
                    "UPDATE post_targets SET status = 'cancelled', error = 'The channel was removed.', \
                     next_attempt_at = NULL WHERE brand_id = $1 AND channel = $2 \
                     AND status IN ('draft', 'scheduled', 'publishing')",
                )
                .bind(brand.as_str())
                .bind(channel.as_str())
                .execute(&mut *tx)
                .await?;
                let mut tx = Tx::from(&mut *tx);
                let (existed, change) =
                    (done.rows_affected() > 0, AccessChange::record_brand(&mut tx, brand).await?);
                let record = before.filter(|_| existed).map(|before| {
                    NewAuditRecord::new(AuditAction::ChannelDelete, Some(brand), channel.as_str())
                        .with_before(&of_channel(&before))
                });
                self.add_audit_records(&mut tx, record).await?;
                (existed, change)
            })
        });
        let (existed, change) = deleted.await?;
        self.publish(change).await;
        Ok(existed)
    }

    /// Channels of all brands whose secret is not sealed with `newest`, in a fixed order. For the rewrap.
    pub async fn channels_sealed_otherwise(
        &self,
        newest: &str,
        after: Option<&SealedChannel>,
        limit: u32,
    ) -> Result<Vec<SealedChannel>, StoreError> {
        self.run("channels_sealed_otherwise", async {
            let sql = "SELECT brand_id, channel_id, sealing_key, sealed FROM channels \
                       WHERE sealing_key IS NOT NULL AND sealing_key <> $1 \
                       AND (brand_id > $2 OR (brand_id = $2 AND channel_id > $3)) \
                       ORDER BY brand_id, channel_id LIMIT $4 + 0";
            let (brand, channel) =
                after.map_or(("", ""), |after| (after.brand_id.as_str(), after.channel_id.as_str()));
            let rows: Vec<SealedRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(newest)
                .bind(brand)
                .bind(channel)
                .bind(i64::from(limit))
                .fetch_all(db)
                .await)?;
            let decode = |row: SealedRow| {
                Ok(SealedChannel {
                    brand_id: parse_column(&row.brand_id, "brand id")?,
                    channel_id: parse_column(&row.channel_id, "channel id")?,
                    sealed: Sealed { sealing_key: row.sealing_key, bytes: row.sealed },
                })
            };
            rows.into_iter().map(decode).collect()
        })
        .await
    }

    /// Replaces a seal, unless it has been replaced since.
    pub async fn reseal_channel(&self, old: &SealedChannel, new: &Sealed) -> Result<(), StoreError> {
        self.run("reseal_channel", async {
            transaction!(&self.engine, |tx| {
                let done = sqlx::query(
                    "UPDATE channels SET sealing_key = $4, sealed = $5 \
                     WHERE brand_id = $1 AND channel_id = $2 AND sealed = $3",
                )
                .bind(old.brand_id.as_str())
                .bind(old.channel_id.as_str())
                .bind(&old.sealed.bytes)
                .bind(&new.sealing_key)
                .bind(&new.bytes)
                .execute(&mut *tx)
                .await?;
                if done.rows_affected() > 0 {
                    let (brand, channel) = (Some(&old.brand_id), old.channel_id.as_str());
                    let record = NewAuditRecord::new(AuditAction::ChannelRewrap, brand, channel);
                    let sealed = |sealed: &Sealed| Fields::default().show("sealing_key", &sealed.sealing_key);
                    let record = record.with_change(Some(&sealed(&old.sealed)), &sealed(new));
                    self.add_audit_records(&mut Tx::from(&mut *tx), record).await?;
                }
            })
        })
        .await
    }
}

/// Reads a channel and locks its row until the commit.
async fn lock_channel(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    channel: &ChannelId,
) -> Result<Option<StoredChannel>, sqlx::Error> {
    let sql = "UPDATE channels SET settings = settings WHERE brand_id = $1 AND channel_id = $2 \
               RETURNING channel_id, settings, sealing_key, sealed, created_at, updated_at";
    let row: Option<ChannelRow> = within!(tx, |db| sqlx::query_as(sql)
        .bind(brand.as_str())
        .bind(channel.as_str())
        .fetch_optional(db)
        .await)?;
    row.map(StoredChannel::try_from).transpose()
}
