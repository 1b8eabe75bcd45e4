//! A whole installation on this machine: PostgreSQL, Redis, several real `svc-mcp serve` behind a real `haproxy`,
//! and the means to break each of them.

mod api;
mod balancer;
mod cluster;
mod engines;
mod instance;
mod link;

pub(crate) use api::{Answer, Api, Key, glance};
pub(crate) use balancer::Balancer;
pub(crate) use cluster::{BRAND, Cluster, PLAN, REVEAL_KEYS, USER, Wishes};
pub(crate) use engines::{PostgresServer, RedisServer, execute, one};
pub(crate) use instance::{Frozen, Instance, Program, binary};
pub(crate) use link::{Link, Mode};

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU16, Ordering},
    time::{Duration, Instant},
};

/// Nothing that is asked of a service takes this long, whatever is broken: waiting is bounded.
pub(crate) const BOUND: Duration = Duration::from_secs(15);
/// Nothing here takes this long unless it is broken.
pub(crate) const LONG: Duration = Duration::from_secs(40);

/// Asks again and again until the answer is the wished one.
pub(crate) async fn eventually<T>(what: &str, mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = attempt().await {
            return found;
        }
        assert!(started.elapsed() < LONG, "{what} did not happen in time");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A port that stays free while whoever listens on it is restarted: below those that the system gives to connections,
/// so that no connection takes it meanwhile.
pub(crate) fn port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 12_000 + (std::process::id() % 200) as u16 * 100;
    loop {
        let port = first + NEXT.fetch_add(1, Ordering::SeqCst);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
