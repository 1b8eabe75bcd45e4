//! Deliveries as the sender uses them.

use async_trait::async_trait;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp, id};
use svc_mcp_tools::events::{
    EndpointNotice, EventQueue, EventRecords, FinishedTry, LeasedDelivery, MAX_AGE, SWITCH_OFF_AFTER,
    SendTarget, TryOutcome, delay_after,
};

use super::{
    endpoints::read_endpoint,
    switch_off::{SwitchOff, give_up_waiting, switch_off},
};
use crate::{
    ToolRecords,
    engine::{Tx, query, transaction, within},
    write_generations::WriteScope,
};

/// The text of an error is cut to this length.
const MAX_ERROR_CHARS: usize = 300;

#[derive(FromRow)]
struct LeasedRow {
    delivery_id: String,
    event_id: String,
    attempts: i64,
    at: i64,
}

/// Names of queues one after the other, each found by one lookup in the index, however many deliveries a queue has.
const READY_QUEUES: &str = "WITH RECURSIVE queues (queue) AS ( \
       SELECT (SELECT d.queue FROM event_deliveries d WHERE d.state = 'pending' AND d.queue > $1 \
         ORDER BY d.queue LIMIT 1) \
       UNION ALL \
       SELECT (SELECT d.queue FROM event_deliveries d WHERE d.state = 'pending' AND d.queue > queues.queue \
         ORDER BY d.queue LIMIT 1) \
       FROM queues WHERE queues.queue IS NOT NULL) \
     SELECT queue FROM queues WHERE queue IS NOT NULL AND EXISTS (SELECT 1 FROM event_deliveries d \
       WHERE d.state = 'pending' AND d.queue = queues.queue AND d.next_try_at <= $2) LIMIT $3 + 0";

/// The oldest delivery that is due, unless an earlier one of its key waits. The last conditions are checked again for a row
/// that another instance has just taken.
const LEASE: &str = "UPDATE event_deliveries SET next_try_at = $3, lease = $4, attempts = attempts + 1, last_try_at = $2 \
     WHERE delivery_id = (SELECT d.delivery_id FROM event_deliveries d WHERE d.state = 'pending' AND d.queue = $1 \
       AND d.next_try_at <= $2 AND (d.key_id IS NULL OR NOT EXISTS (SELECT 1 FROM event_deliveries e \
         WHERE e.state = 'pending' AND e.queue = d.queue AND e.key_id = d.key_id AND e.event_number < d.event_number)) \
       ORDER BY d.event_number LIMIT 1) AND state = 'pending' AND next_try_at <= $2 \
     RETURNING delivery_id, event_id, attempts, at";

