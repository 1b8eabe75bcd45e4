//! Bounds the number of deliveries that wait for one endpoint.

use svc_mcp_access::StoreError;
use svc_mcp_tools::events::{EventQueue, MAX_WAITING_DELIVERIES};

use crate::{
    Store,
    engine::{Tx, query, transaction, within},
};

/// The operator's endpoint gets the events of all brands.
const MAX_WAITING_FOR_OPERATOR: u32 = 100_000;
const DROPPED: &str = "Too many deliveries waited for the endpoint.";

impl Store {
    /// Gives up the oldest deliveries of endpoints that have too many, and counts them. Call it regularly. Returns how many
    /// were given up.
    pub async fn drop_excess_deliveries(&self) -> Result<u64, StoreError> {
        self.drop_deliveries_beyond(MAX_WAITING_DELIVERIES, MAX_WAITING_FOR_OPERATOR).await
    }

    /// The same with other limits, for tests.
    #[doc(hidden)]
    pub async fn drop_deliveries_beyond(&self, max: u32, max_for_operator: u32) -> Result<u64, StoreError> {
        let long: Vec<(String, i64)> = self
            .run_patiently("long_queues", async {
                let sql = "SELECT queue, COUNT(*) FROM event_deliveries WHERE state = 'pending' GROUP BY queue \
                           HAVING COUNT(*) > $1";
                query!(&self.engine, |db| sqlx::query_as(sql)
                    .bind(i64::from(max.min(max_for_operator)))
                    .fetch_all(db)
                    .await)
            })
            .await?;
        let mut dropped = 0;
        for (name, waiting) in long {
            let Some(queue) = EventQueue::parse(&name) else { continue };
            let max = if queue == EventQueue::Operator { max_for_operator } else { max };
            let excess = waiting - i64::from(max);
            if excess > 0 {
                dropped += self.run_patiently("drop_deliveries", self.drop_oldest(&queue, excess)).await?;
            }
        }
        if dropped > 0 {
            tracing::warn!(
                dropped,
                "event deliveries were given up, because too many waited for their endpoints"
            );
        }
        Ok(dropped)
    }

    async fn drop_oldest(&self, queue: &EventQueue, excess: i64) -> Result<u64, sqlx::Error> {
        transaction!(&self.engine, |tx| {
            let mut tx = Tx::from(&mut *tx);
            let sql = "UPDATE event_deliveries SET state = 'failed', lease = NULL, last_error = $3 WHERE delivery_id IN \
                       (SELECT delivery_id FROM event_deliveries WHERE state = 'pending' AND queue = $1 \
                        ORDER BY event_number LIMIT $2 + 0)";
            let dropped = within!(&mut tx, |db| sqlx::query(sql)
                .bind(queue.name())
                .bind(excess)
                .bind(DROPPED)
                .execute(db)
                .await
                .map(|done| done.rows_affected()))?;
            if let EventQueue::Endpoint(brand, endpoint) = queue {
                let sql = "UPDATE event_endpoints SET dropped = dropped + $3 WHERE brand_id = $1 AND endpoint_id = $2";
                within!(&mut tx, |db| sqlx::query(sql)
                    .bind(brand.as_str())
                    .bind(endpoint.as_str())
                    .bind(i64::try_from(dropped).unwrap_or(i64::MAX))
                    .execute(db)
                    .await
                    .map(|_| ()))?;
            }
            dropped
        })
    }
}
