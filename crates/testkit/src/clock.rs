use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use svc_mcp_access::{Clock, Ticks, Timestamp};

/// A clock that moves only when a test advances it. It starts at 2026-11-15T00:00:00Z.
#[derive(Debug)]
pub struct TestClock(AtomicU64);

const START_MILLIS: u64 = 1_794_700_800_000;

impl Default for TestClock {
    fn default() -> Self {
        Self(AtomicU64::new(START_MILLIS * 1000))
    }
}

impl TestClock {
    pub fn advance(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).expect("the duration fits into 64 bits");
        self.0.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        let millis = self.0.load(Ordering::SeqCst) / 1000;
        Timestamp::from_millis(i64::try_from(millis).expect("milliseconds fit into 63 bits"))
    }

    fn ticks(&self) -> Ticks {
        Ticks(self.0.load(Ordering::SeqCst))
    }
}
