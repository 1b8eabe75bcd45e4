//! What a key's requests came to, counted beside what is known of the key until somebody writes it down.

use std::{mem, str::FromStr};

use crate::{beside::Beside, time::Timestamp};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Ok,
    /// It was allowed, and failed.
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

/// Requests of one key that differ in nothing the usage tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    pub tool: &'static str,
    pub minute: u32,
    pub outcome: Outcome,
    /// Of their latency.
    pub bucket: u8,
}

#[derive(Debug, Clone, Copy)]
pub struct Counted {
    pub requests: u32,
    /// The fullest the key's window was.
    pub most: u8,
    pub last: Timestamp,
}

/// Kept with a key's standing: whoever has just looked at the one has the other at hand, and counting touches no
/// memory beyond it. A key that waits for nothing to be written has room for no line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally(Beside<Vec<(Line, Counted)>>);

/// Where a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    ToALine,
    AsANewLine,
    /// As the first line since the last ones were taken: somebody has to come for it.
    AsTheFirstLine,
    /// There was no room for a new line.
    Nowhere,
}

impl Tally {
    pub fn add(&self, line: Line, most: u8, at: Timestamp, has_room: impl FnOnce() -> bool) -> Added {
        let mut lines = self.0.lock();
        if let Some((_, counted)) = lines.iter_mut().rev().find(|(known, _)| *known == line) {
            counted.requests = counted.requests.saturating_add(1);
            counted.most = counted.most.max(most);
            counted.last = counted.last.max(at);
            return Added::ToALine;
        }
        if !has_room() {
            return Added::Nowhere;
        }
        if lines.capacity() == 0 {
            // Most keys have one: it is not given room for four.
            lines.reserve_exact(1);
        }
        lines.push((line, Counted { requests: 1, most, last: at }));
        if lines.len() == 1 { Added::AsTheFirstLine } else { Added::AsANewLine }
    }

    pub fn take(&self) -> Vec<(Line, Counted)> {
        mem::take(&mut *self.0.lock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_requests_share_a_line() {
        let tally = Tally::default();
        let line = Line { tool: "get_post", minute: 7, outcome: Outcome::Ok, bucket: 3 };
        let add = |line, most, at, room| tally.add(line, most, Timestamp::from_millis(at), || room);
        assert_eq!(add(line, 2, 50, true), Added::AsTheFirstLine);
        assert_eq!(add(line, 9, 40, false), Added::ToALine);
        for other in [
            Line { tool: "", ..line },
            Line { minute: 8, ..line },
            Line { outcome: Outcome::Denied, ..line },
            Line { bucket: 4, ..line },
        ] {
            assert_eq!(add(other, 1, 60, false), Added::Nowhere);
            assert_eq!(add(other, 1, 60, true), Added::AsANewLine);
        }
        let taken = tally.take();
        assert_eq!(taken.len(), 5);
        let (first, Counted { requests, most, last }) = taken[0];
        assert_eq!((first, requests, most, last), (line, 2, 9, Timestamp::from_millis(50)));
        assert!(tally.take().is_empty());
        assert_eq!(add(line, 1, 70, true), Added::AsTheFirstLine, "and so on anew");
    }

    #[test]
    fn outcomes_are_read_as_they_are_written() {
        for outcome in [Outcome::Ok, Outcome::Error, Outcome::Denied] {
            assert_eq!(outcome.as_str().parse(), Ok(outcome));
        }
        assert_eq!("OK".parse::<Outcome>(), Err(()));
    }
}
