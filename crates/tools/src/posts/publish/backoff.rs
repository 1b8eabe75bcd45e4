//! The delay before the next attempt to publish.

use std::time::Duration;

use rand::{CryptoRng, RngExt};

/// With the delays below, the attempts cover about a day.
pub(super) const MAX_ATTEMPTS: u32 = 8;

const INITIAL_BACKOFF: Duration = Duration::from_mins(1);
const MAX_BACKOFF: Duration = Duration::from_hours(8);

/// The delay after this attempt: 1, 4, 16 minutes and so on. It varies by a fifth, so that posts that failed together are
/// not retried together.
pub(super) fn backoff(attempt: u32, requested: Option<Duration>, random: &mut impl CryptoRng) -> Duration {
    let base =
        INITIAL_BACKOFF.saturating_mul(4_u32.saturating_pow(attempt.saturating_sub(1))).min(MAX_BACKOFF);
    let jittered = base.mul_f64(random.random_range(0.8..1.2));
    // Not before the server asked for, and with jitter for the same reason.
    requested.map_or(jittered, |wait| jittered.max(wait.mul_f64(random.random_range(1.0..1.1))))
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    fn backoff_seconds(attempt: u32, requested: Option<u64>) -> u64 {
        let requested = requested.map(Duration::from_secs);
        backoff(attempt, requested, &mut StdRng::seed_from_u64(u64::from(attempt))).as_secs()
    }

    #[test]
    fn delays_grow_and_cover_about_a_day() {
        let delays: Vec<u64> = (1..MAX_ATTEMPTS).map(|attempt| backoff_seconds(attempt, None)).collect();
        for (delay, minutes) in delays.iter().zip([1, 4, 16, 64, 256, 480, 480]) {
            assert!((minutes * 48..=minutes * 72).contains(delay), "{delays:?}");
        }
        assert!((15 * 3600..=27 * 3600).contains(&delays.iter().sum::<u64>()), "{delays:?}");
        assert!(backoff_seconds(u32::MAX, None) <= 8 * 3600 * 6 / 5);
    }

    #[test]
    fn a_retry_waits_as_long_as_the_server_asks() {
        let asked = backoff_seconds(1, Some(3600));
        assert!((3600..=3960).contains(&asked), "{asked}");
        assert!(backoff_seconds(4, Some(1)) > 3000);
    }
}
