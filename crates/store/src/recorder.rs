//! Uses of keys, gathered in memory and written in batches, so that no request waits for its own record.

use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    hash::{BuildHasherDefault, Hash, Hasher},
    mem,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rand::CryptoRng;
use sqlx::QueryBuilder;
use svc_mcp_access::{
    BrandId, Timestamp,
    decision::{Standing, Unavailable},
    id,
    rate::DigestHasher,
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

/// So many uses wait at the most, and so many lines of them. Beyond that they are lost, and a metric counts them.
const MOST_WAITING: usize = 500_000;
/// What is written at a time. The uses beyond are counted in the usage, and a metric says how many; the lines beyond
/// wait for their turn, counted together, and another metric says how many.
const AT_EASE: AtOnce = AtOnce { events: 5_000, lines: 2_000 };
/// The same while so many uses come between two turns that writing them all would take the machine from the requests.
const BUSY: AtOnce = AtOnce { events: 100, lines: 100 };
const BUSY_FROM: usize = 400;
/// Rows in one statement.
const ROWS_AT_ONCE: usize = 500;
/// What calls of tools that do not exist are counted as.
const UNKNOWN_TOOL: &str = "(unknown)";

#[derive(Debug, Clone, Copy)]
struct AtOnce {
    events: usize,
    lines: usize,
}

/// What is to be written, counted together.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    counting: HashMap<Line, Counted, BuildHasherDefault<DigestHasher>>,
    /// What was counted before and is written turn by turn. Only then comes the rest, so that nothing waits for ever.
    writing: Vec<(Line, Counted)>,
    events: Vec<(BrandId, NewEvent)>,
    is_busy: bool,
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
    lines: Vec<(Line, Counted)>,
    events: Vec<(BrandId, NewEvent)>,
}

/// Uses that differ in nothing the usage tells apart. Small, since every key that is used in a minute has one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    key: Key,
    tool: &'static str,
    minute: u32,
    outcome: EventOutcome,
    bucket: u8,
}

#[derive(Debug, Clone, Copy)]
struct Counted {
    requests: u32,
    /// The fullest the key's window was.
    most: u8,
    last: Timestamp,
}

/// What is known of a key, told apart by where it lies in memory: quicker than by its id. Where it is read again it
/// lies elsewhere and has lines of its own; the rows put them together.
#[derive(Debug, Clone)]
struct Key(Arc<Standing>);

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
        batch.is_busy = waiting.len() >= BUSY_FROM;
        if waiting.is_empty() {
            return;
        }
        // One draw names all events of a batch: they differ by their number.
        let event_id = id::fresh("evt", random);
        if batch.writer.is_empty() {
            batch.writer = id::fresh("wrt", random);
        }
        let (mut counted_only, mut lost) = (0, 0);
        for (number, used) in waiting.into_iter().enumerate() {
            if batch.events.len() < batch.at_once().events {
                batch
                    .events
                    .push((used.standing.brand_id.clone(), used.event(format!("{event_id}-{number:06}"))));
            } else {
                counted_only += 1;
            }
            lost += u64::from(!batch.count(used));
        }
        metrics::counter!("svc_mcp_uses_lost_total").increment(lost);
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
    fn at_once(&self) -> AtOnce {
        if self.is_busy { BUSY } else { AT_EASE }
    }

    fn waiting(&self) -> usize {
        self.counting.len() + self.writing.len()
    }

    /// Says whether there is room for it.
    fn count(&mut self, used: Use) -> bool {
        self.latest = self.latest.max(Some(used.at));
        let most = u8::try_from(used.in_window).unwrap_or(u8::MAX);
        let (at, line) = (used.at, Line::of(used));
        let has_room = self.waiting() < MOST_WAITING;
        match self.counting.entry(line) {
            Entry::Occupied(mut known) => {
                let counted = known.get_mut();
                counted.requests = counted.requests.saturating_add(1);
                counted.most = counted.most.max(most);
                counted.last = counted.last.max(at);
            }
            Entry::Vacant(new) if has_room => {
                new.insert(Counted { requests: 1, most, last: at });
            }
            Entry::Vacant(_) => return false,
        }
        true
    }

    /// Takes out what is to be written next, if there is anything.
    fn take_turn(&mut self) {
        let Some(at) = self.latest.filter(|_| self.waiting() > 0) else { return };
        let most = self.at_once().lines;
        let mut lines = Vec::new();
        while lines.len() < most && self.waiting() > 0 {
            if self.writing.is_empty() {
                self.writing = mem::take(&mut self.counting).into_iter().collect();
            }
            let rest = self.writing.len().saturating_sub(most - lines.len());
            lines.extend(self.writing.drain(rest..));
        }
        if self.writing.is_empty() {
            // A busy minute must not be paid for in memory ever after.
            self.writing = Vec::new();
        }
        self.turns += 1;
        self.turn = Some(Turn { number: self.turns, at, lines, events: mem::take(&mut self.events) });
    }

    fn written(&mut self) {
        self.turn = None;
        let waiting = u32::try_from(self.waiting()).unwrap_or(u32::MAX);
        metrics::gauge!("svc_mcp_keys_waiting").set(f64::from(waiting));
    }
}

