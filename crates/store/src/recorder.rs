//! Uses of keys, gathered in memory and written in batches, so that no request waits for its own record.

use std::{
    collections::BTreeMap,
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rand::CryptoRng;
use sqlx::QueryBuilder;
use svc_mcp_access::{
    BrandId, KeyId, Timestamp,
    decision::{Standing, Unavailable},
    id,
    tally::{Added, Counted, Line},
};

use crate::{
    EventKind, EventOutcome, NewEvent, Store,
    activity::bucket_of,
    engine::{Tx, transaction},
};

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

/// Where uses wait to be written: counted with their keys, and a few of them also one by one.
#[derive(Debug, Default)]
pub struct Recorder {
    /// Since the last turn.
    uses: AtomicUsize,
    /// Lines begun since the last turn, and those that were waiting then.
    new_lines: AtomicUsize,
    old_lines: AtomicUsize,
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Which keys have something counted.
    keys: Vec<Arc<Standing>>,
    singly: Vec<Use>,
}

/// So many lines wait at the most. What would need another one is lost, and a metric counts it.
const MOST_LINES: usize = 500_000;
/// What is written at a time. The uses beyond are counted in the usage, and a metric says how many; the lines beyond
/// wait for their turn, counted together, and another metric says how many keys they belong to.
const AT_EASE: AtOnce = AtOnce { events: 5_000, lines: 2_000, keys: 16_384 };
/// The same while so many uses come between two turns that writing them all would take the machine from the requests.
const BUSY: AtOnce = AtOnce { events: 100, lines: 100, keys: 1_000 };
const BUSY_FROM: usize = 400;
/// Rows in one statement.
const ROWS_AT_ONCE: usize = 500;
/// What calls of tools that do not exist are counted as.
const UNKNOWN_TOOL: &str = "(unknown)";

#[derive(Debug, Clone, Copy)]
struct AtOnce {
    events: usize,
    lines: usize,
    /// So many keys are put in order.
    keys: usize,
}

/// What is to be written.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// Keys with something counted, as they came.
    keys: Vec<Arc<Standing>>,
    /// The first of them, in order, written turn by turn from the end. Only then come the others, so that none waits
    /// for ever.
    writing: Vec<Arc<Standing>>,
    /// How many lines they all have.
    lines: usize,
    events: Vec<(BrandId, NewEvent)>,
    is_busy: bool,
    /// What is being written. Where the store does not answer it is tried again as it is: it may have been written
    /// all the same, and only if nothing is added can that be told.
    turn: Option<Turn>,
    /// Who writes, for the store to tell the turns apart. Drawn with the first uses.
    writer: String,
    turns: i64,
}

#[derive(Debug, Clone)]
struct Turn {
    number: i64,
    at: Timestamp,
    lines: Vec<(Arc<Standing>, Vec<(Line, Counted)>)>,
    events: Vec<(BrandId, NewEvent)>,
}

impl Recorder {
    pub fn record(&self, used: Use) {
        let is_single = self.uses.fetch_add(1, Ordering::Relaxed) < BUSY_FROM;
        let most = u8::try_from(used.in_window).unwrap_or(u8::MAX);
        match used.standing.tally.add(used.line(), most, used.at, || self.has_room()) {
            Added::ToALine => {}
            Added::AsANewLine => drop(self.new_lines.fetch_add(1, Ordering::Relaxed)),
            Added::AsTheFirstLine => {
                self.new_lines.fetch_add(1, Ordering::Relaxed);
                self.waiting().keys.push(Arc::clone(&used.standing));
            }
            Added::Nowhere => metrics::counter!("svc_mcp_uses_lost_total").increment(1),
        }
        if is_single {
            self.waiting().singly.push(used);
        }
    }

    fn has_room(&self) -> bool {
        self.new_lines.load(Ordering::Relaxed) + self.old_lines.load(Ordering::Relaxed) < MOST_LINES
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves what waits into the batch.
    pub fn drain_into(&self, batch: &mut Batch, random: &mut impl CryptoRng) {
        let Waiting { keys, mut singly } = mem::take(&mut *self.waiting());
        let uses = self.uses.swap(0, Ordering::Relaxed);
        batch.is_busy = uses >= BUSY_FROM;
        batch.lines += self.new_lines.swap(0, Ordering::Relaxed);
        self.old_lines.store(batch.lines, Ordering::Relaxed);
        batch.keys.extend(keys);
        if uses == 0 && singly.is_empty() {
            return;
        }
        // One draw names all events of a batch: they differ by their number.
        let event_id = id::fresh("evt", random);
        if batch.writer.is_empty() {
            batch.writer = id::fresh("wrt", random);
        }
        singly.truncate(batch.at_once().events.saturating_sub(batch.events.len()));
        let counted_only = uses.saturating_sub(singly.len());
        metrics::counter!("svc_mcp_events_counted_only_total").increment(counted_only as u64);
        let events = singly.into_iter().enumerate().map(|(number, used)| {
            (used.standing.brand_id.clone(), used.event(format!("{event_id}-{number:06}")))
        });
        batch.events.extend(events);
    }
}

impl Use {
    fn latency_us(&self) -> i64 {
        i64::try_from(self.latency.as_micros()).unwrap_or(i64::MAX)
    }

