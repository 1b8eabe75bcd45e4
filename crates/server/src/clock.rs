//! The machine's clock and random source. Only this file reads them.

use std::{
    sync::atomic::{AtomicI64, AtomicU64, Ordering},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use rand::TryRng;
use svc_mcp_access::{Clock, Entropy, Ticks, Timestamp};

#[derive(Debug)]
pub struct MachineClock {
    started: Instant,
    /// Time of day minus ticks, and the ticks at which it was read. Both in microseconds.
    offset: AtomicI64,
    read_at: AtomicU64,
}

/// How often the time of day is read again: somebody may set it.
const READ_INTERVAL: Duration = Duration::from_millis(50);

impl Default for MachineClock {
    fn default() -> Self {
        let clock =
            Self { started: Instant::now(), offset: AtomicI64::default(), read_at: AtomicU64::default() };
        while !clock.read() {}
        clock
    }
}

impl MachineClock {
    /// Returns false if the process was paused between reading the two clocks, which would make the offset wrong.
    fn read(&self) -> bool {
        let (before, now, ticks) = (self.ticks(), self.now(), self.ticks());
        let is_exact = ticks.since(before) < Duration::from_millis(1);
        if is_exact {
            self.offset.store(now.millis() * 1_000 - micros(ticks), Ordering::Relaxed);
            self.read_at.store(ticks.0, Ordering::Relaxed);
        }
        is_exact
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

    /// Reads the machine's clock once. Every request needs both values, and a read costs as much as counting the request.
    fn both(&self) -> (Timestamp, Ticks) {
        let ticks = self.ticks();
        if ticks.since(Ticks(self.read_at.load(Ordering::Relaxed))) >= READ_INTERVAL {
            self.read();
        }
        let now = self.offset.load(Ordering::Relaxed) + micros(ticks);
        (Timestamp::from_millis(now.div_euclid(1_000)), ticks)
    }
}

/// The operating system's random source.
pub fn machine_entropy() -> Entropy {
    Entropy::new(|bytes| {
        rand::rngs::SysRng.try_fill_bytes(bytes).expect("the operating system has random numbers");
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_agrees_with_now_and_ticks() {
        let clock = MachineClock::default();
        for _ in 0..1_000 {
            let (before, earlier) = (clock.now(), clock.ticks());
            let (now, ticks) = clock.both();
            let (after, later) = (clock.now(), clock.ticks());
            assert!(earlier <= ticks && ticks <= later);
            // Each value is rounded down to milliseconds.
            assert!(before.millis() - 2 <= now.millis() && now.millis() <= after.millis() + 1);
        }
    }

    #[test]
    fn changed_time_of_day_is_noticed() {
        let clock = MachineClock::default();
        clock.offset.fetch_add(3_600_000_000, Ordering::Relaxed);
        let is_right = || clock.both().0.millis().abs_diff(clock.now().millis()) < 1_000;
        let start = Instant::now();
        while !is_right() {
            assert!(start.elapsed() < Duration::from_mins(1), "the time of day was not read again");
        }
    }
}
