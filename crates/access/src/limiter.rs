//! The windows of all keys of one process, and what is known of the keys in use.
//!
//! A window is lent to the standing that is known of its key: of a hundred thousand keys none is near at hand, and who has
//! found the one has the other. Where a standing is let go, its window is laid aside until there is another: no change of
//! what is known of a key forgets what was counted.

use std::{
    borrow::Borrow,
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hash, Hasher},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use crate::{
    beside::Beside,
    decision::Standing,
    key::KeyDigest,
    rate::{Rate, SPAN, Step, Window},
    time::Ticks,
};

#[derive(Debug)]
pub struct Limiter {
    shards: Box<[Shard]>,
}

#[derive(Debug, Default)]
struct Shard {
    keys: Mutex<Keys>,
    /// How many keys have a window.
    windows: AtomicUsize,
    swept: AtomicU64,
}

#[derive(Debug, Default)]
struct Keys {
    known: HashSet<Known, BuildHasherDefault<DigestHasher>>,
    /// The windows of those that are not known.
    aside: HashMap<KeyDigest, Window, BuildHasherDefault<DigestHasher>>,
}

/// A standing, found by its digest.
#[derive(Debug)]
struct Known(Arc<Standing>);

/// A key's window, or nothing: a standing that was never known here, or is not any more, has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lent(Beside<Option<Window>>);

const SHARDS: usize = 64;
/// A million in all. When a shard is full, an eighth of it makes room.
const MOST_KNOWN: usize = 1_000_000 / SHARDS;

impl Default for Limiter {
    fn default() -> Self {
        Self { shards: (0..SHARDS).map(|_| Shard::default()).collect() }
    }
}

impl Limiter {
    /// A step of the key that this standing is of. Whether or not the standing is the one that is known: what counts is
    /// the key's one window.
    pub fn step(&self, standing: &Standing, now: Ticks, step: Step) -> Rate {
        let shard = self.shard(&standing.digest);
        shard.sweep_in_time(now);
        let at_hand = standing.window.with(|window| shard.step(window, now, step));
        at_hand.unwrap_or_else(|| shard.find_and_step(&standing.digest, now, step))
    }

    /// How many keys have a window.
    pub fn windows(&self) -> usize {
        self.shards.iter().map(|shard| shard.windows.load(Ordering::Relaxed)).sum()
    }

    /// What is known of a key.
    pub fn known(&self, digest: &KeyDigest) -> Option<Arc<Standing>> {
        self.shard(digest).keys().known.get(digest).map(|Known(standing)| Arc::clone(standing))
    }

    /// From now on this is known of its key, if it is current still when nobody else can change that.
    pub fn keep(&self, standing: &Arc<Standing>, is_current: impl FnOnce() -> bool) {
        let mut keys = self.shard(&standing.digest).keys();
        if !is_current() {
            return;
        }
        if keys.known.len() >= MOST_KNOWN {
            let mut number = 0u32;
            keys.let_go_where(|_| {
                number = number.wrapping_add(1);
                number.is_multiple_of(8)
            });
        }
        let window = keys.take_window(&standing.digest);
        standing.window.lend(window.unwrap_or_default());
        keys.known.replace(Known(Arc::clone(standing)));
    }

    /// Lets go of what is known of a key, and of nothing that was counted.
    pub fn let_go(&self, digest: &KeyDigest) {
        self.shard(digest).keys().let_go(digest);
    }

    /// The same for all keys of which something like that is known.
    pub fn let_go_where(&self, mut is_to_go: impl FnMut(&Standing) -> bool) {
        for shard in &self.shards {
            shard.keys().let_go_where(&mut is_to_go);
        }
    }

    /// Of how many keys the standing is known.
    pub fn known_count(&self) -> usize {
        self.shards.iter().map(|shard| shard.keys().known.len()).sum()
    }

    fn shard(&self, digest: &KeyDigest) -> &Shard {
        &self.shards[digest.shard_of(SHARDS)]
    }
}