    fn line(&self) -> Line {
        let bucket = if self.outcome == EventOutcome::Denied { 0 } else { bucket_of(self.latency_us()) };
        Line {
            tool: match self.kind {
                EventKind::List => "",
                _ => self.tool.unwrap_or(UNKNOWN_TOOL),
            },
            minute: u32::try_from(self.at.millis().div_euclid(MILLIS_PER_MINUTE)).unwrap_or(0),
            outcome: self.outcome,
            bucket: u8::try_from(bucket).unwrap_or(u8::MAX),
        }
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
    /// So many uses came lately that writing gives way to the requests.
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    fn at_once(&self) -> AtOnce {
        if self.is_busy { BUSY } else { AT_EASE }
    }

    fn waiting(&self) -> usize {
        self.keys.len() + self.writing.len()
    }

    /// Takes out what is to be written next, if there is anything.
    async fn take_turn(&mut self) {
        let (mut lines, mut count) = (Vec::new(), 0);
        while count < self.at_once().lines {
            let Some(key) = self.next_key().await else { break };
            let of_key = key.tally.take();
            count += of_key.len();
            lines.push((key, of_key));
        }
        let moments = lines.iter().flat_map(|(_, lines)| lines).map(|(_, counted)| counted.last);
        let Some(at) = moments.max() else { return };
        self.lines = self.lines.saturating_sub(count);
        self.turns += 1;
        self.turn = Some(Turn { number: self.turns, at, lines, events: mem::take(&mut self.events) });
    }

    async fn next_key(&mut self) -> Option<Arc<Standing>> {
        if self.writing.is_empty() && !self.keys.is_empty() {
            let first = self.keys.drain(..self.keys.len().min(self.at_once().keys)).collect();
            self.writing = in_order(first).await;
        } else if self.writing.is_empty() {
            // A busy minute must not be paid for in memory ever after, nor a line that was taken before it was counted.
            (self.keys, self.writing, self.lines) = Default::default();
        }
        self.writing.pop()
    }

    fn written(&mut self) {
        self.turn = None;
        let waiting = u32::try_from(self.waiting()).unwrap_or(u32::MAX);
        metrics::gauge!("svc_mcp_keys_waiting").set(f64::from(waiting));
    }
}

/// In the order of the tables, so that rows of a turn lie side by side: a page of the database is then written once for
/// several of its rows. Many take milliseconds, and no request is to wait for it.
async fn in_order(mut keys: Vec<Arc<Standing>>) -> Vec<Arc<Standing>> {
    let sort = move || {
        keys.sort_by_cached_key(|key| (key.brand_id.clone(), key.key_id.clone()));
        keys
    };
    tokio::task::spawn_blocking(sort).await.expect("sorting does not fail")
}

const MILLIS_PER_MINUTE: i64 = 60_000;
const MINUTES_PER_DAY: u32 = 24 * 60;

/// The lines of a turn as rows of each table, in the order of their keys: two instances that write the same keys in
/// the same order wait for each other, and never in a circle.
struct Rows<'a> {
    used: Vec<(Key<'a>, Timestamp)>,
    counts: Vec<((Key<'a>, u32, Line), i64)>,
    peaks: Vec<((Key<'a>, u32), u8)>,
    days: BTreeMap<u32, String>,
}

type Key<'a> = (&'a BrandId, &'a KeyId);

impl<'a> Rows<'a> {
    fn of(turn: &'a Turn) -> Self {
        let (mut used, mut counts, mut peaks) = (Vec::new(), Vec::new(), Vec::new());
        let mut days = BTreeMap::new();
        for (key, lines) in &turn.lines {
            let key = (&key.brand_id, &key.key_id);
            for (line, counted) in lines {
                if line.outcome != EventOutcome::Denied {
                    used.push((key, counted.last));
                }
                let day = line.minute / MINUTES_PER_DAY;
                days.entry(day).or_insert_with(|| text_of(day));
                counts.push(((key, day, Line { minute: 0, ..*line }), i64::from(counted.requests)));
                peaks.push(((key, line.minute), counted.most));
            }
        }
        Self {
            used: merged(used, |last, other| *last = other.max(*last)),
            counts: merged(counts, |requests, more| *requests += more),
            peaks: merged(peaks, |most, other| *most = other.max(*most)),
            days,
        }
    }
}

fn text_of(day: u32) -> String {
    Timestamp::from_millis(i64::from(day * MINUTES_PER_DAY) * MILLIS_PER_MINUTE).day()
}

/// One row for each place in a table, in order.
fn merged<P: Ord, V: Copy>(mut rows: Vec<(P, V)>, merge: impl Fn(&mut V, V)) -> Vec<(P, V)> {
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    rows.dedup_by(|(later, value), (earlier, kept)| {
        let is_same = later == earlier;
        if is_same {
            merge(kept, *value);
        }
        is_same
    });
    rows
}

impl Store {
    /// Writes what is next in the batch, once, also where the answer to an earlier attempt was lost. On a failure it
    /// stays, to be tried again. Says whether there is more.
    pub async fn write_batch(&self, batch: &mut Batch) -> Result<bool, Unavailable> {
        if batch.turn.is_none() {
            batch.take_turn().await;
        }
        let Some(turn) = &batch.turn else { return Ok(false) };
        self.run_patiently("write_batch", async {
            let Rows { used, counts, peaks, days } = Rows::of(turn);
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
                    hold_in_order(&mut Tx::from(&mut *tx), rows.iter().map(|((_, key), _)| *key)).await?;
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
                for rows in counts.chunks(ROWS_AT_ONCE) {
                    let mut sql = QueryBuilder::new(
                        "INSERT INTO usage_counts (brand_id, day, key_id, tool, outcome, bucket, requests) ",
                    );
                    sql.push_values(rows, |mut row, (((brand, key), day, line), requests)| {
                        row.push_bind(brand.as_str())
                            .push_bind(days[day].as_str())
                            .push_bind(key.as_str())
                            .push_bind(line.tool)
                            .push_bind(line.outcome.as_str())
                            .push_bind(i64::from(line.bucket))
                            .push_bind(*requests);
                    });
                    sql.push(
                        " ON CONFLICT (brand_id, day, key_id, tool, outcome, bucket) \
                         DO UPDATE SET requests = usage_counts.requests + excluded.requests",
                    );
                    sql.build().execute(&mut *tx).await?;
                }
                for rows in peaks.chunks(ROWS_AT_ONCE) {
                    let mut sql = QueryBuilder::new("INSERT INTO peaks (brand_id, key_id, minute, most) ");
                    sql.push_values(rows, |mut row, (((brand, key), minute), most)| {
                        row.push_bind(brand.as_str())
                            .push_bind(key.as_str())
                            .push_bind(i64::from(*minute))
                            .push_bind(i64::from(*most));
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
        Ok(batch.waiting() > 0)
    }
}

/// Takes the rows of these keys, all writers in the same order. An update takes its rows in an order of its own, and two
/// that took the same ones in different orders would wait for each other. SQLite lets writers in one after the other.
async fn hold_in_order<'a>(
    tx: &mut Tx<'_>,
    keys: impl Iterator<Item = &'a KeyId>,
) -> Result<(), sqlx::Error> {
    let Tx::Postgres(db) = tx else { return Ok(()) };
    let keys: Vec<&str> = keys.map(KeyId::as_str).collect();
    let sql = "SELECT 1 FROM keys WHERE key_id = ANY($1) \
               ORDER BY brand_id COLLATE \"C\", key_id COLLATE \"C\" FOR NO KEY UPDATE";
    sqlx::query(sql).bind(keys).execute(&mut **db).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use rand::{SeedableRng, rngs::StdRng};
    use svc_mcp_access::{Scope, decision::Stamps, key::KeyDigest, limiter::Lent, tally::Tally};

    use super::*;

    fn fresh_use() -> Use {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let id = format!("id_{number}");
        let standing = Standing {
            digest: KeyDigest::of(&number.to_le_bytes()),
            expires_at: None,
            window: Lent::default(),
            tally: Tally::default(),
            scope: Scope::Read,
            revoked: false,
            owner_is_member: true,
            mcp_enabled: true,
            tools: None,
            stamps: Stamps::default(),
            key_id: id.parse().expect("an id"),
            brand_id: id.parse().expect("an id"),
            plan_id: id.parse().expect("an id"),
            owner: id.parse().expect("an id"),
        };
        Use {
            standing: Arc::new(standing),
            at: Timestamp::from_millis(1_794_700_800_000),
            kind: EventKind::List,
            tool: None,
            outcome: EventOutcome::Ok,
            reason: None,
            latency: Duration::from_micros(50),
            in_window: 1,
        }
    }

    /// The store was away for long, and many uses found no room. They must not take the room of later ones.
    #[tokio::test]
    async fn what_is_lost_takes_no_room() {
        let (recorder, mut batch) = (Recorder::default(), Batch::default());
        let mut random = StdRng::seed_from_u64(1);
        let kept = fresh_use();
        recorder.record(kept.clone());
        recorder.old_lines.store(MOST_LINES - 1, Ordering::Relaxed);
        for _ in 0..10 {
            let lost = fresh_use();
            recorder.record(lost.clone());
            assert!(lost.standing.tally.take().is_empty());
        }
        recorder.record(kept);
        recorder.drain_into(&mut batch, &mut random);
        assert_eq!((batch.lines, batch.waiting()), (1, 1));
        batch.take_turn().await;
        assert_eq!((batch.lines, batch.waiting()), (0, 0));
        let turn = batch.turn.take().expect("there is something to write");
        assert_eq!(turn.lines[0].1[0].1.requests, 2);
        recorder.drain_into(&mut batch, &mut random);
        assert!(recorder.has_room());
    }
}
