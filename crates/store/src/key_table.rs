//! The cached key states of this process, and the rate limit windows of its keys.
//!
//! A window is stored inside the cached state of its key, so that a lookup costs one cache miss, not two. When a state is
//! evicted, its window is kept as orphaned until the key is cached again: no change to a key resets its limit.
//!
//! A rotated key has one window for all its secrets. It belongs to the first one, and the others look it up.

use std::{
    borrow::Borrow,
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use parking_lot::Mutex;
use svc_mcp_access::{
    decision::KeyState,
    key::KeyDigest,
    rate::{Rate, Step, WINDOW, Window},
    time::Ticks,
};

#[derive(Debug)]
pub struct KeyTable {
    shards: Box<[Shard]>,
}

#[derive(Debug, Default)]
struct Shard {
    keys: Mutex<Keys>,
    /// The number of keys with counted requests.
    windows: AtomicUsize,
    swept: AtomicU64,
}

#[derive(Debug, Default)]
struct Keys {
    cached: HashSet<Entry, BuildHasherDefault<DigestHasher>>,
    /// The windows of keys whose state is not cached, by the digest of the first secret.
    orphaned: HashMap<KeyDigest, Window, BuildHasherDefault<DigestHasher>>,
}

/// A key state, found by its digest.
#[derive(Debug)]
struct Entry(Arc<KeyState>);

const SHARDS: usize = 64;
/// One million in total. When a shard is full, one eighth of it is evicted.
const MAX_KEYS_PER_SHARD: usize = 1_000_000 / SHARDS;

impl Default for KeyTable {
    fn default() -> Self {
        Self { shards: (0..SHARDS).map(|_| Shard::default()).collect() }
    }
}

impl KeyTable {
    /// Steps the one window of this key, whether `key_state` is the cached state or an older copy.
    pub fn step(&self, key_state: &KeyState, now: Ticks, step: Step) -> Rate {
        let shard = self.shard(&key_state.digest);
        shard.sweep_if_due(now);
        let rate = key_state.window.with(|window| shard.step(window, now, step));
        rate.unwrap_or_else(|| self.find_and_step(key_state.window_digest(), now, step))
    }

    /// For states without the window: older copies, and the later secrets of a rotated key.
    fn find_and_step(&self, window: &KeyDigest, now: Ticks, step: Step) -> Rate {
        let shard = self.shard(window);
        shard.sweep_if_due(now);
        shard.find_and_step(window, now, step)
    }

    /// The number of keys with counted requests.
    pub fn windows(&self) -> usize {
        self.shards.iter().map(|shard| shard.windows.load(Ordering::Relaxed)).sum()
    }

    pub fn get(&self, digest: &KeyDigest) -> Option<Arc<KeyState>> {
        self.shard(digest).keys.lock().cached.get(digest).map(|Entry(key_state)| Arc::clone(key_state))
    }

    /// Caches a state, unless `is_current` says that it is outdated. `is_current` is called under the shard's lock.
    pub fn insert_if(&self, key_state: &Arc<KeyState>, is_current: impl FnOnce() -> bool) {
        let mut keys = self.shard(&key_state.digest).keys.lock();
        if !is_current() {
            return;
        }
        if keys.cached.len() >= MAX_KEYS_PER_SHARD {
            let mut number = 0u32;
            keys.evict_if(|_| {
                number = number.wrapping_add(1);
                number.is_multiple_of(8)
            });
        }
        if key_state.window_digest() == &key_state.digest {
            let window = keys.take_window(&key_state.digest);
            key_state.window.put(window.unwrap_or_default());
        }
        keys.cached.replace(Entry(Arc::clone(key_state)));
    }

    /// Removes a key's state. Its window stays.
    pub fn evict(&self, digest: &KeyDigest) {
        self.shard(digest).keys.lock().evict(digest);
    }

    pub fn evict_if(&self, mut is_evicted: impl FnMut(&KeyState) -> bool) {
        for shard in &self.shards {
            shard.keys.lock().evict_if(&mut is_evicted);
        }
    }

    pub fn cached_keys(&self) -> usize {
        self.shards.iter().map(|shard| shard.keys.lock().cached.len()).sum()
    }

    fn shard(&self, digest: &KeyDigest) -> &Shard {
        &self.shards[digest.shard_of(SHARDS)]
    }
}

impl Shard {
    fn step(&self, window: &mut Window, now: Ticks, step: Step) -> Rate {
        let was_untouched = window.is_untouched();
        let rate = window.step(now, step);
        if was_untouched && !window.is_untouched() {
            self.windows.fetch_add(1, Ordering::Relaxed);
        }
        rate
    }

    fn find_and_step(&self, digest: &KeyDigest, now: Ticks, step: Step) -> Rate {
        let mut keys = self.keys.lock();
        let Keys { cached, orphaned } = &mut *keys;
        if let Some(Entry(key_state)) = cached.get(digest) {
            let rate = key_state.window.with(|window| self.step(window, now, step));
            return rate.expect("a cached state has its window");
        }
        let window = match step {
            Step::Count => orphaned.entry(*digest).or_default(),
            Step::Peek => match orphaned.get_mut(digest) {
                Some(window) => window,
                None => return Rate::UNTOUCHED,
            },
        };
        self.step(window, now, step)
    }

    /// Removes idle windows, once every two spans.
    fn sweep_if_due(&self, now: Ticks) {
        let is_due = || now.since(Ticks(self.swept.load(Ordering::Relaxed))) >= 2 * WINDOW;
        if !is_due() {
            return;
        }
        let mut keys = self.keys.lock();
        if is_due() {
            self.swept.store(now.0, Ordering::Relaxed);
            self.windows.store(keys.sweep(now), Ordering::Relaxed);
        }
    }
}

impl Keys {
    fn take_window(&mut self, digest: &KeyDigest) -> Option<Window> {
        match self.cached.get(digest) {
            Some(Entry(key_state)) => key_state.window.take(),
            None => self.orphaned.remove(digest),
        }
    }

    /// Returns the number of windows that are left.
    fn sweep(&mut self, now: Ticks) -> usize {
        self.orphaned.retain(|_, window| !window.is_idle(now));
        let is_in_use = |Entry(key_state): &&Entry| {
            let is_in_use = key_state.window.with(|window| {
                if window.is_idle(now) {
                    *window = Window::default();
                }
                !window.is_untouched()
            });
            is_in_use.unwrap_or(false)
        };
        self.orphaned.len() + self.cached.iter().filter(is_in_use).count()
    }

    fn evict(&mut self, digest: &KeyDigest) {
        let Some(Entry(key_state)) = self.cached.take(digest) else { return };
        if let Some(window) = key_state.window.take().filter(|window| !window.is_untouched()) {
            self.orphaned.insert(*digest, window);
        }
    }

    fn evict_if(&mut self, mut is_evicted: impl FnMut(&KeyState) -> bool) {
        let evicted = self.cached.iter().filter(|Entry(key_state)| is_evicted(key_state));
        for digest in evicted.map(|Entry(key_state)| key_state.digest).collect::<Vec<_>>() {
            self.evict(&digest);
        }
    }
}

impl Borrow<KeyDigest> for Entry {
    fn borrow(&self) -> &KeyDigest {
        &self.0.digest
    }
}

impl Hash for Entry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.digest.hash(state);
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.0.digest == other.0.digest
    }
}