impl Shard {
    fn keys(&self) -> MutexGuard<'_, Keys> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn step(&self, window: &mut Window, now: Ticks, step: Step) -> Rate {
        let was_untouched = window.is_untouched();
        let rate = window.step(now, step);
        if was_untouched && !window.is_untouched() {
            self.windows.fetch_add(1, Ordering::Relaxed);
        }
        rate
    }

    fn find_and_step(&self, digest: &KeyDigest, now: Ticks, step: Step) -> Rate {
        let mut keys = self.keys();
        let Keys { known, aside } = &mut *keys;
        if let Some(Known(standing)) = known.get(digest) {
            let rate = standing.window.with(|window| self.step(window, now, step));
            return rate.expect("who is known here has the window");
        }
        let window = match step {
            Step::Count => aside.entry(*digest).or_default(),
            Step::Peek => match aside.get_mut(digest) {
                Some(window) => window,
                None => return Rate::UNTOUCHED,
            },
        };
        self.step(window, now, step)
    }

    /// Lets idle windows go, now and then.
    fn sweep_in_time(&self, now: Ticks) {
        let is_time = || now.since(Ticks(self.swept.load(Ordering::Relaxed))) >= 2 * SPAN;
        if !is_time() {
            return;
        }
        let mut keys = self.keys();
        if is_time() {
            self.swept.store(now.0, Ordering::Relaxed);
            self.windows.store(keys.sweep(now), Ordering::Relaxed);
        }
    }
}

impl Keys {
    fn take_window(&mut self, digest: &KeyDigest) -> Option<Window> {
        match self.known.get(digest) {
            Some(Known(standing)) => standing.window.take_back(),
            None => self.aside.remove(digest),
        }
    }

    /// Says how many windows are left.
    fn sweep(&mut self, now: Ticks) -> usize {
        self.aside.retain(|_, window| !window.is_idle(now));
        let is_in_use = |Known(standing): &&Known| {
            let is_in_use = standing.window.with(|window| {
                if window.is_idle(now) {
                    *window = Window::default();
                }
                !window.is_untouched()
            });
            is_in_use.unwrap_or(false)
        };
        self.aside.len() + self.known.iter().filter(is_in_use).count()
    }

    fn let_go(&mut self, digest: &KeyDigest) {
        let Some(Known(standing)) = self.known.take(digest) else { return };
        if let Some(window) = standing.window.take_back().filter(|window| !window.is_untouched()) {
            self.aside.insert(*digest, window);
        }
    }

    fn let_go_where(&mut self, mut is_to_go: impl FnMut(&Standing) -> bool) {
        let to_go = self.known.iter().filter(|Known(standing)| is_to_go(standing));
        for digest in to_go.map(|Known(standing)| standing.digest).collect::<Vec<_>>() {
            self.let_go(&digest);
        }
    }
}

impl Borrow<KeyDigest> for Known {
    fn borrow(&self) -> &KeyDigest {
        &self.0.digest
    }
}

impl Hash for Known {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.digest.hash(state);
    }
}

impl PartialEq for Known {
    fn eq(&self, other: &Self) -> bool {
        self.0.digest == other.0.digest
    }
}

impl Eq for Known {}

impl Lent {
    fn with<T>(&self, job: impl FnOnce(&mut Window) -> T) -> Option<T> {
        self.0.lock().as_mut().map(job)
    }

    fn lend(&self, window: Window) {
        *self.0.lock() = Some(window);
    }

