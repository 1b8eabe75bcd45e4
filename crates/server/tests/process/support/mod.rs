//! The real binary: where it lives, how it is started, asked and ended.

mod api;
mod place;
mod raw;
mod running;

pub(crate) use api::{Answer, Api, answered, as_json, try_answered};
pub(crate) use place::Place;
pub(crate) use raw::{Raw, RawAnswer};
pub(crate) use running::Running;

use std::time::{Duration, Instant};

/// Nothing here takes this long unless it is broken.
pub(crate) const LONG: Duration = Duration::from_secs(30);

/// Asks again and again until the answer is the wished one, half a minute at most.
pub(crate) async fn eventually<T, F: Future<Output = Option<T>>>(
    what: &str,
    mut attempt: impl FnMut() -> F,
) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = attempt().await {
            return found;
        }
        assert!(started.elapsed() < LONG, "{what} did not happen in time");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
