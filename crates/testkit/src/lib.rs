//! Shared by the tests of the other crates: real servers on free ports, an HTTP client, and a clock that tests move.

mod api;
mod certificate;
mod clock;
pub mod cluster;
mod doc_page;
pub mod hostile;
mod postgres;
mod program;
mod redis;
mod redis_cluster;
mod server_process;
mod site;
mod smtp;
mod stops;

use std::{
    fmt::Display,
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

pub use api::{Api, ApiResponse, Key, raw_get, send, try_send, with_json_body};
pub use certificate::ServerCertificate;
pub use clock::TestClock;
pub use doc_page::DocPage;
pub use postgres::Postgres;
pub use program::{CommandOutput, Program};
use rand::{Rng, SeedableRng, rngs::StdRng};
pub use redis::Redis;
pub use redis_cluster::RedisCluster;
pub use server_process::{ServerProcess, free_port};
pub use site::Site;
pub use smtp::{ReceivedMail, Smtp};
pub use stops::{QueuedWork, StopChange, WorkEnd};
use svc_mcp_access::Entropy;

/// The limit of every wait. It is long, so that a wait ends by its condition even on a very busy machine.
pub const WAIT_TIMEOUT: Duration = Duration::from_mins(5);

const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Polls until `attempt` returns a value. `what` names the awaited condition in the panic message.
pub async fn eventually<T>(what: &str, mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = attempt().await {
            return found;
        }
        assert!(started.elapsed() < WAIT_TIMEOUT, "{what}: not within {WAIT_TIMEOUT:?}");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// [`eventually`] for requests with a key, which may send 60 requests a minute. The pauses between the attempts grow:
/// there are 44 attempts in the first minute and 55 in three and a half minutes.
pub async fn eventually_with_key<T>(what: &str, mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    let mut pause = Duration::from_millis(50);
    for _ in 0..55 {
        if let Some(found) = attempt().await {
            return found;
        }
        tokio::time::sleep(pause).await;
        pause = pause.mul_f64(1.12);
    }
    panic!("{what}: not in time");
}

/// [`eventually`] for blocking code.
pub fn wait_until(what: impl Display, mut condition: impl FnMut() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < WAIT_TIMEOUT, "{what}: not within {WAIT_TIMEOUT:?}");
        thread::sleep(POLL_INTERVAL);
    }
}

/// Repeatable random numbers: the same seed generates the same keys.
pub fn seeded(seed: u64) -> Entropy {
    let random = Mutex::new(StdRng::seed_from_u64(seed));
    Entropy::new(move |bytes| {
        random.lock().expect("no test panics while it holds the lock").fill_bytes(bytes);
    })
}

/// A seed for a randomised test: from `SVC_TEST_SEED`, or new. It is printed, so that a failed run can be repeated.
#[expect(clippy::disallowed_methods, reason = "a new seed needs real randomness")]
#[expect(clippy::print_stdout, reason = "the output of a failed test shows the seed")]
pub fn seed() -> u64 {
    let given = std::env::var("SVC_TEST_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or_else(|| rand::rng().next_u64());
    println!("To repeat this run, set SVC_TEST_SEED={seed}");
    seed
}
