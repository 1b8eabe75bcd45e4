//! The machine's own clock and random source: the only place that reads either.

use std::{
    sync::atomic::{AtomicI64, AtomicU64, Ordering},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use rand::TryRng;
use svc_mcp_access::{Clock, Entropy, Ticks, Timestamp};

#[derive(Debug)]
pub struct MachineClock {
    started: Instant,
    /// How far the time of day is ahead of the ticks, and the tick it was read at. Both in microseconds.
    ahead: AtomicI64,
    read_at: AtomicU64,
}

/// The time of day is read anew so often, since it may be set.
const READ_EVERY: Duration = Duration::from_millis(50);

impl Default for MachineClock {
    fn default() -> Self {
        let clock =
            Self { started: Instant::now(), ahead: AtomicI64::default(), read_at: AtomicU64::default() };
        while !clock.read() {}
        clock
    }
}

impl MachineClock {
    /// Says whether it was read in one go: a process that stood still in between would mistake the one clock for ahead
    /// of the other.
    fn read(&self) -> bool {
        let (before, now, ticks) = (self.ticks(), self.now(), self.ticks());
        let at_once = ticks.since(before) < Duration::from_millis(1);
        if at_once {
            self.ahead.store(now.millis() * 1_000 - micros(ticks), Ordering::Relaxed);
            self.read_at.store(ticks.0, Ordering::Relaxed);
        }
        at_once
    }
}

fn micros(ticks: Ticks) -> i64 {
    i64::try_from(ticks.0).unwrap_or(i64::MAX)
}

impl Clock for MachineClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn ticks(&self) -> Ticks {
        Ticks(u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    /// Every request needs both, and asking the machine costs as much as counting the request: it is asked for one.
    fn both(&self) -> (Timestamp, Ticks) {
        let ticks = self.ticks();
        if ticks.since(Ticks(self.read_at.load(Ordering::Relaxed))) >= READ_EVERY {
            self.read();
        }
        let now = self.ahead.load(Ordering::Relaxed) + micros(ticks);
        (Timestamp::from_millis(now.div_euclid(1_000)), ticks)
    }
}

/// The OS's random source.
pub fn machine_entropy() -> Entropy {
    Entropy::new(|bytes| {
        rand::rngs::SysRng.try_fill_bytes(bytes).expect("without random numbers no key can be made safely");
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_the_same_as_each() {
        let clock = MachineClock::default();
        for _ in 0..1_000 {
            let (before, earlier) = (clock.now(), clock.ticks());
            let (now, ticks) = clock.both();
            let (after, later) = (clock.now(), clock.ticks());
            assert!(earlier <= ticks && ticks <= later);
            // To the millisecond, cut off where it was read and here.
            assert!(before.millis() - 2 <= now.millis() && now.millis() <= after.millis() + 1);
        }
    }

    #[test]
    fn a_time_of_day_that_was_set_is_noticed() {
        let clock = MachineClock::default();
        clock.ahead.fetch_add(3_600_000_000, Ordering::Relaxed);
        let is_right = || clock.both().0.millis().abs_diff(clock.now().millis()) < 1_000;
        let begun = Instant::now();
        while !is_right() {
            assert!(begun.elapsed() < Duration::from_mins(1), "it is read again and again");
        }
    }
}
