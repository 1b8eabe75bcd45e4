//! Uses of keys, gathered in memory and written in batches, so that no request waits for its own record.

use std::{
    collections::BTreeMap,
    mem,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rand::CryptoRng;
use sqlx::QueryBuilder;
use svc_mcp_access::{
    BrandId, KeyId, Timestamp,
    decision::{Standing, Unavailable},
    id,
};

use crate::{EventKind, EventOutcome, NewEvent, Store, activity::bucket_of, engine::transaction};

/// One request of a known key.
#[derive(Debug, Clone)]
pub struct Use {
    pub standing: Arc<Standing>,
    pub at: Timestamp,
    pub kind: EventKind,
    pub tool: Option<&'static str>,
    pub outcome: EventOutcome,
    pub reason: Option<&'static str>,
    pub latency: Duration,
    /// How full the key's window was after this request.
    pub in_window: usize,
}

/// Where uses wait to be written.
#[derive(Debug, Default)]
pub struct Recorder {
    waiting: Mutex<Vec<Use>>,
}

/// So many uses wait at the most. Beyond that they are lost, and a metric counts them.
const MOST_WAITING: usize = 500_000;
/// So many are written as single events at a time. The rest is counted in the usage, and a metric says how many.
const MOST_EVENTS: usize = 5_000;
/// Rows in one statement and in one transaction: others may write in between.
const ROWS_AT_ONCE: usize = 500;

/// What calls of tools that do not exist are counted as.
const UNKNOWN_TOOL: &str = "(unknown)";

/// What is to be written, counted together. Kept and tried again if the store does not answer.
#[derive(Debug, Default)]
pub struct Batch {
    last_used: BTreeMap<(BrandId, KeyId), Timestamp>,
    counts: BTreeMap<CountKey, i64>,
    peaks: BTreeMap<(BrandId, KeyId, i64), i64>,
    events: Vec<(BrandId, NewEvent)>,
}

type CountKey = (BrandId, String, KeyId, &'static str, EventOutcome, i64);

impl Recorder {
    pub fn record(&self, used: Use) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < MOST_WAITING {
            waiting.push(used);
        } else {
            drop(waiting);
            metrics::counter!("svc_mcp_uses_lost_total").increment(1);
        }
    }

    /// Moves what waits into the batch.
    pub fn drain_into(&self, batch: &mut Batch, random: &mut impl CryptoRng) {
        let waiting = mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        for used in waiting {
            batch.add(&used, random);
        }
    }
}

impl Batch {
    fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    fn add(&mut self, used: &Use, random: &mut impl CryptoRng) {
        let standing = &used.standing;
        let (brand, key) = (standing.brand_id.clone(), standing.key_id.clone());
        if used.outcome != EventOutcome::Denied {
            let last = self.last_used.entry((brand.clone(), key.clone())).or_insert(used.at);
            *last = used.at.max(*last);
        }
        let latency_us = i64::try_from(used.latency.as_micros()).unwrap_or(i64::MAX);
        let bucket = if used.outcome == EventOutcome::Denied { 0 } else { bucket_of(latency_us) };
        let tool = match used.kind {
            EventKind::List => "",
            _ => used.tool.unwrap_or(UNKNOWN_TOOL),
        };
        *self
            .counts
            .entry((brand.clone(), used.at.day(), key.clone(), tool, used.outcome, bucket))
            .or_default() += 1;
        let peak = self.peaks.entry((brand.clone(), key.clone(), used.at.millis() / 60_000)).or_default();
        *peak = (*peak).max(i64::try_from(used.in_window).unwrap_or(0));
        if self.events.len() >= MOST_EVENTS {
            metrics::counter!("svc_mcp_events_counted_only_total").increment(1);
            return;
        }
        let event = NewEvent {
            event_id: id::fresh("evt", random),
            at: used.at,
            kind: used.kind,
            key_id: key,
            actor: standing.owner.clone(),
            tool: used.tool,
            outcome: used.outcome,
            reason: used.reason,
            latency_us: Some(latency_us),
        };
        self.events.push((brand, event));
    }
}

impl Store {
    /// Writes the batch and empties it. On a failure it stays as it is, to be tried again.
    pub async fn write_batch(&self, batch: &mut Batch) -> Result<(), Unavailable> {
        if batch.is_empty() {
            return Ok(());
        }
        self.run("write_batch", async {
            transaction!(&self.engine, |tx| {
                let last_used: Vec<_> = batch.last_used.iter().collect();
                for rows in last_used.chunks(ROWS_AT_ONCE) {
                    let mut sql = QueryBuilder::new("UPDATE keys SET last_used_at = used.column3 FROM (");
                    sql.push_values(rows, |mut row, ((brand, key), at)| {
                        row.push_bind(brand.as_str()).push_bind(key.as_str()).push_bind(at.millis());
                    });
                    sql.push(
                        ") AS used WHERE keys.brand_id = used.column1 AND keys.key_id = used.column2 \
                         AND (keys.last_used_at IS NULL OR keys.last_used_at < used.column3)",
                    );
                    sql.build().execute(&mut *tx).await?;
                }
                let counts: Vec<_> = batch.counts.iter().collect();
                for rows in counts.chunks(ROWS_AT_ONCE) {
                    let mut sql = QueryBuilder::new(
                        "INSERT INTO usage_counts (brand_id, day, key_id, tool, outcome, bucket, requests) ",
                    );
                    sql.push_values(rows, |mut row, ((brand, day, key, tool, outcome, bucket), requests)| {
                        row.push_bind(brand.as_str())
                            .push_bind(day.as_str())
                            .push_bind(key.as_str())
                            .push_bind(*tool)
                            .push_bind(outcome.as_str())
                            .push_bind(*bucket)
                            .push_bind(**requests);
                    });
                    sql.push(
                        " ON CONFLICT (brand_id, day, key_id, tool, outcome, bucket) \
                         DO UPDATE SET requests = usage_counts.requests + excluded.requests",
                    );
                    sql.build().execute(&mut *tx).await?;
                }
                let peaks: Vec<_> = batch.peaks.iter().collect();
                for rows in peaks.chunks(ROWS_AT_ONCE) {
                    let mut sql = QueryBuilder::new("INSERT INTO peaks (brand_id, key_id, minute, most) ");
                    sql.push_values(rows, |mut row, ((brand, key, minute), most)| {
                        row.push_bind(brand.as_str())
                            .push_bind(key.as_str())
                            .push_bind(*minute)
                            .push_bind(**most);
                    });
                    sql.push(
                        " ON CONFLICT (brand_id, key_id, minute) DO UPDATE SET most = \
                         CASE WHEN peaks.most > excluded.most THEN peaks.most ELSE excluded.most END",
                    );
                    sql.build().execute(&mut *tx).await?;
                }
                for rows in batch.events.chunks(ROWS_AT_ONCE) {
                    let mut sql = QueryBuilder::new(
                        "INSERT INTO activity (brand_id, at, event_id, kind, key_id, actor, tool, outcome, reason, latency_us) ",
                    );
                    sql.push_values(rows, |mut row, (brand, event)| {
                        row.push_bind(brand.as_str())
                            .push_bind(event.at.millis())
                            .push_bind(event.event_id.as_str())
                            .push_bind(event.kind.as_str())
                            .push_bind(event.key_id.as_str())
                            .push_bind(event.actor.as_str())
                            .push_bind(event.tool)
                            .push_bind(event.outcome.as_str())
                            .push_bind(event.reason)
                            .push_bind(event.latency_us);
                    });
                    sql.build().execute(&mut *tx).await?;
                }
            })
        })
        .await?;
        *batch = Batch::default();
        Ok(())
    }
}
