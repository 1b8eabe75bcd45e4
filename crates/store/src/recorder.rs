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

/// What is to be written, counted together by key.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    keys: HashMap<KeyId, Tally>,
    /// The keys in the order in which they began to wait.
    waiting: VecDeque<KeyId>,
    events: Vec<(BrandId, NewEvent)>,
    /// What is being written. Where the store does not answer it is tried again as it is: it may have been written
    /// all the same, and only if nothing is added can that be told.
    turn: Option<Turn>,
    /// Who writes, for the store to tell the turns apart. Drawn with the first events.
    writer: String,
    turns: i64,
    latest: Option<Timestamp>,
}

#[derive(Debug, Clone)]
struct Turn {
    number: i64,
    at: Timestamp,
    keys: Vec<(KeyId, Tally)>,
    events: Vec<(BrandId, NewEvent)>,
}

/// One key's uses that are not written yet.
#[derive(Debug, Clone)]
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
        if batch.writer.is_empty() {
            batch.writer = id::fresh("wrt", random);
        }
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
        self.latest = self.latest.max(Some(used.at));
        let key_id = &used.standing.key_id;
        if !self.keys.contains_key(key_id) {
            self.waiting.push_back(key_id.clone());
            self.keys.insert(key_id.clone(), Tally::of(&used.standing));
        }
        if let Some(tally) = self.keys.get_mut(key_id) {
            tally.count(used);
        }
    }

    /// Takes out what is to be written next, if there is anything.
    fn take_turn(&mut self) {
        let Some(at) = self.latest.filter(|_| !self.waiting.is_empty()) else { return };
        let next = self.waiting.len().min(KEYS_AT_ONCE);
        let mut keys: Vec<_> =
            self.waiting.drain(..next).filter_map(|key_id| self.keys.remove_entry(&key_id)).collect();
        // Two instances that write the same keys in the same order wait for each other, and never in a circle.
        keys.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        self.turns += 1;
        self.turn = Some(Turn { number: self.turns, at, keys, events: mem::take(&mut self.events) });
    }

    fn written(&mut self) {
        self.turn = None;
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
    /// Writes what is next in the batch, once, also where the answer to an earlier attempt was lost. On a failure it
    /// stays, to be tried again. Says whether there is more.
    pub async fn write_batch(&self, batch: &mut Batch) -> Result<bool, Unavailable> {
        if batch.turn.is_none() {
            batch.take_turn();
        }
        let Some(turn) = &batch.turn else { return Ok(false) };
        self.run_patiently("write_batch", async {
            let next = &turn.keys;
            let used: Vec<_> =
                next.iter().filter_map(|(key, tally)| tally.last_used.map(|at| (&tally.brand, key, at))).collect();
            let counts: Vec<_> = next
                .iter()
                .flat_map(|(key, tally)| tally.counts.iter().map(move |(count, requests)| (key, tally, count, requests)))
                .collect();
            let peaks: Vec<_> = next
                .iter()
                .flat_map(|(key, tally)| tally.peaks.iter().map(move |(minute, most)| (key, tally, minute, most)))
                .collect();
            transaction!(&self.engine, |tx| {
                let is_new = sqlx::query(
                    "INSERT INTO writers (writer, turn, at) VALUES ($1, $2, $3) ON CONFLICT (writer) \
                     DO UPDATE SET turn = excluded.turn, at = excluded.at WHERE writers.turn < excluded.turn",
                )
                .bind(batch.writer.as_str())
                .bind(turn.number)
                .bind(turn.at.millis())
                .execute(&mut *tx)
                .await?
                .rows_affected();
                if is_new == 0 {
                    return Ok(());
                }
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
                for rows in turn.events.chunks(ROWS_AT_ONCE) {
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
