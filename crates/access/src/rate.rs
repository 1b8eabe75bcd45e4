//! The rate limit: exactly 60 admitted requests in any span of 60 seconds, for each key.
//!
//! A log of the admitted moments, not a bucket or a pair of counters: those admit up to twice the limit across
//! the edge of a window, or fewer than the limit inside one. A refused request is not counted.

use std::{mem, time::Duration};

use crate::time::Ticks;

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

    pub(crate) fn is_untouched(&self) -> bool {
        self.count == 0
    }

    /// Twice the span, so that nothing is swept from under a thread that read the clock a little earlier.
    pub(crate) fn is_idle(&self, now: Ticks) -> bool {
        self.latest().is_none_or(|latest| now.since(Ticks(latest)) >= 2 * SPAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

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
