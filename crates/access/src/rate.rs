//! The rate limit: exactly 60 admitted requests in any span of 60 seconds, for each key.
//!
//! A log of the admitted moments, not a bucket or a pair of counters: those admit up to twice the limit across
//! the edge of a window, or fewer than the limit inside one. A refused request is not counted.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    mem,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use crate::{key::KeyDigest, time::Ticks};

pub const LIMIT: usize = 60;
pub const SPAN: Duration = Duration::from_mins(1);

/// Whether a request takes one of the 60, or only asks how many are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Count,
    Peek,
}

/// How a key stands with its limit after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub admitted: bool,
    /// How many more would be admitted now.
    pub remaining: usize,
    /// Until the oldest admitted request leaves the span: then one more is free. Zero where none is counted.
    pub frees_in: Duration,
}

impl Rate {
    /// Before anything was counted.
    pub const UNTOUCHED: Self = Self { admitted: true, remaining: LIMIT, frees_in: Duration::ZERO };

    /// `frees_in` in whole seconds, rounded up: who waits that long has waited long enough.
    pub fn frees_in_seconds(&self) -> u32 {
        self.frees_in.as_micros().div_ceil(1_000_000).try_into().unwrap_or(u32::MAX)
    }
}

/// The admitted moments of one key that still count: a ring, so that old ones leave without moving the others. Every
/// active key has one, so it is small.
#[derive(Debug, Default)]
pub struct Window {
    ring: Box<[u64]>,
    /// Where the oldest is, and how many there are.
    first: u8,
    count: u8,
}

const _: () = assert!(LIMIT <= u8::MAX as usize, "a window counts its moments in a byte");
const _: () =
    assert!(size_of::<(u64, Window)>() == 32, "two windows lie in what the machine reads at a time");

impl Window {
    pub fn step(&mut self, now: Ticks, step: Step) -> Rate {
        let span = u64::try_from(SPAN.as_micros()).unwrap_or(u64::MAX);
        let clock = now.0;
        // Two threads may read the clock in one order and arrive here in the other.
        let now = self.latest().map_or(clock, |latest| clock.max(latest));
        let mut gone = self.moments().take_while(|moment| now - moment >= span).count();
        let admitted = self.len() - gone < LIMIT;
        // Only a counted request lets go of the old ones: it is remembered itself, and with it how late it was.
        if admitted && step == Step::Count {
            self.let_go(mem::take(&mut gone));
            self.push(now);
        }
        Rate {
            admitted,
            remaining: LIMIT - (self.len() - gone),
            // By the clock as it was read, because who waits will wait by it.
            frees_in: self
                .moments()
                .nth(gone)
                .map_or(Duration::ZERO, |oldest| Duration::from_micros(oldest + span - clock)),
        }
    }

    fn len(&self) -> usize {
        self.count.into()
    }

    fn place(&self, number: usize) -> usize {
        let place = usize::from(self.first) + number;
        if place < self.ring.len() { place } else { place - self.ring.len() }
    }

    /// Oldest first.
    fn moments(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|number| self.ring[self.place(number)])
    }

    fn latest(&self) -> Option<u64> {
        self.len().checked_sub(1).map(|last| self.ring[self.place(last)])
    }

    fn let_go(&mut self, oldest: usize) {
        let first = self.place(oldest);
        let bytes =
            |number: usize| u8::try_from(number).expect("a window has fewer places than a byte can tell");
        (self.first, self.count) = (bytes(first), self.count - bytes(oldest));
    }

    fn push(&mut self, moment: u64) {
        if self.len() == self.ring.len() {
            // Many keys send one request and no more for a while: it is given room for one.
            let room = (2 * self.len()).clamp(1, LIMIT);
            let mut larger: Vec<u64> = self.moments().collect();
            larger.resize(room, 0);
            (self.ring, self.first) = (larger.into(), 0);
        }
        self.ring[self.place(self.len())] = moment;
        self.count += 1;
    }

    /// Twice the span, so that nothing is swept from under a thread that read the clock a little earlier.
    fn is_idle(&self, now: Ticks) -> bool {
        self.latest().is_none_or(|latest| now.since(Ticks(latest)) >= 2 * SPAN)
    }
}

/// The windows of all keys of one process.
#[derive(Debug)]
pub struct Limiter {
    shards: Box<[Mutex<Shard>]>,
}

#[derive(Debug, Default)]
struct Shard {
    /// Keys are told apart by eight bytes of their digest: a mistake would count two keys as one, and is less likely
    /// than a broken machine.
    windows: HashMap<u64, Window, BuildHasherDefault<DigestHasher>>,
    /// Idle windows are swept when the shard has grown to this size, so a sweep costs each step next to nothing.
    sweep_at: usize,
}

const SHARDS: usize = 64;
const SMALLEST_SWEEP: usize = 64;

impl Default for Limiter {
    fn default() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }
}

impl Limiter {
    pub fn step(&self, key: &KeyDigest, now: Ticks, step: Step) -> Rate {
        let index = (key.as_u64() >> 32) as usize % self.shards.len();
        let mut shard = self.shards[index].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(window) = shard.windows.get_mut(&key.as_u64()) {
            return window.step(now, step);
        }
        if step == Step::Peek {
            return Rate::UNTOUCHED;
        }
        if shard.windows.len() >= shard.sweep_at {
            shard.windows.retain(|_, window| !window.is_idle(now));
            shard.sweep_at = SMALLEST_SWEEP.max(2 * shard.windows.len());
        }
        shard.windows.entry(key.as_u64()).or_default().step(now, step)
    }

    /// How many keys have a window.
    pub fn len(&self) -> usize {
        self.shards
            .iter()
            .map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).windows.len())
            .sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
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

    #[test]
    fn idle_windows_do_not_stay() {
        let limiter = Limiter::default();
        for number in 0..50_000u32 {
            let key = KeyDigest::of(&number.to_le_bytes());
            limiter.step(&key, Ticks(u64::from(number) * SECOND), Step::Count);
        }
        assert!(limiter.len() <= SHARDS * SMALLEST_SWEEP, "{} windows are kept", limiter.len());
    }

    #[test]
    fn whole_seconds_are_rounded_up() {
        let mut window = Window::default();
        window.step(Ticks(0), Step::Count);
        assert_eq!(window.step(Ticks(0), Step::Peek).frees_in_seconds(), 60);
        assert_eq!(window.step(Ticks(1), Step::Peek).frees_in_seconds(), 60);
        assert_eq!(window.step(Ticks(59 * SECOND), Step::Peek).frees_in_seconds(), 1);
        assert_eq!(window.step(Ticks(60 * SECOND), Step::Peek).frees_in_seconds(), 0);
    }
}
