//! What the tests of the other crates share: real servers on free ports, whoever asks them, and a clock that is moved
//! by hand.

mod api;
mod clock;
pub mod cluster;
mod postgres;
mod program;
mod redis;
mod site;
mod smtp;
mod supervised;

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

pub use api::{Answer, Api, Key, answered, as_json, glance, try_answered};
pub use clock::TestClock;
pub use postgres::Postgres;
pub use program::{Program, Ran};
use rand::{Rng, SeedableRng, rngs::StdRng};
pub use redis::Redis;
pub use site::Site;
pub use smtp::{Received, Smtp};
pub use supervised::{Supervised, free_port, wait_until};
use svc_mcp_access::Entropy;

/// Nothing that is asked of a service takes this long, whatever is broken: waiting is bounded.
pub const BOUND: Duration = Duration::from_secs(15);
/// Nothing here takes this long unless it is broken.
pub const LONG: Duration = Duration::from_secs(40);

/// Asks again and again until the answer is the wished one.
pub async fn eventually<T>(what: &str, mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = attempt().await {
            return found;
        }
        assert!(started.elapsed() < LONG, "{what} did not happen in time");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Random numbers that repeat: the same seed makes the same keys.
pub fn seeded(seed: u64) -> Entropy {
    let random = Mutex::new(StdRng::seed_from_u64(seed));
    Entropy::new(move |bytes| random.lock().expect("no test panics while drawing").fill_bytes(bytes))
}

/// A seed for a randomised test: from `SVC_TEST_SEED`, or new. Printed, so that a failure can be run again.
#[expect(clippy::disallowed_methods, reason = "a seed is where repeatable randomness begins")]
#[expect(clippy::print_stdout, reason = "it is for whoever reads the failure")]
pub fn seed() -> u64 {
    let given = std::env::var("SVC_TEST_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or_else(|| rand::rng().next_u64());
    println!("seed: run again with SVC_TEST_SEED={seed}");
    seed
}
