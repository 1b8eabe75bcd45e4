//! The days that a report covers, in UTC.

use std::{fmt, str::FromStr};

use jiff::{ToSpan, civil::Date};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use svc_mcp_access::Timestamp;

/// A period as a model names it. The days depend on the current date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Period {
    Last7Days,
    Last30Days,
    ThisMonth,
    LastMonth,
    Days(DateRange),
}

/// Consecutive days, the first and the last included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DateRange {
    first: Date,
    last: Date,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PeriodError {
    #[error(
        "must be last_7_days, last_30_days, this_month, last_month, or two days such as 2026-10-01/2026-10-31"
    )]
    Form,
    #[error("must not end before it begins")]
    Backwards,
    #[error("must be at most {MAX_DAYS} days")]
    TooLong,
    #[error("must begin in 2000 or later, and end before 2100")]
    TooFar,
}

const MAX_DAYS: i32 = 366;
const NAMES: [(&str, Period); 4] = [
    ("last_7_days", Period::Last7Days),
    ("last_30_days", Period::Last30Days),
    ("this_month", Period::ThisMonth),
    ("last_month", Period::LastMonth),
];

impl Period {
    /// The days of the period, and the days it is compared with: the same number of days before it, or the previous month
    /// if the period is a whole month.
    pub fn ranges(self, now: Timestamp) -> (DateRange, DateRange) {
        let today: Date = now.day().parse().unwrap_or(Date::ZERO);
        let up_to_today = |days: i64| DateRange { first: days_before(today, days - 1), last: today };
        let range = match self {
            Self::Last7Days => up_to_today(7),
            Self::Last30Days => up_to_today(30),
            Self::ThisMonth => DateRange { first: today.first_of_month(), last: today },
            Self::LastMonth => month_before(today.first_of_month()),
            Self::Days(range) => range,
        };
        (range, range.preceding())
    }
}

impl DateRange {
    fn new(first: Date, last: Date) -> Result<Self, PeriodError> {
        if last < first {
            return Err(PeriodError::Backwards);
        }
        if first.year() < 2000 || last.year() >= 2100 {
            return Err(PeriodError::TooFar);
        }
        let span = Self { first, last };
        if span.days() > MAX_DAYS { Err(PeriodError::TooLong) } else { Ok(span) }
    }

    pub fn days(&self) -> i32 {
        self.last.since(self.first).map_or(0, |span| span.get_days()) + 1
    }

    /// The first moment of the range.
    pub fn from(&self) -> Timestamp {
        midnight(self.first)
    }

    /// The first moment after the range.
    pub fn to(&self) -> Timestamp {
        midnight(days_after(self.last, 1))
    }

    /// The first and the last day, such as `2026-11-09`.
    pub fn first_and_last(&self) -> (String, String) {
        (self.first.to_string(), self.last.to_string())
    }

    fn preceding(self) -> Self {
        if self.is_month() {
            return month_before(self.first);
        }
        let days = i64::from(self.days());
        Self { first: days_before(self.first, days), last: days_before(self.first, 1) }
    }

    fn is_month(self) -> bool {
        self.first == self.first.first_of_month() && self.last == self.first.last_of_month()
    }

    /// For a heading: `9–15 November 2026`, `October 2026`.
    pub fn heading(&self) -> String {
        let (first, last) = (self.first, self.last);
        let name = |day: Date, form: &str| day.strftime(form).to_string();
        if self.is_month() {
            name(first, "%B %Y")
        } else if first == last {
            name(first, "%-d %B %Y")
        } else if first.first_of_month() == last.first_of_month() {
            format!("{}–{}", first.day(), name(last, "%-d %B %Y"))
        } else if first.year() == last.year() {
            format!("{} – {}", name(first, "%-d %B"), name(last, "%-d %B %Y"))
        } else {
            format!("{} – {}", name(first, "%-d %B %Y"), name(last, "%-d %B %Y"))
        }
    }
}

/// `9 November`.
pub(super) fn day_and_month(at: Timestamp) -> String {
    at.day().parse::<Date>().map_or_else(|_| at.day(), |day| day.strftime("%-d %B").to_string())
}

fn days_before(day: Date, days: i64) -> Date {
    day.saturating_sub(days.days())
}

fn days_after(day: Date, days: i64) -> Date {
    day.saturating_add(days.days())
}

fn month_before(first: Date) -> DateRange {
    let last = days_before(first, 1);
    DateRange { first: last.first_of_month(), last }
}

fn midnight(day: Date) -> Timestamp {
    format!("{day}T00:00:00Z").parse().unwrap_or(Timestamp::from_millis(0))
}

