//! The limit on requests of one client in any minute: a user of the management API, or an address that reports leaked keys.
//! Each instance counts for itself.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

use svc_mcp_access::{
    Ticks, UserId,
    rate::{Rate, Step, WINDOW, Window},
};

/// About 10 MB if all of them reach the limit.
const MAX_TRACKED_CLIENTS: usize = 10_000;

/// The limit of the management API.
pub(crate) type ManagementLimit = RequestLimit<UserId>;

#[derive(Debug)]
pub(crate) struct RequestLimit<C> {
    /// 0: no limit.
    limit: u16,
    clients: Mutex<Clients<C>>,
}

#[derive(Debug)]
struct Clients<C> {
    windows: HashMap<C, Window>,
    last_sweep: Ticks,
}

impl<C: Clone + Eq + Hash> RequestLimit<C> {
    pub(crate) fn new(limit: u16) -> Self {
        Self { limit, clients: Mutex::new(Clients { windows: HashMap::new(), last_sweep: Ticks(0) }) }
    }

    pub(crate) fn limit(&self) -> u16 {
        self.limit
    }

    /// Counts a request of this client.
    ///
    /// # Errors
    /// The state of the client's limit, if the request is beyond it.
    pub(crate) fn admit(&self, client: &C, now: Ticks) -> Result<(), Rate> {
        if self.limit == 0 {
            return Ok(());
        }
        let mut clients = self.clients();
        let rate = clients.window(client, now).step_within(self.limit.into(), now, Step::Count);
        if rate.admitted { Ok(()) } else { Err(rate) }
    }

    fn clients(&self) -> MutexGuard<'_, Clients<C>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Clone + Eq + Hash> Clients<C> {
    fn window(&mut self, client: &C, now: Ticks) -> &mut Window {
        if now.since(self.last_sweep) >= WINDOW {
            self.last_sweep = now;
            self.windows.retain(|_, window| !window.is_idle(now));
        }
        // More clients are rare, and an evicted one only starts to count again.
        if self.windows.len() >= MAX_TRACKED_CLIENTS
            && !self.windows.contains_key(client)
            && let Some(evicted) = self.windows.keys().next().cloned()
        {
            self.windows.remove(&evicted);
        }
        self.windows.entry(client.clone()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000_000;

    fn user(number: usize) -> UserId {
        format!("user-{number}").parse().expect("an id")
    }

    #[test]
    fn each_client_has_the_limit_in_any_minute() {
        let limit = ManagementLimit::new(300);
        for request in 0..300 {
            assert_eq!(limit.admit(&user(1), Ticks(request)), Ok(()), "{request}");
        }
        let refused = limit.admit(&user(1), Ticks(MINUTE - 1)).expect_err("beyond the limit");
        assert_eq!((refused.remaining, refused.frees_in_seconds()), (0, 1));
        assert_eq!(limit.admit(&user(2), Ticks(MINUTE - 1)), Ok(()));
        assert_eq!(limit.admit(&user(1), Ticks(MINUTE)), Ok(()));
        assert!(limit.admit(&user(1), Ticks(MINUTE)).is_err(), "one request has left the minute");
    }

    #[test]
    fn zero_is_no_limit() {
        let limit = ManagementLimit::new(0);
        assert!((0..10_000).all(|_| limit.admit(&user(1), Ticks(0)).is_ok()));
        assert!(limit.clients().windows.is_empty());
    }

    #[test]
    fn number_of_tracked_clients_is_bounded_and_idle_ones_are_forgotten() {
        let limit = ManagementLimit::new(120);
        for number in 0..2 * MAX_TRACKED_CLIENTS {
            assert_eq!(limit.admit(&user(number), Ticks(MINUTE)), Ok(()));
        }
        assert_eq!(limit.clients().windows.len(), MAX_TRACKED_CLIENTS);
        limit.admit(&user(0), Ticks(4 * MINUTE)).expect("the first request");
        assert_eq!(limit.clients().windows.len(), 1);
    }
}
