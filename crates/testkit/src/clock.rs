use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use svc_mcp_access::{Clock, Ticks, Timestamp};

/// A clock that stands still until it is moved. It begins on 15 November 2026.
#[derive(Debug)]
pub struct TestClock(AtomicU64);

const BEGIN_MILLIS: u64 = 1_794_700_800_000;

impl Default for TestClock {
    fn default() -> Self {
        Self(AtomicU64::new(BEGIN_MILLIS * 1000))
    }
}

impl TestClock {
    pub fn advance(&self, span: Duration) {
        let micros = u64::try_from(span.as_micros()).expect("a test does not last that long");
        self.0.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        let millis = self.0.load(Ordering::SeqCst) / 1000;
        Timestamp::from_millis(i64::try_from(millis).expect("it fits until the year 292 million"))
    }

    fn ticks(&self) -> Ticks {
        Ticks(self.0.load(Ordering::SeqCst))
    }
}
