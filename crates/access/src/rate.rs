//! The rate limit: exactly 60 admitted requests in any span of 60 seconds, for each key.
//!
//! A sliding log of the admitted requests, not a token bucket or a pair of counters: those admit up to twice the limit
//! across the edge of a window, or fewer than the limit inside one. A refused request is not counted.

use std::{mem, time::Duration};

use crate::{local_state::LocalState, time::Ticks};

pub const LIMIT: usize = 60;
pub const WINDOW: Duration = Duration::from_mins(1);
/// The largest limit of a window.
pub const MAX_LIMIT: usize = u16::MAX as usize;

/// Whether a request counts against the limit, or only reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Count,
    Peek,
}

/// The state of a key's limit after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub admitted: bool,
    /// How many more would be admitted now.
    pub remaining: usize,
    /// Until the oldest admitted request leaves the span: then one more is free. Zero where none is counted.
    pub frees_in: Duration,
}

impl Rate {
    /// Nothing is counted yet.
    pub const UNTOUCHED: Self = Self { admitted: true, remaining: LIMIT, frees_in: Duration::ZERO };

    /// `frees_in` in whole seconds, rounded up, so that a client that waits this long does not retry too early.
    pub fn frees_in_seconds(&self) -> u32 {
        self.frees_in.as_micros().div_ceil(1_000_000).try_into().unwrap_or(u32::MAX)
    }
}

/// The times of one key's admitted requests, in a ring buffer that grows up to the limit. Every cached key has a window,
/// so it is kept small.
#[derive(Debug, Default)]
pub struct Window {
    ring: Box<[u64]>,
    /// The index of the oldest time, and the number of times.
    first: u16,
    count: u16,
}

const _: () = assert!(LIMIT <= MAX_LIMIT, "a window counts its times in two bytes");

impl Window {
    pub fn step(&mut self, now: Ticks, step: Step) -> Rate {
        self.step_within(LIMIT, now, step)
    }

    /// The same with another limit, at most `MAX_LIMIT`. It must be the same for all steps of a window.
    pub fn step_within(&mut self, limit: usize, now: Ticks, step: Step) -> Rate {
        let span = u64::try_from(WINDOW.as_micros()).unwrap_or(u64::MAX);
        let clock = now.0;
        // Two threads may read the clock in one order and arrive here in the other.
        let now = self.latest().map_or(clock, |latest| clock.max(latest));
        let mut gone = self.times().take_while(|time| now - time >= span).count();
        let admitted = self.len() - gone < limit;
        // Only a counted request removes old times. Its own time is then the latest, so time cannot run backwards.
        if admitted && step == Step::Count {
            self.drop_oldest(mem::take(&mut gone));
            self.push(now, limit);
        }
        Rate {
            admitted,
            remaining: limit - (self.len() - gone),
            // Relative to the clock as it was read, because the client waits by that clock.
            frees_in: self
                .times()
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
    fn times(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|number| self.ring[self.place(number)])
    }

    fn latest(&self) -> Option<u64> {
        self.len().checked_sub(1).map(|last| self.ring[self.place(last)])
    }

    fn drop_oldest(&mut self, count: usize) {
        let first = self.place(count);
        let place = |number: usize| u16::try_from(number).expect("a window has at most `MAX_LIMIT` places");
        (self.first, self.count) = (place(first), self.count - place(count));
    }

    fn push(&mut self, time: u64, limit: usize) {
        if self.len() == self.ring.len() {
            // Many keys send a single request, so a window starts with room for one.
            let capacity = (2 * self.len()).clamp(1, limit);
            let mut larger: Vec<u64> = self.times().collect();
            larger.resize(capacity, 0);
            (self.ring, self.first) = (larger.into(), 0);
        }
        self.ring[self.place(self.len())] = time;
        self.count += 1;
    }

    pub fn is_untouched(&self) -> bool {
        self.count == 0
    }

    /// Twice the span: another thread may have read the clock a little earlier.
    pub fn is_idle(&self, now: Ticks) -> bool {
        self.latest().is_none_or(|latest| now.since(Ticks(latest)) >= 2 * WINDOW)
    }
}

/// The place for a key's window inside its [`KeyState`](crate::decision::KeyState). Only the state that the key table
/// holds has the window; in every other copy the slot is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WindowSlot(LocalState<Option<Window>>);

impl WindowSlot {
    /// `None`: the slot is empty.
    pub fn with<T>(&self, work: impl FnOnce(&mut Window) -> T) -> Option<T> {
        self.0.lock().as_mut().map(work)
    }

    pub fn put(&self, window: Window) {
        *self.0.lock() = Some(window);
    }

    pub fn take(&self) -> Option<Window> {
        self.0.lock().take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    #[test]
    fn seconds_until_free_are_rounded_up() {
        let mut window = Window::default();
        window.step(Ticks(0), Step::Count);
        assert_eq!(window.step(Ticks(0), Step::Peek).frees_in_seconds(), 60);
        assert_eq!(window.step(Ticks(1), Step::Peek).frees_in_seconds(), 60);
        assert_eq!(window.step(Ticks(59 * SECOND), Step::Peek).frees_in_seconds(), 1);
        assert_eq!(window.step(Ticks(60 * SECOND), Step::Peek).frees_in_seconds(), 0);
    }
}
