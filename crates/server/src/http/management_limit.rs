//! The limit of the management API: requests of one user in any minute. Each instance counts for itself.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use svc_mcp_access::{
    Ticks, UserId,
    rate::{Rate, SPAN, Step, Window},
};

/// About 10 MB if all of them reach the limit.
const MAX_TRACKED_USERS: usize = 10_000;

#[derive(Debug)]
pub(crate) struct ManagementLimit {
    /// 0: no limit.
    limit: u16,
    users: Mutex<Users>,
}

#[derive(Debug)]
struct Users {
    windows: HashMap<UserId, Window>,
    last_sweep: Ticks,
}

impl ManagementLimit {
    pub(crate) fn new(limit: u16) -> Self {
        Self { limit, users: Mutex::new(Users { windows: HashMap::new(), last_sweep: Ticks(0) }) }
    }

    pub(crate) fn limit(&self) -> u16 {
        self.limit
    }

    /// Counts a request of this user.
    ///
    /// # Errors
    /// The state of the user's limit, if the request is beyond it.
    pub(crate) fn admit(&self, user: &UserId, now: Ticks) -> Result<(), Rate> {
        if self.limit == 0 {
            return Ok(());
        }
        let mut users = self.users();
        let rate = users.window(user, now).step_within(self.limit.into(), now, Step::Count);
        if rate.admitted { Ok(()) } else { Err(rate) }
    }

    fn users(&self) -> MutexGuard<'_, Users> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Users {
    fn window(&mut self, user: &UserId, now: Ticks) -> &mut Window {
        if now.since(self.last_sweep) >= SPAN {
            self.last_sweep = now;
            self.windows.retain(|_, window| !window.is_idle(now));
        }
        // Every user here has a token of the host application, so more of them are rare, and an evicted one only starts to
        // count again.
        if self.windows.len() >= MAX_TRACKED_USERS
            && !self.windows.contains_key(user)
            && let Some(evicted) = self.windows.keys().next().cloned()
        {
            self.windows.remove(&evicted);
        }
        self.windows.entry(user.clone()).or_default()
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
    fn each_user_has_the_limit_in_any_minute() {
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
        assert!(limit.users().windows.is_empty());
    }

    #[test]
    fn number_of_tracked_users_is_bounded_and_idle_ones_are_forgotten() {
        let limit = ManagementLimit::new(120);
        for number in 0..2 * MAX_TRACKED_USERS {
            assert_eq!(limit.admit(&user(number), Ticks(MINUTE)), Ok(()));
        }
        assert_eq!(limit.users().windows.len(), MAX_TRACKED_USERS);
        limit.admit(&user(0), Ticks(4 * MINUTE)).expect("the first request");
        assert_eq!(limit.users().windows.len(), 1);
    }
}
