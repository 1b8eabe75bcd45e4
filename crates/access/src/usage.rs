//! Usage of a key: its requests, counted in memory until the store writes them.

use std::{mem, str::FromStr};

use crate::{local_state::LocalState, time::Timestamp};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Ok,
    /// The request was admitted and then failed.
    Error,
    Denied,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Denied => "denied",
        }
    }
}

impl FromStr for Outcome {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Ok, Self::Error, Self::Denied].into_iter().find(|outcome| outcome.as_str() == text).ok_or(())
    }
}

/// What usage is grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsageGroup {
    pub tool: &'static str,
    pub minute: u32,
    pub outcome: Outcome,
    pub latency_bucket: u8,
}

/// The requests of one group.
#[derive(Debug, Clone, Copy)]
pub struct UsageCount {
    pub requests: u32,
    /// The highest number of requests in the key's window.
    pub peak: u8,
    pub last_used: Timestamp,
}

/// The usage of one key that is not written yet. It is part of [`KeyState`](crate::decision::KeyState), so that
/// counting a request touches no other memory. A key without unwritten usage allocates nothing here.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UsageCounter(LocalState<Vec<(UsageGroup, UsageCount)>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// The group was there already.
    Updated,
    Inserted,
    /// The first group since the last `take`. The caller must queue the key for writing.
    InsertedFirst,
    /// `has_capacity` refused a new group. The request is not counted.
    Full,
}

impl UsageCounter {
    pub fn add(
        &self,
        group: UsageGroup,
        in_window: u8,
        at: Timestamp,
        has_capacity: impl FnOnce() -> bool,
    ) -> Added {
        let mut groups = self.0.lock();
        if let Some((_, count)) = groups.iter_mut().rev().find(|(known, _)| *known == group) {
            count.requests = count.requests.saturating_add(1);
            count.peak = count.peak.max(in_window);
            count.last_used = count.last_used.max(at);
            return Added::Updated;
        }
        if !has_capacity() {
            return Added::Full;
        }
        if groups.capacity() == 0 {
            // Most keys have one group. `push` alone would allocate four.
            groups.reserve_exact(1);
        }
        groups.push((group, UsageCount { requests: 1, peak: in_window, last_used: at }));
        if groups.len() == 1 { Added::InsertedFirst } else { Added::Inserted }
    }

    pub fn take(&self) -> Vec<(UsageGroup, UsageCount)> {
        mem::take(&mut *self.0.lock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_requests_are_counted_in_one_group() {
        let usage = UsageCounter::default();
        let group = UsageGroup { tool: "get_post", minute: 7, outcome: Outcome::Ok, latency_bucket: 3 };
        let add = |group, in_window, at, has_capacity| {
            usage.add(group, in_window, Timestamp::from_millis(at), || has_capacity)
        };
        assert_eq!(add(group, 2, 50, true), Added::InsertedFirst);
        assert_eq!(add(group, 9, 40, false), Added::Updated);
        for other in [
            UsageGroup { tool: "", ..group },
            UsageGroup { minute: 8, ..group },
            UsageGroup { outcome: Outcome::Denied, ..group },
            UsageGroup { latency_bucket: 4, ..group },
        ] {
            assert_eq!(add(other, 1, 60, false), Added::Full);
            assert_eq!(add(other, 1, 60, true), Added::Inserted);
        }
        let taken = usage.take();
        assert_eq!(taken.len(), 5);
        let (first, UsageCount { requests, peak, last_used }) = taken[0];
        assert_eq!((first, requests, peak, last_used), (group, 2, 9, Timestamp::from_millis(50)));
        assert!(usage.take().is_empty());
        assert_eq!(add(group, 1, 70, true), Added::InsertedFirst, "after `take` it starts again");
    }

    #[test]
    fn outcome_is_parsed_from_its_own_text() {
        for outcome in [Outcome::Ok, Outcome::Error, Outcome::Denied] {
            assert_eq!(outcome.as_str().parse(), Ok(outcome));
        }
        assert_eq!("OK".parse::<Outcome>(), Err(()));
    }
}
