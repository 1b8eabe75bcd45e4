//! Jobs whose key may not act any more, or not for now.

use std::time::Duration;

use svc_mcp_access::{Timestamp, decision::Denial};

use super::{
    job::{Job, JobKind},
    records::JobOutcome,
};

/// How long a held job waits before the decision is asked again. Resuming a key makes its jobs due at once.
const HOLD_INTERVAL: Duration = Duration::from_mins(5);
/// A job that is still held this long after it was due is cancelled.
pub const MAX_HOLD: Duration = Duration::from_hours(24);

/// What becomes of a job after a denial.
pub(super) fn outcome_of(denial: Denial, job: &Job, now: Timestamp) -> JobOutcome {
    // A schedule goes on whenever its key may act again.
    let may_wait = job.kind == JobKind::Schedule || now <= job.first_due.plus(MAX_HOLD);
    if denial.is_temporary() && may_wait {
        JobOutcome::Held { due: now.plus(HOLD_INTERVAL), denial }
    } else {
        JobOutcome::Cancelled { denial }
    }
}

/// Why queued work was cancelled, as people and agents read it.
pub fn cancel_reason(denial: &Denial) -> &'static str {
    match denial {
        Denial::OwnerRemoved => {
            "Cancelled: the person who created the key that ordered this was removed from the brand."
        }
        Denial::KeyPaused => {
            "Cancelled: the key that ordered this was still paused 24 hours after this was due."
        }
        Denial::BrandSuspended => "Cancelled: the brand was still suspended 24 hours after this was due.",
        Denial::McpInactive => {
            "Cancelled: MCP was still not active on the brand's plan 24 hours after this was due."
        }
        _ => "Cancelled: the key that ordered this was revoked.",
    }
}

#[cfg(test)]
mod tests {
    use svc_mcp_access::decision::KeyError;

    use super::*;

    const DUE: Timestamp = Timestamp::from_millis(1_794_700_800_000);

    fn job() -> Job {
        Job {
            job_id: "job_1".into(),
            brand_id: "acme".parse().expect("an id"),
            kind: JobKind::Publish,
            subject: "post_1/feed".into(),
            key_id: Some("key_1".parse().expect("an id")),
            first_due: DUE,
            attempt: 1,
            traceparent: None,
            lease: "lease_1".into(),
        }
    }

    #[test]
    fn temporary_denial_holds_a_job_for_24_hours() {
        for denial in [Denial::KeyPaused, Denial::BrandSuspended, Denial::McpInactive] {
            for (hours, held) in [(0, true), (1, true), (24, true), (25, false)] {
                let outcome = outcome_of(denial.clone(), &job(), DUE.plus(Duration::from_hours(hours)));
                let is_held = matches!(outcome, JobOutcome::Held { .. });
                assert_eq!(is_held, held, "{denial:?} after {hours} hours");
            }
            let late = DUE.plus(MAX_HOLD).plus(Duration::from_millis(1));
            assert_eq!(outcome_of(denial.clone(), &job(), late), JobOutcome::Cancelled { denial });
        }
    }

    #[test]
    fn schedule_is_held_without_a_limit() {
        let schedule = Job { kind: JobKind::Schedule, ..job() };
        let late = DUE.plus(MAX_HOLD * 100);
        for denial in [Denial::KeyPaused, Denial::BrandSuspended, Denial::McpInactive] {
            assert!(matches!(outcome_of(denial, &schedule, late), JobOutcome::Held { .. }));
        }
    }

    #[test]
    fn lasting_denial_cancels_a_job() {
        for kind in [JobKind::Publish, JobKind::Schedule] {
            for denial in [Denial::KeyInvalid(KeyError::Revoked), Denial::OwnerRemoved] {
                let job = Job { kind, ..job() };
                assert_eq!(outcome_of(denial.clone(), &job, DUE), JobOutcome::Cancelled { denial });
            }
        }
    }
}
