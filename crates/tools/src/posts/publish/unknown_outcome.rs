//! Attempts whose outcome is unknown: the request was sent, and its answer was lost. Webhook receivers and Bluesky recognize
//! a repetition for ever. Mastodon forgets an `Idempotency-Key` after an hour, so a later repetition could publish the post
//! twice.

use std::time::Duration;

use svc_mcp_access::Timestamp;

use crate::{
    jobs::JobError,
    posts::{ChannelKind, Target},
};

/// An attempt may start this long after the first one with an unknown outcome. It uploads pictures before it publishes,
/// so some minutes of Mastodon's hour are left for that.
const REPETITION_WINDOW: Duration = Duration::from_mins(55);
/// The last repetition is planned this long after the first attempt, so that a busy queue does not make it too late.
const PLANNED_WINDOW: Duration = Duration::from_mins(45);
const MIN_DELAY: Duration = Duration::from_mins(1);

/// What is known about the attempts of a target on a channel that forgets repetitions. On other channels, nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnknownOutcome {
    /// The start of the first attempt with an unknown outcome.
    since: Option<Timestamp>,
    /// The start of this attempt. `None`: the channel recognizes a repetition for ever.
    now: Option<Timestamp>,
}

impl UnknownOutcome {
    pub(super) fn before_attempt(target: Option<&Target>, kind: ChannelKind, now: Timestamp) -> Self {
        if kind == ChannelKind::Mastodon {
            Self { since: target.and_then(|target| target.unknown_since), now: Some(now) }
        } else {
            Self { since: None, now: None }
        }
    }

    /// Fails if it is too late for another attempt.
    pub(super) fn check_repetition(self) -> Result<(), JobError> {
        match (self.since, self.now) {
            (Some(since), Some(now)) if now >= since.plus(REPETITION_WINDOW) => Err(too_late()),
            _ => Ok(()),
        }
    }

    /// What is stored before the attempt, in case that its worker dies.
    pub(super) fn during_attempt(self) -> Option<Timestamp> {
        self.since.or(self.now)
    }

    pub(super) fn after_attempt(self, maybe_published: bool) -> Self {
        if maybe_published { Self { since: self.during_attempt(), ..self } } else { self }
    }

    pub(super) fn since(self) -> Option<Timestamp> {
        self.since
    }

    /// Whether what [`during_attempt`](Self::during_attempt) stored is to be removed: no attempt has published the post.
    pub(super) fn is_settled(self) -> bool {
        self.since.is_none() && self.now.is_some()
    }

    /// The delay before the next attempt: the given one, or a shorter one that is still in time.
    pub(super) fn delay_of_repetition(self, delay: Duration, now: Timestamp) -> Result<Duration, JobError> {
        let Some(since) = self.since else { return Ok(delay) };
        let delay = delay.min(until(since.plus(PLANNED_WINDOW), now).max(MIN_DELAY));
        if delay < until(since.plus(REPETITION_WINDOW), now) { Ok(delay) } else { Err(too_late()) }
    }
}

fn until(end: Timestamp, now: Timestamp) -> Duration {
    u64::try_from(end.millis() - now.millis()).map_or(Duration::ZERO, Duration::from_millis)
}

fn too_late() -> JobError {
    JobError::Failed(
        "The answer of the Mastodon server was lost, and now it is too late to repeat the request safely."
            .into(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);

    fn minutes(minutes: u64) -> Duration {
        Duration::from_mins(minutes)
    }

    fn unknown_since(since: Option<Timestamp>, now: Timestamp) -> UnknownOutcome {
        UnknownOutcome { since, now: Some(now) }
    }

    #[test]
    fn attempt_is_repeated_for_55_minutes() {
        for (after, allowed) in [(0, true), (54, true), (55, false), (56, false), (600, false)] {
            let unknown = unknown_since(Some(NOW), NOW.plus(minutes(after)));
            assert_eq!(unknown.check_repetition().is_ok(), allowed, "{after} minutes");
        }
        assert!(unknown_since(None, NOW.plus(minutes(600))).check_repetition().is_ok());
    }

    #[test]
    fn repetition_is_planned_before_it_is_too_late() {
        for (after, delay, planned) in [
            (0, 1, Some(1)),
            (0, 600, Some(45)),
            (44, 600, Some(1)),
            (50, 600, Some(1)),
            (53, 600, Some(1)),
            (54, 600, None),
            (54, 1, None),
            (100, 1, None),
        ] {
            let now = NOW.plus(minutes(after));
            let unknown = unknown_since(Some(NOW), now);
            let found = unknown.delay_of_repetition(minutes(delay), now).ok();
            assert_eq!(found, planned.map(minutes), "{after} and {delay} minutes");
        }
        let known = unknown_since(None, NOW).after_attempt(false);
        assert_eq!(known.delay_of_repetition(minutes(600), NOW).ok(), Some(minutes(600)));
    }

    #[test]
    fn first_unknown_attempt_counts() {
        let second = NOW.plus(minutes(10));
        assert_eq!(unknown_since(None, NOW).after_attempt(true).since(), Some(NOW));
        assert_eq!(unknown_since(None, NOW).after_attempt(false).since(), None);
        for maybe_published in [true, false] {
            assert_eq!(unknown_since(Some(NOW), second).after_attempt(maybe_published).since(), Some(NOW));
        }
    }

    #[test]
    fn other_channels_are_repeated_at_any_time() {
        let unknown = UnknownOutcome::before_attempt(None, ChannelKind::Webhook, NOW).after_attempt(true);
        assert!(unknown.check_repetition().is_ok() && unknown.during_attempt().is_none());
        assert_eq!(unknown.delay_of_repetition(minutes(600), NOW).ok(), Some(minutes(600)));
    }
}
