//! Time: stored as milliseconds since 1970 UTC, written as RFC 3339.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize, Serializer};

/// The source of time. The service reads the machine's clock; tests advance theirs by hand.
pub trait Clock: fmt::Debug + Send + Sync + 'static {
    fn now(&self) -> Timestamp;

    /// A monotonic clock, for durations.
    fn ticks(&self) -> Ticks;

    fn both(&self) -> (Timestamp, Ticks) {
        (self.now(), self.ticks())
    }
}

/// A point on a monotonic clock, in microseconds. Only differences have a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticks(pub u64);

impl Ticks {
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }
}

const MILLIS_PER_HOUR: i64 = 60 * 60 * 1000;
const MILLIS_PER_DAY: i64 = 24 * 60 * 60 * 1000;

/// A point in time in UTC, with millisecond precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Timestamp(i64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a time in RFC 3339 with its zone, such as 2027-01-31T09:00:00Z")]
pub struct InvalidTime;

impl Timestamp {
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    pub const fn millis(self) -> i64 {
        self.0
    }

    #[must_use]
    pub fn plus(self, span: Duration) -> Self {
        let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(span))
    }

    #[must_use]
    pub fn minus(self, span: Duration) -> Self {
        let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        Self(self.0.saturating_sub(span))
    }

    /// The start of the next day in UTC.
    #[must_use]
    pub const fn next_midnight(self) -> Self {
        Self((self.0.div_euclid(MILLIS_PER_DAY) + 1) * MILLIS_PER_DAY)
    }

    /// The start of the next hour.
    #[must_use]
    pub const fn next_hour(self) -> Self {
        Self((self.0.div_euclid(MILLIS_PER_HOUR) + 1) * MILLIS_PER_HOUR)
    }

    /// The hour in UTC, as `2026-11-15T09`.
    pub fn hour(self) -> String {
        let mut text = self.to_string();
        text.truncate(13);
        text
    }

    /// The day in UTC, as `2026-11-15`.
    pub fn day(self) -> String {
        let mut text = self.to_string();
        text.truncate(10);
        text
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment:.3}"),
            Err(_) => write!(f, "{}ms", self.0),
        }
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTime;

    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        text.parse::<jiff::Timestamp>().map(|moment| Self(moment.as_millisecond())).map_err(|_| InvalidTime)
    }
}

impl TryFrom<String> for Timestamp {
    type Error = InvalidTime;

    fn try_from(text: String) -> Result<Self, InvalidTime> {
        text.parse()
    }
}

impl From<Timestamp> for String {
    fn from(moment: Timestamp) -> Self {
        moment.to_string()
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_written_in_utc_with_milliseconds() {
        let moment: Timestamp = "2026-11-15T10:00:00+02:00".parse().expect("valid");
        assert_eq!(moment.to_string(), "2026-11-15T08:00:00.000Z");
        assert_eq!(moment.day(), "2026-11-15");
    }

    #[test]
    fn next_midnight_is_always_later() {
        for (from, midnight) in [
            ("2026-11-15T00:00:00Z", "2026-11-16T00:00:00.000Z"),
            ("2026-11-15T23:59:59.999Z", "2026-11-16T00:00:00.000Z"),
            ("1969-12-31T12:00:00Z", "1970-01-01T00:00:00.000Z"),
        ] {
            let moment: Timestamp = from.parse().expect("valid");
            assert_eq!(moment.next_midnight().to_string(), midnight);
        }
    }

    #[test]
    fn time_without_zone_is_invalid() {
        assert_eq!("2026-11-15T10:00:00".parse::<Timestamp>(), Err(InvalidTime));
        assert_eq!("tomorrow".parse::<Timestamp>(), Err(InvalidTime));
    }
}
