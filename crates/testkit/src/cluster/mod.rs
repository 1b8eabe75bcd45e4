//! A whole installation on this machine: PostgreSQL, Redis, several real `svc-mcp serve` behind a real `haproxy`,
//! and the means to break each of them.

mod balancer;
mod engines;
mod installation;
mod instance;
mod link;

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU16, Ordering},
};

pub use balancer::Balancer;
pub use engines::{PostgresServer, RedisServer, execute, one};
pub use installation::{BRAND, Cluster, PLAN, REVEAL_KEYS, USER, Wishes};
pub use instance::{Frozen, Instance};
pub use link::{Link, Mode};

/// A port that stays free while whoever listens on it is restarted: below those that the system gives to connections,
/// so that no connection takes it meanwhile.
fn port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 12_000 + (std::process::id() % 200) as u16 * 100;
    loop {
        let port = first + NEXT.fetch_add(1, Ordering::SeqCst);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
