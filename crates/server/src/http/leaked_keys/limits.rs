//! The limits of leak reports. Nobody needs a credential to send one, so each address and all together are bounded.

use std::net::IpAddr;

use svc_mcp_access::Ticks;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::http::{problem::Problem, request_limit::RequestLimit, transport::client_network};

/// Of one address (IPv6: one /64 network), on each instance.
const MAX_REPORTS_PER_MINUTE: u16 = 20;
/// Reports whose bodies are in memory: 8 MiB.
const MAX_OPEN_REPORTS: usize = 64;
/// Reports whose keys are looked up.
const MAX_RUNNING_REPORTS: usize = 4;

const WHAT: &str = "reports of leaked keys, with 100 keys each,";

#[derive(Debug)]
pub(crate) struct LeakReportLimits {
    addresses: RequestLimit<IpAddr>,
    open: Semaphore,
    running: Semaphore,
}

impl Default for LeakReportLimits {
    fn default() -> Self {
        Self {
            addresses: RequestLimit::new(MAX_REPORTS_PER_MINUTE),
            open: Semaphore::new(MAX_OPEN_REPORTS),
            running: Semaphore::new(MAX_RUNNING_REPORTS),
        }
    }
}

impl LeakReportLimits {
    /// Before the body is read.
    pub(super) fn admit(&self, address: IpAddr, now: Ticks) -> Result<SemaphorePermit<'_>, Problem> {
        let admitted = self.addresses.admit(&client_network(address), now);
        admitted.map_err(|rate| Problem::address_rate_limited(MAX_REPORTS_PER_MINUTE, WHAT, &rate))?;
        self.open.try_acquire().map_err(|_| Problem::unavailable())
    }

    /// Waits for its turn, behind at most as many reports as may be open.
    pub(super) async fn turn(&self) -> Result<SemaphorePermit<'_>, Problem> {
        self.running.acquire().await.map_err(|_| Problem::unavailable())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_bounded_for_each_address_and_in_all() {
        let limits = LeakReportLimits::default();
        let address = |number: u8| IpAddr::from([203, 0, 113, number]);
        let mut open = Vec::new();
        for number in 0..20 {
            open.push(limits.admit(address(1), Ticks(number)).expect("within the limit"));
        }
        assert!(limits.admit(address(1), Ticks(20)).is_err());
        for number in 0..44 {
            open.push(limits.admit(address(2 + number), Ticks(20)).expect("another address"));
        }
        assert!(limits.admit(address(100), Ticks(21)).is_err(), "64 reports are open");
        open.pop();
        assert!(limits.admit(address(101), Ticks(21)).is_ok());
    }
}
