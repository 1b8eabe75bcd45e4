//! The channels of brands, and what becomes of targets whose channel goes.

use sqlx::FromRow;
use svc_mcp_access::{BrandId, ChannelId, Timestamp, decision::Unavailable, key::Sealed};
use svc_mcp_tools::posts::{BrandChannel, KeptChannel, MOST_CHANNELS};

use crate::{
    Store,
    brands::one_at_a_time,
    cache::Changed,
    engine::{Tx, query, transaction},
    keys::bump_access_version,
    stored, unreadable,
};

/// The brand has as many channels as it may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChannelLimitReached;

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

/// A channel's secret, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedChannel {
    pub brand_id: BrandId,
    pub channel_id: ChannelId,
    pub sealed: Sealed,
}

impl TryFrom<ChannelRow> for KeptChannel {
    type Error = sqlx::Error;

    fn try_from(row: ChannelRow) -> Result<Self, sqlx::Error> {
        let settings =
            serde_json::from_str(&row.settings).map_err(|_| unreadable("settings of a channel"))?;
        let sealed = row.sealing_key.zip(row.sealed);
        Ok(Self {
            channel: BrandChannel { channel_id: stored(&row.channel_id, "channel id")?, settings },
            sealed: sealed.map(|(sealing_key, bytes)| Sealed { sealing_key, bytes }),
            created_at: Timestamp::from_millis(row.created_at),
            updated_at: Timestamp::from_millis(row.updated_at),
        })
    }
}

impl Store {
    /// The brand's channels beside its feed, by their names.
    pub async fn channels(&self, brand: &BrandId) -> Result<Vec<KeptChannel>, Unavailable> {
        self.run("channels", async {
            let sql = "SELECT channel_id, settings, sealing_key, sealed, created_at, updated_at FROM channels \
                       WHERE brand_id = $1 ORDER BY channel_id";
            let rows: Vec<ChannelRow> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_all(db).await)?;
            rows.into_iter().map(KeptChannel::try_from).collect()
        })
        .await
    }

    pub async fn channel(
        &self,
        brand: &BrandId,
        channel: &ChannelId,
    ) -> Result<Option<KeptChannel>, Unavailable> {
        self.run("channel", async {
            let sql = "SELECT channel_id, settings, sealing_key, sealed, created_at, updated_at FROM channels \
                       WHERE brand_id = $1 AND channel_id = $2";
            let row: Option<ChannelRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(channel.as_str())
                .fetch_optional(db)
                .await)?;
            row.map(KeptChannel::try_from).transpose()
        })
        .await
    }

    /// Makes a channel, or changes it. When it was made stays.
    pub async fn put_channel(
        &self,
        brand: &BrandId,
        kept: &KeptChannel,
    ) -> Result<Result<(), ChannelLimitReached>, Unavailable> {
        let settings = serde_json::to_string(&kept.channel.settings).expect("settings are JSON");
        let put = self.run("put_channel", async {
            transaction!(&self.engine, |tx| {
                // Two at once could both take the last place.
                one_at_a_time(&mut Tx::from(&mut *tx), brand).await?;
                let (others,): (i64,) =
                    sqlx::query_as("SELECT COUNT(*) FROM channels WHERE brand_id = $1 AND channel_id <> $2")
                        .bind(brand.as_str())
                        .bind(kept.channel.channel_id.as_str())
                        .fetch_one(&mut *tx)
                        .await?;
                if others >= i64::from(MOST_CHANNELS) {
                    Err(ChannelLimitReached)
                } else {
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
                    Ok(bump_access_version!(tx))
                }
            })
        });
        let version = match put.await? {
            Ok(version) => version,
            Err(full) => return Ok(Err(full)),
        };
        self.changed(Changed::Brand(brand), version).await;
        Ok(Ok(()))
    }

    /// Takes a channel away, and cancels what was still to go there. Whether there was such a channel.
    pub async fn delete_channel(&self, brand: &BrandId, channel: &ChannelId) -> Result<bool, Unavailable> {
        let deleted = self.run("delete_channel", async {
            transaction!(&self.engine, |tx| {
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
                (done.rows_affected() > 0, bump_access_version!(tx))
            })
        });
        let (was_there, version) = deleted.await?;
        self.changed(Changed::Brand(brand), version).await;
        Ok(was_there)
    }

    /// A batch of channels of any brand whose secret is not sealed with `newest`, in a fixed order. For rewrapping.
    pub async fn channels_sealed_otherwise(
        &self,
        newest: &str,
        after: Option<&SealedChannel>,
        limit: u32,
    ) -> Result<Vec<SealedChannel>, Unavailable> {
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
            let read = |row: SealedRow| {
                Ok(SealedChannel {
                    brand_id: stored(&row.brand_id, "brand id")?,
                    channel_id: stored(&row.channel_id, "channel id")?,
                    sealed: Sealed { sealing_key: row.sealing_key, bytes: row.sealed },
                })
            };
            rows.into_iter().map(read).collect()
        })
        .await
    }

    /// Replaces a seal, unless someone else did so meanwhile.
    pub async fn reseal_channel(&self, old: &SealedChannel, new: &Sealed) -> Result<(), Unavailable> {
        self.run("reseal_channel", async {
            transaction!(&self.engine, |tx| {
                sqlx::query(
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
            })
        })
        .await
    }
}
