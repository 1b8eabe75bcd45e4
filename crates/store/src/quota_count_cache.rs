//! The cache of what brands use of their quotas. It is for displays only: a commit counts in its own transaction.
//!
//! Changes of this process are seen at once, because an entry is valid for one write generation of its brand. Changes of
//! other processes are seen when the entry's lifetime is over.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use svc_mcp_access::{BrandId, KeyId, Quota, Timestamp, quota::QuotaCounts};

const LIFETIME: Duration = Duration::from_secs(1);
/// When the cache is full, it is cleared: entries are short-lived anyway.
const MAX_BRANDS: usize = 4_096;

/// What a brand uses. All its keys share it.
#[derive(Debug, Default)]
pub(crate) struct BrandCounts {
    /// Without pending approvals.
    pub(crate) counts: QuotaCounts,
    /// The only quota that counts for each key.
    pub(crate) pending_approvals: BTreeMap<KeyId, (u32, Option<Timestamp>)>,
}

impl BrandCounts {
    /// With the pending approvals of `key`, or of the key that has most of them.
    pub(crate) fn for_key(&self, key: Option<&KeyId>, now: Timestamp) -> QuotaCounts {
        let pending = match key {
            Some(key) => self.pending_approvals.get(key),
            None => self.pending_approvals.values().max_by_key(|(used, _)| *used),
        };
        let mut counts = self.counts.clone();
        counts.extend(pending.map(|pending| (Quota::PendingApprovals, *pending)));
        for (_, frees_at) in counts.values_mut() {
            // A job that is late is done as soon as possible.
            *frees_at = frees_at.map(|at| at.max(now));
        }
        counts
    }

    /// Until when the counts are right if nothing is written: until the next hour begins or something expires.
    fn right_until(&self, now: Timestamp) -> Timestamp {
        let uses = self.counts.values().chain(self.pending_approvals.values());
        let frees = uses.filter_map(|(_, frees_at)| *frees_at).filter(|at| *at > now);
        frees.chain([now.next_hour()]).min().unwrap_or(now)
    }
}

/// The state in which counts are read. It is taken before the read: a change in between makes the entry invalid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadState {
    /// The brand's write generation.
    pub(crate) generation: u64,
    /// The time of the service, which tests move.
    pub(crate) now: Timestamp,
    pub(crate) started: Instant,
}

#[derive(Debug)]
struct Entry {
    counts: Arc<BrandCounts>,
    state: ReadState,
    right_until: Timestamp,
}

#[derive(Debug, Default)]
pub(crate) struct QuotaCountCache(Mutex<HashMap<BrandId, Entry>>);

impl QuotaCountCache {
    pub(crate) fn get(&self, brand: &BrandId, state: &ReadState) -> Option<Arc<BrandCounts>> {
        let entries = self.0.lock();
        let entry = entries.get(brand)?;
        let is_valid = entry.state.generation == state.generation
            && state.started.saturating_duration_since(entry.state.started) < LIFETIME
            && (entry.state.now..entry.right_until).contains(&state.now);
        is_valid.then(|| Arc::clone(&entry.counts))
    }

