//! The machine's own clock and random source: the only place that reads either.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use rand::TryRng;
use svc_mcp_access::{Clock, Entropy, Ticks, Timestamp};

#[derive(Debug)]
pub struct MachineClock {
    started: Instant,
}

impl Default for MachineClock {
    fn default() -> Self {
        Self { started: Instant::now() }
    }
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
}

/// The OS's random source.
pub fn machine_entropy() -> Entropy {
    Entropy::new(|bytes| {
        rand::rngs::SysRng.try_fill_bytes(bytes).expect("without random numbers no key can be made safely");
    })
}
