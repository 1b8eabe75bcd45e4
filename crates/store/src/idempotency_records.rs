//! Idempotency records: claimed before a call runs, and answered in the same transaction as its effect. Their table is
//! called `promises`.

use svc_mcp_access::{
    BrandId, StoreError, Timestamp,
    idempotency::{CLAIM_LIFETIME, RETENTION},
};
use svc_mcp_tools::records::{Claim, IdempotencyRecord};

use crate::{Store, engine::transaction, write_generations::WriteScope};

impl Store {
    pub(crate) async fn claim_idempotency_key(
        &self,
        brand: &BrandId,
        record: &IdempotencyRecord,
        ticket: String,
        now: Timestamp,
    ) -> Result<Claim, StoreError> {
        self.run_for(brand, "claim", async {
            transaction!(&self.engine, WriteScope::NoBrand, |tx| {
                // The claim succeeds if the key is new or expired, or if the process of the first request is gone.
                let claimed: Option<(String,)> = sqlx::query_as(
                    "INSERT INTO promises (brand_id, key_id, idempotency_key, fingerprint, ticket, claimed_until, expires_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (brand_id, key_id, idempotency_key) DO UPDATE \
                     SET fingerprint = excluded.fingerprint, ticket = excluded.ticket, answer = NULL, \
                     claimed_until = excluded.claimed_until, expires_at = excluded.expires_at \
                     WHERE promises.expires_at <= $8 OR (promises.answer IS NULL AND promises.claimed_until <= $8 \
                     AND promises.fingerprint = excluded.fingerprint) RETURNING ticket",
                )
                .bind(brand.as_str())
                .bind(record.key_id.as_str())
                .bind(record.idempotency_key.as_str())
                .bind(record.fingerprint.as_bytes())
                .bind(&ticket)
                .bind(now.plus(CLAIM_LIFETIME).millis())
                .bind(now.plus(RETENTION).millis())
                .bind(now.millis())
                .fetch_optional(&mut *tx)
                .await?;
                if claimed.is_some() {
                    Claim::Run { ticket }
                } else {
                    let found: Option<(Vec<u8>, Option<String>)> = sqlx::query_as(
                        "SELECT fingerprint, answer FROM promises \
                         WHERE brand_id = $1 AND key_id = $2 AND idempotency_key = $3",
                    )
                    .bind(brand.as_str())
                    .bind(record.key_id.as_str())
                    .bind(record.idempotency_key.as_str())
                    .fetch_optional(&mut *tx)
                    .await?;
                    match found {
                        Some((fingerprint, _)) if fingerprint != record.fingerprint.as_bytes() => Claim::Reused,
                        Some((_, Some(response))) => Claim::Replay { response },
                        Some((_, None)) | None => Claim::InProgress,
                    }
                }
            })
        })
        .await
    }

    pub(crate) async fn release_idempotency_key(
        &self,
        brand: &BrandId,
        record: &IdempotencyRecord,
        ticket: &str,
    ) -> Result<(), StoreError> {
        self.run_for(brand, "release", async {
            transaction!(&self.engine, WriteScope::NoBrand, |tx| {
                sqlx::query(
                    "DELETE FROM promises WHERE brand_id = $1 AND key_id = $2 AND idempotency_key = $3 \
                     AND ticket = $4 AND answer IS NULL",
                )
                .bind(brand.as_str())
                .bind(record.key_id.as_str())
                .bind(record.idempotency_key.as_str())
                .bind(ticket)
                .execute(&mut *tx)
                .await?;
            })
        })
        .await
    }
}