impl FromStr for Period {
    type Err = PeriodError;

    fn from_str(text: &str) -> Result<Self, PeriodError> {
        match NAMES.iter().find(|(name, _)| *name == text) {
            Some((_, period)) => Ok(*period),
            None => text.parse().map(Self::Days),
        }
    }
}

impl FromStr for DateRange {
    type Err = PeriodError;

    fn from_str(text: &str) -> Result<Self, PeriodError> {
        let day = |text: &str| -> Result<Date, PeriodError> {
            let plain = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
            text.parse().ok().filter(|_| plain).ok_or(PeriodError::Form)
        };
        let (first, last) = text.split_once('/').ok_or(PeriodError::Form)?;
        Self::new(day(first)?, day(last)?)
    }
}

impl TryFrom<String> for Period {
    type Error = PeriodError;

    fn try_from(text: String) -> Result<Self, PeriodError> {
        text.parse()
    }
}

impl TryFrom<String> for DateRange {
    type Error = PeriodError;

    fn try_from(text: String) -> Result<Self, PeriodError> {
        text.parse()
    }
}

impl fmt::Display for DateRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.last)
    }
}

impl From<DateRange> for String {
    fn from(span: DateRange) -> Self {
        span.to_string()
    }
}

impl JsonSchema for Period {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Period".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = NAMES.map(|(name, _)| name).join("|");
        json_schema!({
            "type": "string",
            "pattern": format!("^({names}|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}/[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})$"),
            "examples": ["last_7_days", "last_30_days", "this_month", "last_month", "2026-10-01/2026-10-31"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Sunday.
    fn now() -> Timestamp {
        "2026-11-15T23:59:59.999Z".parse().unwrap()
    }

    fn spans(period: &str) -> (String, String) {
        let (span, before) = period.parse::<Period>().unwrap().ranges(now());
        (span.to_string(), before.to_string())
    }

    #[test]
    fn a_period_is_compared_with_the_one_before() {
        for (period, span, before) in [
            ("last_7_days", "2026-11-09/2026-11-15", "2026-11-02/2026-11-08"),
            ("last_30_days", "2026-10-17/2026-11-15", "2026-09-17/2026-10-16"),
            ("this_month", "2026-11-01/2026-11-15", "2026-10-17/2026-10-31"),
            ("last_month", "2026-10-01/2026-10-31", "2026-09-01/2026-09-30"),
            ("2026-02-01/2026-02-28", "2026-02-01/2026-02-28", "2026-01-01/2026-01-31"),
            ("2026-03-10/2026-03-10", "2026-03-10/2026-03-10", "2026-03-09/2026-03-09"),
            ("2024-02-28/2024-03-01", "2024-02-28/2024-03-01", "2024-02-25/2024-02-27"),
        ] {
            assert_eq!(spans(period), (span.to_owned(), before.to_owned()), "{period}");
        }
    }

    #[test]
    fn a_range_includes_its_first_and_last_day() {
        let span: DateRange = "2026-11-14/2026-11-15".parse().unwrap();
        assert_eq!(span.from().to_string(), "2026-11-14T00:00:00.000Z");
        assert_eq!(span.to().to_string(), "2026-11-16T00:00:00.000Z");
        assert_eq!(span.days(), 2);
    }

    #[test]
    fn invalid_periods_are_rejected_with_the_reason() {
        for (text, error) in [
            ("yesterday", PeriodError::Form),
            ("2026-13-01/2026-13-02", PeriodError::Form),
            ("2026-02-30/2026-03-02", PeriodError::Form),
            ("2026-2-3/2026-02-04", PeriodError::Form),
            ("2026-02-03", PeriodError::Form),
            ("2026-02-03/2026-02-02", PeriodError::Backwards),
            ("2025-01-01/2026-01-02", PeriodError::TooLong),
            ("1999-12-31/2000-01-02", PeriodError::TooFar),
            ("2099-12-31/2100-01-01", PeriodError::TooFar),
        ] {
            assert_eq!(text.parse::<Period>(), Err(error), "{text}");
        }
    }

    #[test]
    fn headings_are_as_short_as_possible() {
        for (range, heading) in [
            ("2026-11-09/2026-11-15", "9–15 November 2026"),
            ("2026-10-01/2026-10-31", "October 2026"),
            ("2026-10-28/2026-11-03", "28 October – 3 November 2026"),
            ("2025-12-28/2026-01-03", "28 December 2025 – 3 January 2026"),
            ("2026-11-15/2026-11-15", "15 November 2026"),
        ] {
            assert_eq!(range.parse::<DateRange>().unwrap().heading(), heading);
        }
    }
}