    pub(crate) fn insert(&self, brand: &BrandId, counts: &Arc<BrandCounts>, state: ReadState) {
        let entry = Entry { counts: Arc::clone(counts), state, right_until: counts.right_until(state.now) };
        let mut entries = self.0.lock();
        if entries.len() >= MAX_BRANDS {
            entries.clear();
        }
        entries.insert(brand.clone(), entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_794_744_000_000);
    const MINUTE: Duration = Duration::from_mins(1);

    fn acme() -> BrandId {
        "acme".parse().unwrap()
    }

    fn state() -> ReadState {
        ReadState { generation: 7, now: NOW, started: Instant::now() }
    }

    fn cached(counts: BrandCounts, state: ReadState) -> QuotaCountCache {
        let cache = QuotaCountCache::default();
        cache.insert(&acme(), &Arc::new(counts), state);
        cache
    }

    #[test]
    fn entry_is_valid_for_a_second_and_for_its_brand() {
        let state = state();
        let cache = cached(BrandCounts::default(), state);
        let is_cached =
            |age| cache.get(&acme(), &ReadState { started: state.started + age, ..state }).is_some();
        assert!(is_cached(Duration::ZERO));
        assert!(is_cached(Duration::from_millis(999)));
        assert!(!is_cached(LIFETIME));
        assert!(cache.get(&"umbrella".parse().unwrap(), &state).is_none());
    }

    #[test]
    fn counts_read_before_a_change_are_not_used_after_it() {
        let before = state();
        let after = ReadState { generation: before.generation + 1, ..before };
        // The change is committed while the counts are read.
        let cache = cached(BrandCounts::default(), before);
        assert!(cache.get(&acme(), &after).is_none());
        cache.insert(&acme(), &Arc::default(), after);
        assert!(cache.get(&acme(), &after).is_some());
    }

    #[test]
    fn entry_is_not_used_in_another_hour_or_after_something_has_expired() {
        let expiry = Some(NOW.plus(10 * MINUTE));
        let keys = QuotaCounts::from([(Quota::Keys, (2, expiry))]);
        let late = QuotaCounts::from([(Quota::QueuedTargets, (2, Some(NOW.minus(MINUTE))))]);
        let pending = BTreeMap::from([("key_1".parse().unwrap(), (1, expiry))]);
        let cases = [
            (BrandCounts::default(), 60),
            (BrandCounts { counts: late, ..BrandCounts::default() }, 60),
            (BrandCounts { counts: keys, ..BrandCounts::default() }, 10),
            (BrandCounts { pending_approvals: pending, ..BrandCounts::default() }, 10),
        ];
        for (counts, minutes) in cases {
            let state = state();
            let cache = cached(counts, state);
            let is_cached = |now| cache.get(&acme(), &ReadState { now, ..state }).is_some();
            let end = NOW.plus(minutes * MINUTE);
            assert!(is_cached(end.minus(Duration::from_millis(1))), "{minutes}");
            assert!(!is_cached(end), "{minutes}");
            assert!(!is_cached(NOW.minus(MINUTE)), "{minutes}");
        }
    }

    #[test]
    fn each_key_has_its_own_pending_approvals() {
        let (soon, later) = (Some(NOW.plus(MINUTE)), Some(NOW.plus(2 * MINUTE)));
        let [first, second, third] = ["key_1", "key_2", "key_3"].map(|key| key.parse::<KeyId>().unwrap());
        let pending_approvals = BTreeMap::from([(first.clone(), (3, soon)), (second.clone(), (1, later))]);
        let brand = BrandCounts { pending_approvals, ..BrandCounts::default() };
        let pending = |key| brand.for_key(key, NOW).get(&Quota::PendingApprovals).copied();
        assert_eq!(pending(Some(&first)), Some((3, soon)));
        assert_eq!(pending(Some(&second)), Some((1, later)));
        assert_eq!(pending(Some(&third)), None);
        assert_eq!(pending(None), Some((3, soon)));
    }

    #[test]
    fn late_job_frees_at_once() {
        let counts = QuotaCounts::from([(Quota::QueuedTargets, (1, Some(NOW)))]);
        let brand = BrandCounts { counts, ..BrandCounts::default() };
        let now = NOW.plus(MINUTE);
        assert_eq!(brand.for_key(None, now)[&Quota::QueuedTargets], (1, Some(now)));
    }

    #[test]
    fn cache_is_bounded() {
        let cache = QuotaCountCache::default();
        let state = state();
        for number in 0..=MAX_BRANDS {
            cache.insert(&format!("brand_{number}").parse().unwrap(), &Arc::default(), state);
        }
        assert_eq!(cache.0.lock().len(), 1);
    }
}
