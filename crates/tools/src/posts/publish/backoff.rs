//! The delay before the next attempt to publish.

use std::time::Duration;

use rand::{CryptoRng, RngExt};

use crate::posts::ChannelKind;

/// With the delays below, the attempts cover about a day.
pub(super) const MAX_ATTEMPTS: u32 = 8;

const INITIAL_BACKOFF: Duration = Duration::from_mins(1);
const MAX_BACKOFF: Duration = Duration::from_hours(8);
/// Mastodon remembers an `Idempotency-Key` for an hour. If the post may be published already, the retry must come
/// before Mastodon forgets the key.
const MASTODON_RETRY_WINDOW: Duration = Duration::from_mins(45);

/// The delay after this attempt: 1, 4, 16 minutes and so on. It varies by a fifth, so that posts that failed together are
/// not retried together.
pub(super) fn backoff(
    attempt: u32,
    requested: Option<Duration>,
    maybe_published: bool,
    kind: ChannelKind,
    random: &mut impl CryptoRng,
) -> Duration {
    let base =
        INITIAL_BACKOFF.saturating_mul(4_u32.saturating_pow(attempt.saturating_sub(1))).min(MAX_BACKOFF);
    let jittered = base.mul_f64(random.random_range(0.8..1.2));
    // Not before the server asked for, and with jitter for the same reason.
    let delay = requested.map_or(jittered, |wait| jittered.max(wait.mul_f64(random.random_range(1.0..1.1))));
    if maybe_published && kind == ChannelKind::Mastodon { delay.min(MASTODON_RETRY_WINDOW) } else { delay }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    fn backoff_seconds(
        attempt: u32,
        requested: Option<u64>,
        maybe_published: bool,
        kind: ChannelKind,
    ) -> u64 {
        let requested = requested.map(Duration::from_secs);
        backoff(attempt, requested, maybe_published, kind, &mut StdRng::seed_from_u64(u64::from(attempt)))
            .as_secs()
    }

    #[test]
    fn delays_grow_and_cover_about_a_day() {
        let delays: Vec<u64> = (1..MAX_ATTEMPTS)
            .map(|attempt| backoff_seconds(attempt, None, true, ChannelKind::Bluesky))
            .collect();
        for (delay, minutes) in delays.iter().zip([1, 4, 16, 64, 256, 480, 480]) {
            assert!((minutes * 48..=minutes * 72).contains(delay), "{delays:?}");
        }
        assert!((15 * 3600..=27 * 3600).contains(&delays.iter().sum::<u64>()), "{delays:?}");
        assert!(backoff_seconds(u32::MAX, None, true, ChannelKind::Webhook) <= 8 * 3600 * 6 / 5);
    }

    #[test]
    fn a_retry_waits_as_long_as_the_server_asks() {
        let asked = backoff_seconds(1, Some(3600), false, ChannelKind::Mastodon);
        assert!((3600..=3960).contains(&asked), "{asked}");
        assert!(backoff_seconds(4, Some(1), false, ChannelKind::Mastodon) > 3000);
    }

    #[test]
    fn mastodon_is_retried_before_it_forgets_the_idempotency_key() {
        for attempt in 1..MAX_ATTEMPTS {
            assert!(backoff_seconds(attempt, Some(7200), true, ChannelKind::Mastodon) <= 45 * 60);
        }
    }
}