#[async_trait]
impl EventRecords for ToolRecords {
    async fn ready_queues(
        &self,
        after: &str,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<EventQueue>, StoreError> {
        let names: Vec<String> = self
            .store
            .run_patiently("ready_queues", async {
                query!(&self.store.engine, |db| sqlx::query_scalar(READY_QUEUES)
                    .bind(after)
                    .bind(now.millis())
                    .bind(i64::from(limit))
                    .fetch_all(db)
                    .await)
            })
            .await?;
        Ok(names.iter().filter_map(|name| EventQueue::parse(name)).collect())
    }

    async fn lease_delivery(
        &self,
        queue: &EventQueue,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<LeasedDelivery>, StoreError> {
        let lease = id::fresh("lease", &mut self.entropy.clone());
        self.store
            .run_patiently("lease_delivery", async {
                transaction!(&self.store.engine, WriteScope::NoBrand, |tx| {
                    take_delivery(&mut Tx::from(&mut *tx), queue, (now, until), &lease).await?
                })
            })
            .await
    }

    async fn finish_try(
        &self,
        delivery: &LeasedDelivery,
        outcome: &TryOutcome,
        now: Timestamp,
        can_mail: bool,
    ) -> Result<FinishedTry, StoreError> {
        let email_prefix = can_mail.then(|| id::fresh("mail", &mut self.entropy.clone()));
        let finished = self
            .store
            .run_patiently("finish_try", async {
                transaction!(&self.store.engine, WriteScope::NoBrand, |tx| {
                    let mut tx = Tx::from(&mut *tx);
                    match outcome {
                        TryOutcome::Delivered { status } => {
                            end_delivered(&mut tx, delivery, *status, now).await?
                        }
                        TryOutcome::Failed { status, error } => {
                            let error: String = error.chars().take(MAX_ERROR_CHARS).collect();
                            let failure =
                                Failure { status: *status, error: &error, email_prefix: &email_prefix };
                            end_failed(&mut tx, delivery, &failure, now).await?
                        }
                    }
                })
            })
            .await?;
        if finished == FinishedTry::SwitchedOff {
            self.store.job_added.notify_waiters();
        }
        Ok(finished)
    }

    async fn endpoint_notice(
        &self,
        brand: &BrandId,
        email_id: &str,
    ) -> Result<Option<EndpointNotice>, StoreError> {
        self.store.endpoint_notice(brand, email_id).await
    }
}

struct Failure<'a> {
    status: Option<u16>,
    error: &'a str,
    email_prefix: &'a Option<String>,
}

async fn take_delivery(
    tx: &mut Tx<'_>,
    queue: &EventQueue,
    (now, until): (Timestamp, Timestamp),
    lease: &str,
) -> Result<Option<LeasedDelivery>, sqlx::Error> {
    let target = match queue {
        EventQueue::Operator => SendTarget::Operator,
        EventQueue::Endpoint(brand, endpoint) => {
            // The deliveries of an endpoint that is off wait. Those of a deleted one are pruned.
            let Some(endpoint) = read_endpoint(tx, brand, endpoint).await? else { return Ok(None) };
            if endpoint.disabled_at.is_some() {
                // A change that committed while the endpoint was switched off may have added one.
                give_up_waiting(tx, queue).await?;
            }
            if !endpoint.is_on() {
                return Ok(None);
            }
            SendTarget::Endpoint { url: endpoint.url, sealed: endpoint.sealed }
        }
    };
    let row: Option<LeasedRow> = within!(tx, |db| sqlx::query_as(LEASE)
        .bind(queue.name())
        .bind(now.millis())
        .bind(until.millis())
        .bind(lease)
        .fetch_optional(db)
        .await)?;
    let Some(row) = row else { return Ok(None) };
    let sql = "SELECT body FROM outbox_events WHERE event_id = $1";
    let body: String = within!(tx, |db| sqlx::query_scalar(sql).bind(&row.event_id).fetch_one(db).await)?;
    Ok(Some(LeasedDelivery {
        delivery_id: row.delivery_id,
        queue: queue.clone(),
        event_id: row.event_id,
        body,
        lease: lease.to_owned(),
        attempt: u32::try_from(row.attempts).unwrap_or(u32::MAX),
        at: Timestamp::from_millis(row.at),
        target,
    }))
}

async fn end_delivered(
    tx: &mut Tx<'_>,
    delivery: &LeasedDelivery,
    status: u16,
    now: Timestamp,
) -> Result<FinishedTry, sqlx::Error> {
    let sql = "UPDATE event_deliveries SET state = 'delivered', lease = NULL, last_status = $3, last_error = NULL, \
               delivered_at = $4 WHERE delivery_id = $1 AND lease = $2 AND state = 'pending'";
    let ended = within!(tx, |db| sqlx::query(sql)
        .bind(&delivery.delivery_id)
        .bind(&delivery.lease)
        .bind(i64::from(status))
        .bind(now.millis())
        .execute(db)
        .await
        .map(|done| done.rows_affected()))?;
    if ended == 0 {
        return Ok(FinishedTry::LeaseLost);
    }
    if let EventQueue::Endpoint(brand, endpoint) = &delivery.queue {
        let sql = "UPDATE event_endpoints SET failing_since = NULL WHERE brand_id = $1 AND endpoint_id = $2 \
                   AND failing_since IS NOT NULL";
        within!(tx, |db| sqlx::query(sql)
            .bind(brand.as_str())
            .bind(endpoint.as_str())
            .execute(db)
            .await
            .map(|_| ()))?;
    }
    Ok(FinishedTry::Delivered)
}

async fn end_failed(
    tx: &mut Tx<'_>,
    delivery: &LeasedDelivery,
    failure: &Failure<'_>,
    now: Timestamp,
) -> Result<FinishedTry, sqlx::Error> {
    let is_too_old = delivery.at.plus(MAX_AGE) <= now;
    let next = delay_after(delivery.attempt).filter(|_| !is_too_old).map(|delay| now.plus(delay));
    let sql = "UPDATE event_deliveries SET state = $3, lease = NULL, next_try_at = $4, last_status = $5, last_error = $6 \
               WHERE delivery_id = $1 AND lease = $2 AND state = 'pending'";
    let ended = within!(tx, |db| sqlx::query(sql)
        .bind(&delivery.delivery_id)
        .bind(&delivery.lease)
        .bind(if next.is_some() { "pending" } else { "failed" })
        .bind(next.unwrap_or(now).millis())
        .bind(failure.status.map(i64::from))
        .bind(failure.error)
        .execute(db)
        .await
        .map(|done| done.rows_affected()))?;
    if ended == 0 {
        return Ok(FinishedTry::LeaseLost);
    }
    let EventQueue::Endpoint(brand, endpoint) = &delivery.queue else {
        // The operator's endpoint is never switched off: the log and the metrics show that it fails.
        return Ok(if next.is_some() { FinishedTry::Postponed } else { FinishedTry::GivenUp });
    };
    let sql = "UPDATE event_endpoints SET failing_since = COALESCE(failing_since, $3) \
               WHERE brand_id = $1 AND endpoint_id = $2 RETURNING failing_since";
    let since: Option<i64> = within!(tx, |db| sqlx::query_scalar(sql)
        .bind(brand.as_str())
        .bind(endpoint.as_str())
        .bind(now.millis())
        .fetch_optional(db)
        .await)?;
    let since = since.map(Timestamp::from_millis).filter(|since| since.plus(SWITCH_OFF_AFTER) <= now);
    if let Some(failing_since) = since {
        let email_prefix = failure.email_prefix.as_deref();
        let off = SwitchOff { brand, endpoint, failing_since, error: failure.error, email_prefix };
        switch_off(tx, &off, now).await?;
        return Ok(FinishedTry::SwitchedOff);
    }
    Ok(if next.is_some() { FinishedTry::Postponed } else { FinishedTry::GivenUp })
}