    fn take_back(&self) -> Option<Window> {
        self.0.lock().take()
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
    use std::thread;

    use super::*;
    use crate::{Scope, decision::Stamps, rate::LIMIT, tally::Tally};

    const SECOND: u64 = 1_000_000;

    fn key(number: u32) -> KeyDigest {
        KeyDigest::of(&number.to_le_bytes())
    }

    fn standing(number: u32) -> Arc<Standing> {
        let id = "acme";
        Arc::new(Standing {
            digest: key(number),
            expires_at: None,
            scope: Scope::Read,
            revoked: number % 2 == 1,
            owner_is_member: true,
            mcp_enabled: true,
            tools: None,
            window: Lent::default(),
            tally: Tally::default(),
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
    fn idle_windows_do_not_stay() {
        let limiter = Limiter::default();
        for number in 0..50_000 {
            limiter.step(&standing(number), Ticks(u64::from(number) * SECOND), Step::Count);
        }
        assert!(limiter.windows() <= 1_000, "{} windows stay", limiter.windows());
        let aside: usize = limiter.shards.iter().map(|shard| shard.keys().aside.len()).sum();
        assert_eq!(aside, limiter.windows(), "nor their keys");
    }

    #[test]
    fn what_is_known_and_what_is_counted_go_each_in_its_own_time() {
        let limiter = Limiter::default();
        let at = |seconds| Ticks(seconds * SECOND);
        let (one, other) = (standing(1), standing(1));
        limiter.keep(&one, always);
        assert_eq!((limiter.known_count(), limiter.windows()), (1, 0));
        assert_eq!(limiter.step(&one, at(0), Step::Peek), Rate::UNTOUCHED);
        assert_eq!(limiter.windows(), 0, "who only looks is not counted");
        assert_eq!(limiter.step(&one, at(0), Step::Count).remaining, 59);
        limiter.let_go(&key(1));
        limiter.let_go(&key(1));
        assert_eq!((limiter.known(&key(1)), limiter.known_count()), (None, 0));
        limiter.keep(&other, always);
        limiter.keep(&standing(1), || false);
        assert_eq!(limiter.step(&other, at(1), Step::Count).remaining, 58, "what was counted stays counted");
        assert_eq!(limiter.windows(), 1);
        limiter.step(&one, at(300), Step::Peek);
        let known = limiter.known(&key(1)).expect("an idle key is still known");
        assert!(Arc::ptr_eq(&known, &other));
        assert_eq!(limiter.windows(), 0);
    }

    #[test]
    fn a_key_has_one_window_whichever_standing_comes_with_a_request() {
        let limiter = Limiter::default();
        let (first, second, stranger) = (standing(1), standing(1), standing(1));
        let count = |standing: &Standing| limiter.step(standing, Ticks(0), Step::Count).remaining;
        assert_eq!(count(&stranger), 59, "nobody has ever kept it");
        limiter.keep(&first, always);
        assert_eq!((count(&first), count(&stranger)), (58, 57));
        limiter.keep(&second, always);
        assert_eq!((count(&first), count(&second), count(&stranger)), (56, 55, 54));
        limiter.keep(&second, always);
        assert_eq!(count(&second), 53, "kept twice");
        limiter.let_go_where(|_| true);
        assert_eq!((count(&first), count(&second), count(&stranger)), (52, 51, 50));
        limiter.keep(&first, always);
        assert_eq!((count(&second), count(&first)), (49, 48));
        assert_eq!(limiter.windows(), 1);
    }

    #[test]
    fn while_what_is_known_changes_the_limit_stays_exact() {
        let limiter = Limiter::default();
        for round in 0..50 {
            let standings = [standing(round), standing(round)];
            let admitted: usize = thread::scope(|scope| {
                let changing = scope.spawn(|| {
                    for number in 0..200 {
                        limiter.keep(&standings[number % 2], always);
                        if number % 3 == 0 {
                            limiter.let_go(&key(round));
                        }
                    }
                });
                let counting = standings.each_ref().map(|standing| {
                    let limiter = &limiter;
                    scope.spawn(move || {
                        let rates = (0..LIMIT).map(|_| limiter.step(standing, Ticks(0), Step::Count));
                        rates.filter(|rate| rate.admitted).count()
                    })
                });
                changing.join().expect("no panic");
                counting.into_iter().map(|thread| thread.join().expect("no panic")).sum()
            });
            assert_eq!(admitted, LIMIT);
        }
        assert_eq!(limiter.windows(), 50);
    }

    #[test]
    fn what_is_known_is_let_go_by_what_it_is() {
        let limiter = Limiter::default();
        for number in 0..1_000 {
            limiter.keep(&standing(number), always);
        }
        limiter.step(&standing(7), Ticks(0), Step::Count);
        limiter.let_go_where(|standing| standing.revoked);
        assert_eq!(limiter.known_count(), 500);
        assert_eq!((limiter.known(&key(6)).is_some(), limiter.known(&key(7)).is_some()), (true, false));
        assert_eq!(limiter.step(&standing(7), Ticks(0), Step::Peek).remaining, 59);
    }

    #[test]
    fn a_full_shard_makes_room() {
        let limiter = Limiter::default();
        let standings: Vec<_> = (0..1_100_000).map(standing).collect();
        for standing in &standings {
            limiter.keep(standing, always);
        }
        assert!(
            (800_000..=1_000_000).contains(&limiter.known_count()),
            "{} are known",
            limiter.known_count()
        );
        assert!(limiter.known(&key(1_099_999)).is_some());
        let found = standings.iter().filter(|standing| limiter.known(&standing.digest).is_some()).count();
        assert_eq!(found, limiter.known_count());
    }
}
