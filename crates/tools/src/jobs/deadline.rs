use std::{fmt, sync::Arc, time::Duration};

use svc_mcp_access::{Clock, Ticks};
use tokio::time::sleep;

/// How often the clock is read.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The end of the time that a job may take.
#[derive(Clone)]
pub struct Deadline {
    clock: Arc<dyn Clock>,
    start: Ticks,
    max_time: Duration,
}

impl Deadline {
    pub fn new(clock: &Arc<dyn Clock>, max_time: Duration) -> Self {
        Self { clock: Arc::clone(clock), start: clock.ticks(), max_time }
    }

    pub fn has_passed(&self) -> bool {
        self.clock.ticks().since(self.start) >= self.max_time
    }

    /// Returns when the time is over.
    pub async fn passed(&self) {
        while !self.has_passed() {
            sleep(CHECK_INTERVAL).await;
        }
    }
}

impl fmt::Debug for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deadline").field("max_time", &self.max_time).finish_non_exhaustive()
    }
}
