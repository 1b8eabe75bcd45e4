//! The windows of all keys of one process.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    key::KeyDigest,
    rate::{Rate, SPAN, Step, Window},
    time::Ticks,
};

/// A key's window, and beside it whatever else each request needs to know of the key (`K`): of a hundred thousand keys
/// none is near at hand, and who has found the one has the other.
#[derive(Debug)]
pub struct Limiter<K = ()> {
    shards: Box<[Mutex<Shard<K>>]>,
}

#[derive(Debug)]
struct Shard<K> {
    /// Keys are told apart by eight bytes of their digest: a mistake would count two keys as one, and is less likely
    /// than a broken machine.
    places: HashMap<u64, Place<K>, BuildHasherDefault<DigestHasher>>,
    /// How many of them have a window, and how many keep something.
    windows: usize,
    kept: usize,
    swept: Ticks,
}

#[derive(Debug)]
struct Place<K> {
    window: Window,
    kept: Option<K>,
}

const SHARDS: usize = 64;
/// A million in all. When a shard is full, an eighth of it makes room.
const MOST_KEPT: usize = 1_000_000 / SHARDS;

impl<K> Default for Place<K> {
    fn default() -> Self {
        Self { window: Window::default(), kept: None }
    }
}

impl<K> Default for Limiter<K> {
    fn default() -> Self {
        let shard = || Shard { places: HashMap::default(), windows: 0, kept: 0, swept: Ticks(0) };
        Self { shards: (0..SHARDS).map(|_| Mutex::new(shard())).collect() }
    }
}

impl<K> Limiter<K> {
    pub fn step(&self, key: &KeyDigest, now: Ticks, step: Step) -> Rate {
        let mut shard = self.shard(key);
        if now.since(shard.swept) >= 2 * SPAN {
            shard.sweep(now);
        }
        let Shard { places, windows, .. } = &mut *shard;
        let place = match step {
            Step::Count => places.entry(key.as_u64()).or_default(),
            Step::Peek => match places.get_mut(&key.as_u64()) {
                Some(place) => place,
                None => return Rate::UNTOUCHED,
            },
        };
        let was_untouched = place.window.is_untouched();
        let rate = place.window.step(now, step);
        *windows += usize::from(was_untouched && !place.window.is_untouched());
        rate
    }

    /// How many keys have a window.
    pub fn windows(&self) -> usize {
        self.shards().map(|shard| shard.windows).sum()
    }

    /// What is kept of a key.
    pub fn kept(&self, key: &KeyDigest) -> Option<K>
    where
        K: Clone,
    {
        self.shard(key).places.get(&key.as_u64())?.kept.clone()
    }

    /// Keeps it in the stead of what was kept before, if it is current still when nobody else can change that.
    pub fn keep(&self, key: &KeyDigest, kept: K, is_current: impl FnOnce() -> bool) {
        let mut shard = self.shard(key);
        if !is_current() {
            return;
        }
        if shard.kept >= MOST_KEPT {
            let mut number = 0u32;
            shard.let_go(|_| {
                number = number.wrapping_add(1);
                number.is_multiple_of(8)
            });
        }
        let before = shard.places.entry(key.as_u64()).or_default().kept.replace(kept);
        shard.kept += usize::from(before.is_none());
    }

    /// Lets go of what is kept of a key, and of nothing that was counted.
    pub fn let_go(&self, key: &KeyDigest) {
        let mut shard = self.shard(key);
        let gone = shard.places.get_mut(&key.as_u64()).and_then(|place| place.kept.take());
        shard.kept -= usize::from(gone.is_some());
    }

    /// The same for all keys of which something like that is kept.
    pub fn let_go_where(&self, mut is_to_go: impl FnMut(&K) -> bool) {
        for mut shard in self.shards() {
            shard.let_go(&mut is_to_go);
        }
    }

    /// Of how many keys something is kept.
    pub fn kept_count(&self) -> usize {
        self.shards().map(|shard| shard.kept).sum()
    }

