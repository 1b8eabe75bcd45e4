//! What the tests of the other crates share: real servers on free ports, and a clock that is moved by hand.

mod clock;
mod postgres;
mod redis;
mod site;
mod supervised;

pub use clock::TestClock;
pub use postgres::Postgres;
pub use redis::Redis;
pub use site::Site;
pub use supervised::{Supervised, free_port, wait_until};

use std::sync::Mutex;

use rand::{Rng, SeedableRng, rngs::StdRng};
use svc_mcp_access::Entropy;

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