impl Line {
    fn of(used: Use) -> Self {
        let bucket = if used.outcome == EventOutcome::Denied { 0 } else { bucket_of(used.latency_us()) };
        Self {
            tool: match used.kind {
                EventKind::List => "",
                _ => used.tool.unwrap_or(UNKNOWN_TOOL),
            },
            minute: u32::try_from(used.at.millis().div_euclid(MILLIS_PER_MINUTE)).unwrap_or(0),
            outcome: used.outcome,
            bucket: u8::try_from(bucket).unwrap_or(u8::MAX),
            key: Key(used.standing),
        }
    }

    fn day(&self) -> String {
        Timestamp::from_millis(i64::from(self.minute) * MILLIS_PER_MINUTE).day()
    }
}
const MILLIS_PER_MINUTE: i64 = 60_000;

/// The lines of a turn as rows of each table, in the order of the keys' ids: two instances that write the same keys in
/// the same order wait for each other, and never in a circle.
struct Rows<'a> {
    used: Vec<(&'a Standing, Timestamp)>,
    counts: Vec<(&'a Line, String, i64)>,
    peaks: Vec<(&'a Standing, u32, u8)>,
}

impl<'a> Rows<'a> {
    fn of(lines: &'a [(Line, Counted)]) -> Self {
        let (mut used, mut counts, mut peaks) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for (line, counted) in lines {
            let (standing, key) = (&*line.key.0, &line.key.0.key_id);
            if line.outcome != EventOutcome::Denied {
                let (_, last) = used.entry(key).or_insert((standing, counted.last));
                *last = counted.last.max(*last);
            }
            let same = (key, line.day(), line.tool, line.outcome, line.bucket);
            counts.entry(same).or_insert((line, 0)).1 += i64::from(counted.requests);
            let (_, most) = peaks.entry((key, line.minute)).or_insert((standing, 0));
            *most = counted.most.max(*most);
        }
        Self {
            used: used.into_values().collect(),
            counts: counts
                .into_iter()
                .map(|((_, day, ..), (line, requests))| (line, day, requests))
                .collect(),
            peaks: peaks
                .into_iter()
                .map(|((_, minute), (standing, most))| (standing, minute, most))
                .collect(),
        }
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Key {}

impl Hash for Line {
    /// Nobody outside chooses where things lie in memory, so spreading them evenly is enough.
    fn hash<H: Hasher>(&self, state: &mut H) {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let small = u64::from(self.minute) << 16 | u64::from(self.bucket) << 8 | self.outcome as u64;
        let places =
            (Arc::as_ptr(&self.key.0).addr() as u64) ^ (self.tool.as_ptr().addr() as u64).rotate_left(32);
        let mixed = (places ^ small.wrapping_mul(SPREAD)).wrapping_mul(SPREAD);
        state.write_u64(mixed ^ mixed >> 32);
    }
}

impl Store {
    /// Writes what is next in the batch, once, also where the answer to an earlier attempt was lost. On a failure it
    /// stays, to be tried again. Says whether there is more.
    pub async fn write_batch(&self, batch: &mut Batch) -> Result<bool, Unavailable> {
        if batch.turn.is_none() {
            batch.take_turn();
        }
        let Some(turn) = &batch.turn else { return Ok(false) };
        self.run_patiently("write_batch", async {
            let Rows { used, counts, peaks } = Rows::of(&turn.lines);
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
                    sql.push_values(rows, |mut row, (key, at)| {
                        row.push_bind(key.brand_id.as_str()).push_bind(key.key_id.as_str()).push_bind(at.millis());
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
                    sql.push_values(rows, |mut row, (line, day, requests)| {
                        row.push_bind(line.key.0.brand_id.as_str())
                            .push_bind(day.as_str())
                            .push_bind(line.key.0.key_id.as_str())
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
                    sql.push_values(rows, |mut row, (key, minute, most)| {
                        row.push_bind(key.brand_id.as_str())
                            .push_bind(key.key_id.as_str())
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