    fn shard(&self, key: &KeyDigest) -> MutexGuard<'_, Shard<K>> {
        self.shards[key.shard_of(SHARDS)].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shards(&self) -> impl Iterator<Item = MutexGuard<'_, Shard<K>>> {
        self.shards.iter().map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<K> Shard<K> {
    /// Lets idle windows go, and with them the keys of which nothing is kept.
    fn sweep(&mut self, now: Ticks) {
        self.swept = now;
        self.windows = 0;
        self.places.retain(|_, place| {
            if place.window.is_idle(now) {
                place.window = Window::default();
                return place.kept.is_some();
            }
            self.windows += 1;
            true
        });
    }

    fn let_go(&mut self, mut is_to_go: impl FnMut(&K) -> bool) {
        self.kept = 0;
        self.places.retain(|_, place| {
            place.kept.take_if(|kept| is_to_go(kept));
            self.kept += usize::from(place.kept.is_some());
            place.kept.is_some() || !place.window.is_untouched()
        });
    }
}

/// Passes a digest's own bytes through: they are uniform already.
#[derive(Debug, Default)]
pub struct DigestHasher(u64);

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
    use super::*;

    const SECOND: u64 = 1_000_000;

    fn key(number: u32) -> KeyDigest {
        KeyDigest::of(&number.to_le_bytes())
    }

    fn always() -> bool {
        true
    }

    #[test]
    fn idle_windows_do_not_stay() {
        let limiter = Limiter::<()>::default();
        for number in 0..50_000 {
            limiter.step(&key(number), Ticks(u64::from(number) * SECOND), Step::Count);
        }
        assert!(limiter.windows() <= 1_000, "{} windows stay", limiter.windows());
        let places: usize = limiter.shards().map(|shard| shard.places.len()).sum();
        assert_eq!(places, limiter.windows(), "nor their keys");
    }

    #[test]
    fn what_is_kept_and_what_is_counted_go_each_in_its_own_time() {
        let limiter = Limiter::default();
        let at = |seconds| Ticks(seconds * SECOND);
        limiter.keep(&key(1), "one", always);
        assert_eq!((limiter.kept_count(), limiter.windows()), (1, 0));
        assert_eq!(limiter.step(&key(1), at(0), Step::Peek), Rate::UNTOUCHED);
        assert_eq!(limiter.windows(), 0, "who only looks is not counted");
        assert_eq!(limiter.step(&key(1), at(0), Step::Count).remaining, 59);
        limiter.let_go(&key(1));
        limiter.let_go(&key(1));
        assert_eq!((limiter.kept(&key(1)), limiter.kept_count()), (None, 0));
        limiter.keep(&key(1), "anew", always);
        limiter.keep(&key(1), "out of date", || false);
        assert_eq!(limiter.step(&key(1), at(1), Step::Count).remaining, 58, "what was counted stays counted");
        limiter.step(&key(1), at(300), Step::Peek);
        assert_eq!(
            (limiter.kept(&key(1)), limiter.kept_count()),
            (Some("anew"), 1),
            "an idle key is still known"
        );
        assert_eq!(limiter.windows(), 0);
    }

    #[test]
    fn what_is_kept_is_let_go_by_what_it_is() {
        let limiter = Limiter::default();
        for number in 0..1_000 {
            limiter.keep(&key(number), number, always);
        }
        limiter.step(&key(7), Ticks(0), Step::Count);
        limiter.let_go_where(|number| number % 2 == 1);
        assert_eq!(limiter.kept_count(), 500);
        assert_eq!((limiter.kept(&key(6)), limiter.kept(&key(7))), (Some(6), None));
        assert_eq!(limiter.step(&key(7), Ticks(0), Step::Peek).remaining, 59);
    }

    #[test]
    fn a_full_shard_makes_room() {
        let limiter = Limiter::default();
        for number in 0..1_100_000 {
            limiter.keep(&key(number), number, always);
        }
        assert!((800_000..=1_000_000).contains(&limiter.kept_count()), "{} are kept", limiter.kept_count());
        assert_eq!(limiter.kept(&key(1_099_999)), Some(1_099_999));
        let found = (0..1_100_000).filter(|number| limiter.kept(&key(*number)).is_some()).count();
        assert_eq!(found, limiter.kept_count());
    }
}
