//! Usage that waits to be written, and how much of it goes into one transaction.

use std::{
    collections::{HashMap, VecDeque},
    mem,
    sync::Arc,
};

use rand::CryptoRng;
use svc_mcp_access::{
    BrandId, Timestamp,
    client::LastClient,
    decision::KeyState,
    id,
    usage::{UsageCount, UsageGroup},
};

use super::{
    KeyUse, MILLIS_PER_MINUTE,
    fair_share::{self, MAX_GUARANTEED_EVENTS},
};

/// How much waits, and how much of it one transaction writes.
#[derive(Debug, Clone, Copy)]
struct WriteLimits {
    /// Further events are left out by brand, see `fair_share`.
    waiting_events: usize,
    events: usize,
    /// Brands whose number of left out events is written.
    left_out: usize,
    /// Further keys wait, and a metric says how many.
    groups: usize,
    /// How many keys are sorted at a time.
    sorted_keys: usize,
}

const LIMITS: WriteLimits = WriteLimits {
    waiting_events: MAX_GUARANTEED_EVENTS,
    events: 500,
    left_out: 500,
    groups: 500,
    sorted_keys: 16_384,
};
/// While there are many requests, writing everything would take too much of the machine. Short transactions let the
/// requests catch up between them.
const BUSY_LIMITS: WriteLimits =
    WriteLimits { waiting_events: 2_000, events: 200, left_out: 20, groups: 14, sorted_keys: 1_000 };

#[derive(Debug, Clone, Default)]
pub struct UsageBatch {
    /// Keys with counted usage, in the order of their first request.
    pub(super) keys: Vec<Arc<KeyState>>,
    /// The first of them, sorted, and taken from the end. The others follow only after these, so that no key waits for
    /// ever.
    sorted_keys: Vec<Arc<KeyState>>,
    /// The number of usage groups of all these keys.
    pub(super) groups: usize,
    pub(super) events: Vec<KeyUse>,
    /// Those that are written next.
    pub(super) sorted_events: VecDeque<KeyUse>,
    /// Events of each brand that did not fit into the batch, and the minute of the first one.
    left_out: HashMap<BrandId, (u32, u32)>,
    /// Those that are written next.
    next_left_out: Vec<LeftOut>,
    pub(super) is_busy: bool,
    /// The write that was started last. If the store does not answer, the same write is tried again: it may have been
    /// committed, and its number shows that.
    pub(super) pending: Option<PendingWrite>,
    /// Identifies this process in the table of writers. Generated with the first usage.
    pub(super) writer: String,
    /// The ids of all events of this process begin with this.
    pub(super) event_prefix: String,
    writes: i64,
}

/// A key, its usage, and the last client.
pub(super) type KeyUsage = (Arc<KeyState>, Vec<(UsageGroup, UsageCount)>, Option<Arc<LastClient>>);

/// A brand, a minute, and how many events were left out.
pub(super) type LeftOut = (BrandId, u32, u32);

/// The content of one transaction.
#[derive(Debug, Clone)]
pub(super) struct PendingWrite {
    pub(super) number: i64,
    pub(super) at: Timestamp,
    pub(super) usage: Vec<KeyUsage>,
    pub(super) events: Vec<KeyUse>,
    pub(super) left_out: Vec<LeftOut>,
}

impl UsageBatch {
    /// Whether there were so many requests lately that writing gives way to them.
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Whether a part of the events is written and the other part waits.
    pub fn has_sorted_events(&self) -> bool {
        !self.sorted_events.is_empty()
    }

    /// The last requests are over, so writing gives way to nothing any more.
    pub fn end_busy_time(&mut self) {
        self.is_busy = false;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting_keys() == 0
            && self.events.is_empty()
            && self.sorted_events.is_empty()
            && self.left_out.is_empty()
            && self.next_left_out.is_empty()
    }

    fn limits(&self) -> WriteLimits {
        if self.is_busy { BUSY_LIMITS } else { LIMITS }
    }

    pub(super) fn name_writer(&mut self, random: &mut impl CryptoRng) {
        if self.writer.is_empty() {
            self.writer = id::fresh("wrt", random);
            self.event_prefix = id::fresh("evt", random);
        }
    }

