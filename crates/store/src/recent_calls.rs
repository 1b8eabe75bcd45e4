//! What calls created in the last minutes, by the fingerprint of their arguments.

use svc_mcp_access::{BrandId, StoreError, Timestamp, idempotency::Fingerprint};
use svc_mcp_tools::recent_call::RecentCall;

use crate::{
    Store,
    engine::{Tx, query, within},
};

impl Store {
    pub(crate) async fn recent_call(
        &self,
        brand: &BrandId,
        fingerprint: &Fingerprint,
        since: Timestamp,
    ) -> Result<Option<RecentCall>, StoreError> {
        self.run_for(brand, "recent_call", async {
            let found: Option<(String, i64)> = query!(&self.engine, |db| sqlx::query_as(
                "SELECT record_id, called_at FROM recent_calls \
                 WHERE brand_id = $1 AND fingerprint = $2 AND called_at >= $3",
            )
            .bind(brand.as_str())
            .bind(fingerprint.as_bytes())
            .bind(since.millis())
            .fetch_optional(db)
            .await)?;
            Ok(found.map(|(record_id, at)| RecentCall {
                fingerprint: *fingerprint,
                record_id,
                at: Timestamp::from_millis(at),
            }))
        })
        .await
    }
}

/// Replaces an earlier call with the same fingerprint.
pub(crate) async fn put_recent_call(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    call: &RecentCall,
) -> Result<(), sqlx::Error> {
    within!(tx, |db| sqlx::query(
        "INSERT INTO recent_calls (brand_id, fingerprint, record_id, called_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (brand_id, fingerprint) DO UPDATE \
         SET record_id = excluded.record_id, called_at = excluded.called_at",
    )
    .bind(brand.as_str())
    .bind(call.fingerprint.as_bytes())
    .bind(&call.record_id)
    .bind(call.at.millis())
    .execute(db)
    .await
    .map(|_| ()))
}
