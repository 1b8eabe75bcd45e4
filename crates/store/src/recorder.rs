//! Uses of keys, gathered in memory and written in batches, so that no request waits for its own record.

use std::{
    collections::{HashMap, VecDeque},
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
/// So many are kept as single events at a time. The rest is counted in the usage, and a metric says how many.
const MOST_EVENTS: usize = 5_000;
/// So many keys are written at a time, those that have waited longest first. Where more were used, the rest waits for
/// the next time, counted together, and a metric says how many: writing must not take the machine from the requests.
const KEYS_AT_ONCE: usize = 2_000;
/// Rows in one statement.
const ROWS_AT_ONCE: usize = 500;
/// What calls of tools that do not exist are counted as.
const UNKNOWN_TOOL: &str = "(unknown)";

/// What is to be written, counted together by key. Kept and tried again if the store does not answer.
#[derive(Debug, Default)]
pub struct Batch {
    keys: HashMap<KeyId, Tally>,
    /// The keys in the order in which they began to wait.
    waiting: VecDeque<KeyId>,
    events: Vec<(BrandId, NewEvent)>,
}

/// One key's uses that are not written yet.
#[derive(Debug)]
struct Tally {
    brand: BrandId,
    last_used: Option<Timestamp>,
    /// By day, tool, outcome and latency bucket. A handful, so a list is quicker than a map.
    counts: Vec<(Count, i64)>,
    /// The fullest window by minute.
    peaks: Vec<(i64, i64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count {
    day: i64,
    tool: &'static str,
    outcome: EventOutcome,
    bucket: i64,
}

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
        if waiting.is_empty() {
            return;
        }
        // One draw names all events of a batch: they differ by their number.
        let event_id = id::fresh("evt", random);
        let mut counted_only = 0;
        for (number, used) in waiting.iter().enumerate() {
            batch.count(used);
            if batch.events.len() < MOST_EVENTS {
                batch
                    .events
                    .push((used.standing.brand_id.clone(), used.event(format!("{event_id}-{number:06}"))));
            } else {
                counted_only += 1;
            }
        }
        metrics::counter!("svc_mcp_events_counted_only_total").increment(counted_only);
    }
}

impl Use {
    fn latency_us(&self) -> i64 {
        i64::try_from(self.latency.as_micros()).unwrap_or(i64::MAX)
    }

    fn event(&self, event_id: String) -> NewEvent {
        NewEvent {
            event_id,
            at: self.at,
            kind: self.kind,
            key_id: self.standing.key_id.clone(),
            actor: self.standing.owner.clone(),
            tool: self.tool,
            outcome: self.outcome,
            reason: self.reason,
            latency_us: Some(self.latency_us()),
        }
    }
}

impl Batch {
    fn count(&mut self, used: &Use) {
        let key_id = &used.standing.key_id;
        if !self.keys.contains_key(key_id) {
            self.waiting.push_back(key_id.clone());
            self.keys.insert(key_id.clone(), Tally::of(&used.standing));
        }
        if let Some(tally) = self.keys.get_mut(key_id) {
            tally.count(used);
        }
    }

    /// The keys whose turn it is. They stay in the batch until they are written.
    fn next(&self) -> Vec<(&KeyId, &Tally)> {
        let turn = self.waiting.iter().take(KEYS_AT_ONCE);
        let mut next: Vec<_> = turn.filter_map(|key_id| self.keys.get_key_value(key_id)).collect();
        // Two instances that write the same keys in the same order wait for each other, and never in a circle.
        next.sort_unstable_by_key(|(key_id, _)| *key_id);
        next
    }

    fn written(&mut self) {
        let written = self.waiting.len().min(KEYS_AT_ONCE);
        for key_id in self.waiting.drain(..written) {
            self.keys.remove(&key_id);
        }
        self.events.clear();
        let waiting = u32::try_from(self.waiting.len()).unwrap_or(u32::MAX);
        metrics::gauge!("svc_mcp_keys_waiting").set(f64::from(waiting));
    }
}

impl Tally {
    fn of(standing: &Standing) -> Self {
        Self { brand: standing.brand_id.clone(), last_used: None, counts: Vec::new(), peaks: Vec::new() }
    }

    fn count(&mut self, used: &Use) {
        let denied = used.outcome == EventOutcome::Denied;
        if !denied {
            self.last_used = self.last_used.max(Some(used.at));
        }
        let count = Count {
            day: used.at.millis().div_euclid(MILLIS_PER_DAY),
            tool: match used.kind {
                EventKind::List => "",
                _ => used.tool.unwrap_or(UNKNOWN_TOOL),
            },
            outcome: used.outcome,
            bucket: if denied { 0 } else { bucket_of(used.latency_us()) },
        };
        match self.counts.iter_mut().find(|(known, _)| *known == count) {
            Some((_, requests)) => *requests += 1,
            None => self.counts.push((count, 1)),
        }
        let in_window = i64::try_from(used.in_window).unwrap_or(0);
        let minute = used.at.millis().div_euclid(60_000);
        match self.peaks.iter_mut().find(|(known, _)| *known == minute) {
            Some((_, most)) => *most = in_window.max(*most),
            None => self.peaks.push((minute, in_window)),
        }
    }
}

const MILLIS_PER_DAY: i64 = 86_400_000;

impl Store {
    /// Writes what is next in the batch, and takes it out. On a failure it stays as it is, to be tried again.
    /// Says whether there is more.
    pub async fn write_batch(&self, batch: &mut Batch) -> Result<bool, Unavailable> {
        if batch.waiting.is_empty() {
            return Ok(false);
        }
        self.run("write_batch", async {
            let next = batch.next();
            let used: Vec<_> =
                next.iter().filter_map(|(key, tally)| tally.last_used.map(|at| (&tally.brand, *key, at))).collect();
            let counts: Vec<_> = next
                .iter()
                .flat_map(|(key, tally)| tally.counts.iter().map(move |(count, requests)| (*key, tally, count, requests)))
                .collect();
            let peaks: Vec<_> = next
                .iter()
                .flat_map(|(key, tally)| tally.peaks.iter().map(move |(minute, most)| (*key, tally, minute, most)))
                .collect();
            transaction!(&self.engine, |tx| {
                for rows in used.chunks(ROWS_AT_ONCE) {
                    let mut sql = QueryBuilder::new("UPDATE keys SET last_used_at = used.column3 FROM (");
                    sql.push_values(rows, |mut row, (brand, key, at)| {
                        row.push_bind(brand.as_str()).push_bind(key.as_str()).push_bind(at.millis());
                    });
                    sql.push(
                        ") AS used WHERE keys.brand_id = used.column1 AND keys.key_id = used.column2 \
                         AND (keys.last_used_at IS NULL OR keys.last_used_at < used.column3)",
                    );
                    sql.build().execute(&mut *tx).await?;
                }
                for rows in counts.chunks(ROWS_AT_ONCE) {
                    let mut sql = QueryBuilder::new(
                        "INSERT INTO usage_counts (brand_id, day, key_id, tool, outcome, bucket, requests) ",
                    );
                    sql.push_values(rows, |mut row, (key, tally, count, requests)| {
                        row.push_bind(tally.brand.as_str())
                            .push_bind(Timestamp::from_millis(count.day * MILLIS_PER_DAY).day())
                            .push_bind(key.as_str())
                            .push_bind(count.tool)
                            .push_bind(count.outcome.as_str())
                            .push_bind(count.bucket)
                            .push_bind(**requests);
                    });
                    sql.push(
                        " ON CONFLICT (brand_id, day, key_id, tool, outcome, bucket) \
                         DO UPDATE SET requests = usage_counts.requests + excluded.requests",
                    );
                    sql.build().execute(&mut *tx).await?;
                }
                for rows in peaks.chunks(ROWS_AT_ONCE) {
                    let mut sql = QueryBuilder::new("INSERT INTO peaks (brand_id, key_id, minute, most) ");
                    sql.push_values(rows, |mut row, (key, tally, minute, most)| {
                        row.push_bind(tally.brand.as_str())
                            .push_bind(key.as_str())
                            .push_bind(**minute)
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
        batch.written();
        Ok(!batch.waiting.is_empty())
    }
}
