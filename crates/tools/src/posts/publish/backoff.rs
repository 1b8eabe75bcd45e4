//! How long a target waits before the next try.

use std::time::Duration;

use rand::{CryptoRng, RngExt};

use crate::posts::ChannelKind;

/// How often handing over is tried in all. With the pauses below that is about a day.
pub(super) const MOST_ATTEMPTS: u32 = 8;

const FIRST: Duration = Duration::from_mins(1);
const LONGEST: Duration = Duration::from_hours(8);
/// Mastodon keeps an `Idempotency-Key` for an hour. Whoever may have published already comes back within that time.
const WITHIN_MASTODONS_MEMORY: Duration = Duration::from_mins(45);

/// The pause after the attempt of this number: 1, 4, 16 minutes and so on, give or take a fifth, so that what failed
/// together does not come back together.
pub(super) fn pause(
    attempt: u32,
    asked_for: Option<Duration>,
    unsure: bool,
    kind: ChannelKind,
    random: &mut impl CryptoRng,
) -> Duration {
    let grown = FIRST.saturating_mul(4_u32.saturating_pow(attempt.saturating_sub(1))).min(LONGEST);
    let spread = grown.mul_f64(random.random_range(0.8..1.2));
    // Not before the other side wants to hear of it again; a little later, for the same reason.
    let pause = asked_for.map_or(spread, |wait| spread.max(wait.mul_f64(random.random_range(1.0..1.1))));
    if unsure && kind == ChannelKind::Mastodon { pause.min(WITHIN_MASTODONS_MEMORY) } else { pause }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    fn paused(attempt: u32, asked_for: Option<u64>, unsure: bool, kind: ChannelKind) -> u64 {
        let asked_for = asked_for.map(Duration::from_secs);
        pause(attempt, asked_for, unsure, kind, &mut StdRng::seed_from_u64(u64::from(attempt))).as_secs()
    }

    #[test]
    fn pauses_grow_to_about_a_day_in_all() {
        let pauses: Vec<u64> =
            (1..MOST_ATTEMPTS).map(|attempt| paused(attempt, None, true, ChannelKind::Bluesky)).collect();
        for (pause, minutes) in pauses.iter().zip([1, 4, 16, 64, 256, 480, 480]) {
            assert!((minutes * 48..=minutes * 72).contains(pause), "{pauses:?}");
        }
        assert!((15 * 3600..=27 * 3600).contains(&pauses.iter().sum::<u64>()), "{pauses:?}");
        assert!(paused(u32::MAX, None, true, ChannelKind::Webhook) <= 8 * 3600 * 6 / 5);
    }

    #[test]
    fn nobody_is_asked_before_they_want_to_be() {
        let asked = paused(1, Some(3600), false, ChannelKind::Mastodon);
        assert!((3600..=3960).contains(&asked), "{asked}");
        assert!(paused(4, Some(1), false, ChannelKind::Mastodon) > 3000);
    }

    #[test]
    fn a_doubt_is_settled_while_mastodon_remembers() {
        for attempt in 1..MOST_ATTEMPTS {
            assert!(paused(attempt, Some(7200), true, ChannelKind::Mastodon) <= 45 * 60);
        }
    }
}
