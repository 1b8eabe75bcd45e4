//! The recorder of key usage. Requests are counted in memory and written in batches, so that no request waits for its
//! own record.

mod batch;
mod write;

use std::{
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
    id,
    usage::{Added, UsageGroup},
};

use crate::{EventKind, EventOutcome, NewEvent, activity::bucket_of};

/// When this many usage groups wait to be written, further ones are lost, and a metric counts them.
const MAX_WAITING_GROUPS: usize = 500_000;
/// From this many requests between two batches on, writing gives way to the requests.
const BUSY_THRESHOLD: usize = 400;
/// The tool name under which calls of tools that do not exist are counted.
const UNKNOWN_TOOL: &str = "(unknown)";
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

/// Collects usage until it is drained into a batch. Every request is counted with its key; the first ones of each batch
/// are also kept as single events.
#[derive(Debug, Default)]
pub struct UsageRecorder {
    /// Requests since the last drain.
    requests: AtomicUsize,
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
        let is_event = self.requests.fetch_add(1, Ordering::Relaxed) < BUSY_THRESHOLD;
        let in_window = u8::try_from(key_use.in_window).unwrap_or(u8::MAX);
        let usage = &key_use.key_state.usage;
        match usage.add(key_use.usage_group(), in_window, key_use.at, || self.has_capacity()) {
            Added::Updated => {}
            Added::Inserted => drop(self.new_groups.fetch_add(1, Ordering::Relaxed)),
            Added::InsertedFirst => {
                self.new_groups.fetch_add(1, Ordering::Relaxed);
                self.waiting.lock().keys.push(Arc::clone(&key_use.key_state));
            }
            Added::Full => metrics::counter!("svc_mcp_uses_lost_total").increment(1),
        }
        if is_event {
            self.waiting.lock().events.push(key_use);
        }
    }

    fn has_capacity(&self) -> bool {
        let drained = self.drained_groups.load(Ordering::Relaxed);
        self.new_groups.load(Ordering::Relaxed) + drained < MAX_WAITING_GROUPS
    }

    /// Moves everything that waits into the batch.
    pub fn drain_into(&self, batch: &mut UsageBatch, random: &mut impl CryptoRng) {
        let Waiting { keys, mut events } = std::mem::take(&mut *self.waiting.lock());
        let requests = self.requests.swap(0, Ordering::Relaxed);
        batch.is_busy = requests >= BUSY_THRESHOLD;
        batch.groups += self.new_groups.swap(0, Ordering::Relaxed);
        self.drained_groups.store(batch.groups, Ordering::Relaxed);
        batch.keys.extend(keys);
        if requests == 0 && events.is_empty() {
            return;
        }
        // One random id for all events of a drain. They differ by a number.
        let event_id = id::fresh("evt", random);
        if batch.writer.is_empty() {
            batch.writer = id::fresh("wrt", random);
        }
        events.truncate(batch.event_capacity());
        let counted_only = requests.saturating_sub(events.len());
        metrics::counter!("svc_mcp_events_counted_only_total").increment(counted_only as u64);
        let events = events.into_iter().enumerate().map(|(number, key_use)| {
            (key_use.key_state.brand_id.clone(), key_use.event(format!("{event_id}-{number:06}")))
        });
        batch.events.extend(events);
    }
}

impl KeyUse {
    fn latency_us(&self) -> i64 {
        i64::try_from(self.latency.as_micros()).unwrap_or(i64::MAX)
    }

    fn usage_group(&self) -> UsageGroup {
        let bucket = if self.outcome == EventOutcome::Denied { 0 } else { bucket_of(self.latency_us()) };
        UsageGroup {
            tool: match self.kind {
                EventKind::List => "",
                _ => self.tool.unwrap_or(UNKNOWN_TOOL),
            },
            minute: u32::try_from(self.at.millis().div_euclid(MILLIS_PER_MINUTE)).unwrap_or(0),
            outcome: self.outcome,
            latency_bucket: u8::try_from(bucket).unwrap_or(u8::MAX),
        }
    }

    fn event(&self, event_id: String) -> NewEvent {
        NewEvent {
            event_id,
            at: self.at,
            kind: self.kind,
            key_id: self.key_state.key_id.clone(),
            actor: self.key_state.owner.clone(),
            tool: self.tool,
            outcome: self.outcome,
            reason: self.reason,
            latency_us: Some(self.latency_us()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use rand::{SeedableRng, rngs::StdRng};
    use svc_mcp_access::{Scope, decision::Stamps, key::KeyDigest, rate::WindowSlot, usage::UsageCounter};

    use super::*;

    fn use_of_new_key() -> KeyUse {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let id = format!("id_{number}");
        let key_state = KeyState {
            digest: KeyDigest::of(&number.to_le_bytes()),
            expires_at: None,
            window: WindowSlot::default(),
            usage: UsageCounter::default(),
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
        KeyUse {
            key_state: Arc::new(key_state),
            at: Timestamp::from_millis(1_794_700_800_000),
            kind: EventKind::List,
            tool: None,
            outcome: EventOutcome::Ok,
            reason: None,
            latency: Duration::from_micros(50),
            in_window: 1,
        }
    }

    #[tokio::test]
    async fn lost_usage_takes_no_capacity_from_later_usage() {
        let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
        let mut random = StdRng::seed_from_u64(1);
        let kept = use_of_new_key();
        recorder.record(kept.clone());
        recorder.drained_groups.store(MAX_WAITING_GROUPS - 1, Ordering::Relaxed);
        for _ in 0..10 {
            let lost = use_of_new_key();
            recorder.record(lost.clone());
            assert!(lost.key_state.usage.take().is_empty());
        }
        recorder.record(kept);
        recorder.drain_into(&mut batch, &mut random);
        assert_eq!((batch.groups, batch.waiting_keys()), (1, 1));
        batch.start_write().await;
        assert_eq!((batch.groups, batch.waiting_keys()), (0, 0));
        let write = batch.pending.take().expect("there is something to write");
        assert_eq!(write.usage[0].1[0].1.requests, 2);
        recorder.drain_into(&mut batch, &mut random);
        assert!(recorder.has_capacity());
    }

    #[tokio::test]
    async fn event_is_written_after_its_count() {
        let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
        let late = use_of_new_key();
        recorder.record(late.clone());
        // An earlier write has taken the count.
        late.key_state.usage.take();
        recorder.drain_into(&mut batch, &mut StdRng::seed_from_u64(1));
        batch.start_write().await;
        assert_eq!(batch.pending.expect("an event to write").events.len(), 1);
    }
}
