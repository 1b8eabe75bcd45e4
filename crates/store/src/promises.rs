//! Idempotency records: claimed before a call runs, answered in the same transaction as its effect.

use svc_mcp_access::{
    BrandId, Timestamp,
    decision::Unavailable,
    idempotency::{CLAIM_FOR, KEPT_FOR},
};
use svc_mcp_tools::records::{Claim, Promise};

use crate::{Store, engine::transaction};

impl Store {
    pub(crate) async fn claim_promise(
        &self,
        brand: &BrandId,
        promise: &Promise,
        ticket: String,
        now: Timestamp,
    ) -> Result<Claim, Unavailable> {
        self.run("claim", async {
            transaction!(&self.engine, |tx| {
                // Taken where it is new, has been kept long enough, or its first runner is gone.
                let taken: Option<(String,)> = sqlx::query_as(
                    "INSERT INTO promises (brand_id, key_id, idempotency_key, fingerprint, ticket, claimed_until, expires_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (brand_id, key_id, idempotency_key) DO UPDATE \
                     SET fingerprint = excluded.fingerprint, ticket = excluded.ticket, answer = NULL, \
                     claimed_until = excluded.claimed_until, expires_at = excluded.expires_at \
                     WHERE promises.expires_at <= $8 OR (promises.answer IS NULL AND promises.claimed_until <= $8 \
                     AND promises.fingerprint = excluded.fingerprint) RETURNING ticket",
                )
                .bind(brand.as_str())
                .bind(promise.key_id.as_str())
                .bind(promise.idempotency_key.as_str())
                .bind(promise.fingerprint.as_bytes())
                .bind(&ticket)
                .bind(now.plus(CLAIM_FOR).millis())
                .bind(now.plus(KEPT_FOR).millis())
                .bind(now.millis())
                .fetch_optional(&mut *tx)
                .await?;
                if taken.is_some() {
                    Claim::Run { ticket }
                } else {
                    let found: Option<(Vec<u8>, Option<String>)> = sqlx::query_as(
                        "SELECT fingerprint, answer FROM promises \
                         WHERE brand_id = $1 AND key_id = $2 AND idempotency_key = $3",
                    )
                    .bind(brand.as_str())
                    .bind(promise.key_id.as_str())
                    .bind(promise.idempotency_key.as_str())
                    .fetch_optional(&mut *tx)
                    .await?;
                    match found {
                        Some((fingerprint, _)) if fingerprint != promise.fingerprint.as_bytes() => Claim::Reused,
                        Some((_, Some(answer))) => Claim::Replay { answer },
                        Some((_, None)) | None => Claim::InProgress,
                    }
                }
            })
        })
        .await
    }

    pub(crate) async fn release_promise(
        &self,
        brand: &BrandId,
        promise: &Promise,
        ticket: &str,
    ) -> Result<(), Unavailable> {
        self.run("release", async {
            transaction!(&self.engine, |tx| {
                sqlx::query(
                    "DELETE FROM promises WHERE brand_id = $1 AND key_id = $2 AND idempotency_key = $3 \
                     AND ticket = $4 AND answer IS NULL",
                )
                .bind(brand.as_str())
                .bind(promise.key_id.as_str())
                .bind(promise.idempotency_key.as_str())
                .bind(ticket)
                .execute(&mut *tx)
                .await?;
            })
        })
        .await
    }
}
