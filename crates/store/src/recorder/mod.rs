//! The recorder of key usage. Requests are counted in memory and written in batches, so that no request waits for its
//! own record.
//!
//! An allowed request has an event, unless there are too many at a time. Denied requests have none: they are counted with
//! their reason, and written as one row for each key, reason and minute.

mod batch;
mod fair_share;
mod rows;
#[cfg(test)]
mod tests;
mod write;
mod write_events;

use std::{
    mem,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

pub use batch::UsageBatch;
use parking_lot::Mutex;
use rand::CryptoRng;
use svc_mcp_access::{
    Timestamp,
    decision::KeyState,
    usage::{Added, CountedRequest, UsageGroup},
};

use crate::{EventKind, EventOutcome, daily_usage::bucket_of};

/// When this many usage groups wait to be written, further ones are lost, and a metric counts them.
const MAX_WAITING_GROUPS: usize = 500_000;
/// From this many requests between two batches on, writing gives way to the requests.
const BUSY_THRESHOLD: usize = 400;
/// Up to so many events in the queue, a brand may have so many in a second. A brand with few requests gets a place until
/// the queue is full, whatever the others do.
const BRAND_EVENTS_PER_SECOND: [(usize, u32); 4] = [(500, 1_000), (4_000, 100), (5_000, 10), (6_000, 1)];
/// The tool name under which calls of tools that do not exist are counted.
const UNKNOWN_TOOL: &str = "(unknown)";
const ROWS_PER_STATEMENT: usize = 500;
/// Smaller, because SQLite keeps the statement of so many events.
const EVENTS_PER_STATEMENT: usize = 100;
const MILLIS_PER_SECOND: i64 = 1_000;
const MILLIS_PER_MINUTE: i64 = 60_000;

/// One request of a known key.
#[derive(Debug, Clone)]
pub struct KeyUse {
    pub key_state: Arc<KeyState>,
    pub at: Timestamp,
    pub kind: EventKind,
    pub tool: Option<&'static str>,
    pub outcome: EventOutcome,
    pub reason: Option<&'static str>,
    pub latency: Duration,
    /// The number of requests in the key's window, including this one.
    pub in_window: usize,
}

/// Collects usage until it is drained into a batch. Every request is counted with its key.
#[derive(Debug, Default)]
pub struct UsageRecorder {
    /// Requests since the last drain.
    requests: AtomicUsize,
    /// Events since the last drain: the length of the queue, known without its lock.
    events: AtomicUsize,
    /// Usage groups since the last drain, and those that were waiting at that time.
    new_groups: AtomicUsize,
    drained_groups: AtomicUsize,
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Keys with counted usage.
    keys: Vec<Arc<KeyState>>,
    events: Vec<KeyUse>,
}

impl UsageRecorder {
    pub fn record(&self, key_use: KeyUse) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let is_allowed = key_use.outcome != EventOutcome::Denied;
        let usage = &key_use.key_state.usage;
        let has_event = is_allowed && usage.admit_event(key_use.end_second(), self.brand_limit());
        let request = CountedRequest {
            at: key_use.at,
            latency_us: u32::try_from(key_use.latency.as_micros()).unwrap_or(u32::MAX),
            in_window: u8::try_from(key_use.in_window).unwrap_or(u8::MAX),
            is_left_out: is_allowed && !has_event,
        };
        match usage.add(key_use.usage_group(), request, || self.has_capacity()) {
            Added::Updated => {}
            Added::Inserted => drop(self.new_groups.fetch_add(1, Ordering::Relaxed)),
            Added::InsertedFirst => {
                self.new_groups.fetch_add(1, Ordering::Relaxed);
                self.waiting.lock().keys.push(Arc::clone(&key_use.key_state));
            }
            Added::Full => metrics::counter!("svc_mcp_uses_lost_total").increment(1),
        }
        if has_event {
            let mut waiting = self.waiting.lock();
            waiting.events.push(key_use);
            self.events.store(waiting.events.len(), Ordering::Relaxed);
        }
    }

    /// How many events a brand may have in this second.
    fn brand_limit(&self) -> u32 {
        let events = self.events.load(Ordering::Relaxed);
        let step = BRAND_EVENTS_PER_SECOND.iter().find(|(queue, _)| events < *queue);
        step.map_or(0, |(_, limit)| *limit)
    }

    fn has_capacity(&self) -> bool {
        let drained = self.drained_groups.load(Ordering::Relaxed);
        self.new_groups.load(Ordering::Relaxed) + drained < MAX_WAITING_GROUPS
    }

    /// Moves everything that waits into the batch.
    pub fn drain_into(&self, batch: &mut UsageBatch, random: &mut impl CryptoRng) {
        let Waiting { keys, events } = {
            let mut waiting = self.waiting.lock();
            self.events.store(0, Ordering::Relaxed);
            mem::take(&mut *waiting)
        };
        let requests = self.requests.swap(0, Ordering::Relaxed);
        batch.is_busy = requests >= BUSY_THRESHOLD;
        batch.groups += self.new_groups.swap(0, Ordering::Relaxed);
        self.drained_groups.store(batch.groups, Ordering::Relaxed);
        batch.keys.extend(keys);
        if requests > 0 || !events.is_empty() {
            batch.name_writer(random);
            batch.add_events(events);
        }
    }
}

impl KeyUse {
    fn latency_us(&self) -> i64 {
        i64::try_from(self.latency.as_micros()).unwrap_or(i64::MAX)
    }

    /// The second in which the request ended.
    fn end_second(&self) -> u32 {
        u32::try_from(self.at.plus(self.latency).millis().div_euclid(MILLIS_PER_SECOND)).unwrap_or(0)
    }

    fn minute(&self) -> u32 {
        u32::try_from(self.at.millis().div_euclid(MILLIS_PER_MINUTE)).unwrap_or(0)
    }

    fn usage_group(&self) -> UsageGroup {
        let is_denied = self.outcome == EventOutcome::Denied;
        let bucket = if is_denied { 0 } else { bucket_of(self.latency_us()) };
        UsageGroup {
            tool: match self.kind {
                EventKind::List => None,
                _ => Some(self.tool.unwrap_or(UNKNOWN_TOOL)),
            },
            minute: self.minute(),
            outcome: self.outcome,
            latency_bucket: u8::try_from(bucket).unwrap_or(u8::MAX),
            reason: self.reason.filter(|_| is_denied),
        }
    }
}