    pub(super) fn add_events(&mut self, events: Vec<KeyUse>) {
        self.events.extend(events);
        let capacity = self.limits().waiting_events;
        fair_share::cut(&mut self.events, capacity, |event| {
            let (_, events) =
                self.left_out.entry(event.key_state.brand_id.clone()).or_insert_with(|| (event.minute(), 0));
            *events += 1;
        });
    }

    pub(super) fn waiting_keys(&self) -> usize {
        self.keys.len() + self.sorted_keys.len()
    }

    /// Prepares the next write, if there is anything to write.
    pub(super) async fn start_write(&mut self) {
        let (mut usage, mut groups) = (Vec::new(), 0);
        while groups < self.limits().groups {
            let Some(key) = self.next_key().await else { break };
            let of_key = key.usage.take();
            groups += of_key.len();
            let last_client = key.usage.last_client();
            usage.push((key, of_key, last_client));
        }
        let events = self.next_events().await;
        let left_out = self.next_left_out();
        let used_at = usage.iter().flat_map(|(_, groups, _)| groups).map(|(_, count)| count.last_used);
        // A request is counted before it has its event, so an event may come after the write of its count.
        let recorded_at = events.iter().map(|event| event.at);
        let left_out_at = left_out.iter().map(|(_, minute, _)| start_of(*minute));
        let Some(at) = used_at.chain(recorded_at).chain(left_out_at).max() else { return };
        self.groups = self.groups.saturating_sub(groups);
        self.writes += 1;
        self.pending = Some(PendingWrite { number: self.writes, at, usage, events, left_out });
    }

    async fn next_key(&mut self) -> Option<Arc<KeyState>> {
        if self.sorted_keys.is_empty() && !self.keys.is_empty() {
            let first = self.keys.drain(..self.keys.len().min(self.limits().sorted_keys)).collect();
            self.sorted_keys = sort(first, |key| key).await;
        } else if self.sorted_keys.is_empty() {
            // Frees the memory of a busy period, and corrects the number of groups if one was taken before it was counted.
            (self.keys, self.sorted_keys, self.groups) = Default::default();
        }
        self.sorted_keys.pop()
    }

    async fn next_events(&mut self) -> Vec<KeyUse> {
        if self.sorted_events.is_empty() && !self.events.is_empty() {
            self.sorted_events = sort(mem::take(&mut self.events), |event| &event.key_state).await.into();
        }
        let count = self.sorted_events.len().min(self.limits().events);
        self.sorted_events.drain(..count).collect()
    }

    fn next_left_out(&mut self) -> Vec<LeftOut> {
        if self.next_left_out.is_empty() {
            let left_out = mem::take(&mut self.left_out).into_iter();
            self.next_left_out = left_out.map(|(brand, (minute, events))| (brand, minute, events)).collect();
        }
        let others = self.next_left_out.len().saturating_sub(self.limits().left_out);
        self.next_left_out.split_off(others)
    }

    pub(super) fn finish_write(&mut self) {
        let left_out = self.pending.take().map_or(0, |write| write.left_out());
        metrics::counter!("svc_mcp_events_counted_only_total").increment(left_out);
        let waiting = u32::try_from(self.waiting_keys()).unwrap_or(u32::MAX);
        metrics::gauge!("svc_mcp_keys_waiting").set(f64::from(waiting));
    }
}

impl PendingWrite {
    /// How many allowed requests of this write have no event.
    pub(super) fn left_out(&self) -> u64 {
        let of_usage = self.usage.iter().flat_map(|(_, groups, _)| groups).map(|(_, count)| count.left_out);
        of_usage.chain(self.left_out.iter().map(|(_, _, events)| *events)).map(u64::from).sum()
    }
}

fn start_of(minute: u32) -> Timestamp {
    Timestamp::from_millis(i64::from(minute) * MILLIS_PER_MINUTE)
}

/// Sorts by key, as in the tables, so that the rows of a write are neighbours and share database pages. The events of a key
/// stay in their order. Sorting many rows takes milliseconds, so it runs on a thread for blocking work.
async fn sort<T: Send + 'static>(mut rows: Vec<T>, key_of: fn(&T) -> &Arc<KeyState>) -> Vec<T> {
    let sort = move || {
        rows.sort_by_cached_key(|row| {
            let key = key_of(row);
            (key.brand_id.clone(), key.key_id.clone())
        });
        rows
    };
    tokio::task::spawn_blocking(sort).await.expect("sorting does not panic")
}