impl Eq for Entry {}

/// Uses the digest's own bytes as its hash: they are uniformly distributed already.
#[derive(Debug, Default)]
pub(crate) struct DigestHasher(u64);

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use svc_mcp_access::{
        Scope,
        decision::{RotatedSecret, Rotation, Stamps},
        rate::{LIMIT, WindowSlot},
        usage::UsageCounter,
    };

    use super::*;

    const SECOND: u64 = 1_000_000;

    fn key(number: u32) -> KeyDigest {
        KeyDigest::of(&number.to_le_bytes())
    }

    fn key_state(number: u32) -> Arc<KeyState> {
        let id = "acme";
        Arc::new(KeyState {
            digest: key(number),
            expires_at: None,
            scope: Scope::Read,
            revoked: number % 2 == 1,
            keeps_queued_work: false,
            paused: false,
            owner_is_member: true,
            mcp_enabled: true,
            brand_suspended: false,
            approval: svc_mcp_access::ApprovalRule::None,
            rotation: None,
            allowed_networks: None,
            tools: None,
            window: WindowSlot::default(),
            usage: UsageCounter::default(),
            stamps: Stamps::default(),
            key_id: "key_0000000000000000000001".parse().expect("a key id"),
            brand_id: id.parse().expect("a brand id"),
            plan_id: id.parse().expect("a plan id"),
            owner: id.parse().expect("a user id"),
        })
    }

    fn always() -> bool {
        true
    }

    #[test]
    fn idle_windows_are_removed() {
        let table = KeyTable::default();
        for number in 0..50_000 {
            table.step(&key_state(number), Ticks(u64::from(number) * SECOND), Step::Count);
        }
        assert!(table.windows() <= 1_000, "{} windows are left", table.windows());
        let orphaned: usize = table.shards.iter().map(|shard| shard.keys.lock().orphaned.len()).sum();
        assert_eq!(orphaned, table.windows(), "their keys are removed too");
    }

    #[test]
    fn state_and_window_are_removed_independently() {
        let table = KeyTable::default();
        let at = |seconds| Ticks(seconds * SECOND);
        let (one, other) = (key_state(1), key_state(1));
        table.insert_if(&one, always);
        assert_eq!((table.cached_keys(), table.windows()), (1, 0));
        assert_eq!(table.step(&one, at(0), Step::Peek), Rate::UNTOUCHED);
        assert_eq!(table.windows(), 0, "a peek is not counted");
        assert_eq!(table.step(&one, at(0), Step::Count).remaining, 59);
        table.evict(&key(1));
        table.evict(&key(1));
        assert_eq!((table.get(&key(1)), table.cached_keys()), (None, 0));
        table.insert_if(&other, always);
        table.insert_if(&key_state(1), || false);
        assert_eq!(table.step(&other, at(1), Step::Count).remaining, 58, "the window survives the eviction");
        assert_eq!(table.windows(), 1);
        table.step(&one, at(300), Step::Peek);
        let cached = table.get(&key(1)).expect("an idle key is still cached");
        assert!(Arc::ptr_eq(&cached, &other));
        assert_eq!(table.windows(), 0);
    }

    #[test]
    fn all_copies_of_a_key_state_share_one_window() {
        let table = KeyTable::default();
        let (first, second, uncached) = (key_state(1), key_state(1), key_state(1));
        let count = |key_state: &KeyState| table.step(key_state, Ticks(0), Step::Count).remaining;
        assert_eq!(count(&uncached), 59, "it was never cached");
        table.insert_if(&first, always);
        assert_eq!((count(&first), count(&uncached)), (58, 57));
        table.insert_if(&second, always);
        assert_eq!((count(&first), count(&second), count(&uncached)), (56, 55, 54));
        table.insert_if(&second, always);
        assert_eq!(count(&second), 53, "inserted twice");
        table.evict_if(|_| true);
        assert_eq!((count(&first), count(&second), count(&uncached)), (52, 51, 50));
        table.insert_if(&first, always);
        assert_eq!((count(&second), count(&first)), (49, 48));
        assert_eq!(table.windows(), 1);
    }

    #[test]
    fn limit_stays_exact_while_states_are_replaced() {
        let table = KeyTable::default();
        for round in 0..50 {
            let key_states = [key_state(round), key_state(round)];
            let admitted: usize = thread::scope(|scope| {
                let changing = scope.spawn(|| {
                    for number in 0..200 {
                        table.insert_if(&key_states[number % 2], always);
                        if number % 3 == 0 {
                            table.evict(&key(round));
                        }
                    }
                });
                let counting = key_states.each_ref().map(|key_state| {
                    let table = &table;
                    scope.spawn(move || {
                        let rates = (0..LIMIT).map(|_| table.step(key_state, Ticks(0), Step::Count));
                        rates.filter(|rate| rate.admitted).count()
                    })
                });
                changing.join().expect("no panic");
                counting.into_iter().map(|thread| thread.join().expect("no panic")).sum()
            });
            assert_eq!(admitted, LIMIT);
        }
        assert_eq!(table.windows(), 50);
    }

    /// The state of a secret of a rotated key. The first secret has the window.
    fn rotated(first: u32, number: u32) -> Arc<KeyState> {
        let rotation = Some(Box::new(Rotation { window: key(first), secret: RotatedSecret::Current }));
        Arc::new(KeyState { rotation, ..KeyState::clone(&key_state(number)) })
    }

    #[test]
    fn all_secrets_of_a_key_share_one_window() {
        let table = KeyTable::default();
        let before = key_state(1);
        let count = |key_state: &KeyState| table.step(key_state, Ticks(0), Step::Count).remaining;
        table.insert_if(&before, always);
        assert_eq!(count(&before), 59);
        let (old, new) = (rotated(1, 1), rotated(1, 2));
        assert_eq!((count(&new), count(&before)), (58, 57), "the new secret is not cached yet");
        table.insert_if(&new, always);
        table.insert_if(&old, always);
        assert_eq!((count(&old), count(&new), count(&before)), (56, 55, 54));
        table.evict(&key(1));
        assert_eq!((count(&new), count(&old)), (53, 52), "without the state that has the window");
        table.evict(&key(2));
        let (old, newest) = (rotated(1, 2), rotated(1, 3));
        table.insert_if(&old, always);
        table.insert_if(&newest, always);
        assert_eq!((count(&old), count(&newest)), (51, 50), "rotated again");
        table.insert_if(&before, always);
        assert_eq!((count(&newest), count(&before), table.windows()), (49, 48, 1));
        let later = Ticks(300 * SECOND);
        assert_eq!(table.step(&newest, later, Step::Count).remaining, 59);
        assert_eq!(table.windows(), 1);
    }

    #[test]
    fn limit_stays_exact_while_both_secrets_are_replaced() {
        let table = KeyTable::default();
        for round in 0..50 {
            let (first, second) = (2 * round, 2 * round + 1);
            let (old, new) = (rotated(first, first), rotated(first, second));
            let key_states = [key_state(first), old, new];
            let admitted: usize = thread::scope(|scope| {
                let changing = scope.spawn(|| {
                    for number in 0..300 {
                        table.insert_if(&key_states[number % 3], always);
                        if number % 5 == 0 {
                            table.evict(&key(first));
                            table.evict(&key(second));
                        }
                    }
                });
                let counting = key_states.each_ref().map(|key_state| {
                    let table = &table;
                    scope.spawn(move || {
                        let rates = (0..LIMIT).map(|_| table.step(key_state, Ticks(0), Step::Count));
                        rates.filter(|rate| rate.admitted).count()
                    })
                });
                changing.join().expect("no panic");
                counting.into_iter().map(|thread| thread.join().expect("no panic")).sum()
            });
            assert_eq!(admitted, LIMIT);
        }
        assert_eq!(table.windows(), 50);
    }

    #[test]
    fn states_are_evicted_by_condition() {
        let table = KeyTable::default();
        for number in 0..1_000 {
            table.insert_if(&key_state(number), always);
        }
        table.step(&key_state(7), Ticks(0), Step::Count);
        table.evict_if(|key_state| key_state.revoked);
        assert_eq!(table.cached_keys(), 500);
        assert_eq!((table.get(&key(6)).is_some(), table.get(&key(7)).is_some()), (true, false));
        assert_eq!(table.step(&key_state(7), Ticks(0), Step::Peek).remaining, 59);
    }

    #[test]
    fn full_shard_evicts_one_eighth() {
        let table = KeyTable::default();
        let key_states: Vec<_> = (0..1_100_000).map(key_state).collect();
        for key_state in &key_states {
            table.insert_if(key_state, always);
        }
        assert!((800_000..=1_000_000).contains(&table.cached_keys()), "{} are cached", table.cached_keys());
        assert!(table.get(&key(1_099_999)).is_some());
        let found = key_states.iter().filter(|key_state| table.get(&key_state.digest).is_some()).count();
        assert_eq!(found, table.cached_keys());
    }
}
