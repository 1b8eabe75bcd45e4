//! On which days and at what time a schedule is due, in the time zone of its brand.

use std::{fmt, str::FromStr, time::Duration};

use jiff::{
    ToSpan,
    civil::{self, Date},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::Timestamp;

use crate::local_time::{at_local, to_local, zone_or_utc};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recurrence {
    pub day: RecurrenceDay,
    pub at: TimeOfDay,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecurrenceDay {
    Week(Weekday),
    /// 1 to 31. A month with fewer days has it on its last day.
    Month(u8),
}

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Every {
    Week,
    Month,
}

impl Every {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl Weekday {
    const ALL: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];

    /// 1 is Monday, 7 is Sunday.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    fn is_day_of(self, date: Date) -> bool {
        i8::try_from(self.number()).is_ok_and(|number| date.weekday().to_monday_one_offset() == number)
    }
}

/// Minutes since midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeOfDay(u16);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a time of day from 00:00 to 23:59, such as 09:00")]
pub struct InvalidTimeOfDay;

const MINUTES_PER_DAY: u16 = 24 * 60;

impl TimeOfDay {
    pub fn minutes(self) -> u16 {
        self.0
    }

    fn on(self, date: Date) -> civil::DateTime {
        let [hour, minute] = [self.0 / 60, self.0 % 60].map(|part| i8::try_from(part).unwrap_or(0));
        date.at(hour, minute, 0, 0)
    }
}

impl FromStr for TimeOfDay {
    type Err = InvalidTimeOfDay;

    fn from_str(text: &str) -> Result<Self, InvalidTimeOfDay> {
        let number = |text: &str, below: u16| -> Result<u16, InvalidTimeOfDay> {
            let is_plain = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse().ok().filter(|number| is_plain && *number < below);
            number.ok_or(InvalidTimeOfDay)
        };
        let (hour, minute) = text.split_once(':').ok_or(InvalidTimeOfDay)?;
        Ok(Self(number(hour, 24)? * 60 + number(minute, 60)?))
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl Recurrence {
    /// As it is stored: a weekday from 1 (Monday) to 7, or a day of the month.
    pub fn from_parts(every: Every, day: u8, minutes: u16) -> Option<Self> {
        let day = match every {
            Every::Week => RecurrenceDay::Week(Weekday::from_number(day)?),
            Every::Month => RecurrenceDay::Month(Some(day).filter(|day| (1..=31).contains(day))?),
        };
        Some(Self { day, at: TimeOfDay(Some(minutes).filter(|minutes| *minutes < MINUTES_PER_DAY)?) })
    }

    pub fn parts(self) -> (Every, u8, u16) {
        let (every, day) = match self.day {
            RecurrenceDay::Week(weekday) => (Every::Week, weekday.number()),
            RecurrenceDay::Month(day) => (Every::Month, day),
        };
        (every, day, self.at.minutes())
    }

    /// The first time after `after`. When the clocks change, a time that is missing on that day moves forward, and one that
    /// is repeated is the first of both.
    pub fn next_after(self, after: Timestamp, zone: &str) -> Timestamp {
        /// Two months and some days, so that each day of the month occurs.
        const MAX_DAYS: i64 = 70;
        let zone = zone_or_utc(zone);
        let today = to_local(after, &zone).date();
        // From yesterday on, because a time that has moved forward may be on the next day.
        let dates = (-1..MAX_DAYS).filter_map(|days| today.checked_add(days.days()).ok());
        let times =
            dates.filter(|date| self.includes(*date)).filter_map(|date| at_local(self.at.on(date), &zone));
        let found = times.into_iter().find(|time| *time > after);
        // Only at the end of the calendar.
        found.unwrap_or_else(|| after.plus(Duration::from_hours(7 * 24)))
    }

    /// The same day and time of day in another zone.
    pub fn in_other_zone(self, next: Timestamp, old: &str, new: &str) -> Timestamp {
        let date = to_local(next, &zone_or_utc(old)).date();
        at_local(self.at.on(date), &zone_or_utc(new)).unwrap_or(next)
    }

    fn includes(self, date: Date) -> bool {
        match self.day {
            RecurrenceDay::Week(weekday) => weekday.is_day_of(date),
            RecurrenceDay::Month(day) => {
                let last = date.days_in_month();
                i8::try_from(day).unwrap_or(last).min(last) == date.day()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BERLIN: &str = "Europe/Berlin";

    fn weekly(weekday: Weekday, at: &str) -> Recurrence {
        Recurrence { day: RecurrenceDay::Week(weekday), at: at.parse().unwrap() }
    }

    fn monthly(day: u8, at: &str) -> Recurrence {
        Recurrence { day: RecurrenceDay::Month(day), at: at.parse().unwrap() }
    }

    /// The next times, one after the other.
    fn times(recurrence: Recurrence, from: &str, zone: &str, count: usize) -> Vec<String> {
        let first = recurrence.next_after(from.parse().unwrap(), zone);
        let next = |time: &Timestamp| Some(recurrence.next_after(*time, zone));
        std::iter::successors(Some(first), next).take(count).map(|time| time.to_string()).collect()
    }

    /// 2026-11-15 is a Sunday.
    #[test]
    fn weekly_schedule_is_due_on_its_weekday() {
        let monday = weekly(Weekday::Monday, "09:00");
        assert_eq!(
            times(monday, "2026-11-15T12:00:00Z", "UTC", 2),
            ["2026-11-16T09:00:00.000Z", "2026-11-23T09:00:00.000Z"]
        );
        // Its own time is over, and the next one is a week later.
        assert_eq!(times(monday, "2026-11-16T09:00:00Z", "UTC", 1), ["2026-11-23T09:00:00.000Z"]);
        assert_eq!(times(monday, "2026-11-16T08:59:59.999Z", "UTC", 1), ["2026-11-16T09:00:00.000Z"]);
        assert_eq!(
            times(weekly(Weekday::Sunday, "00:00"), "2026-11-15T12:00:00Z", "UTC", 1),
            ["2026-11-22T00:00:00.000Z"]
        );
    }

    #[test]
    fn days_are_those_of_the_time_zone() {
        // It is already Monday in Auckland.
        assert_eq!(
            times(weekly(Weekday::Monday, "01:00"), "2026-11-15T11:30:00Z", "Pacific/Auckland", 1),
            ["2026-11-15T12:00:00.000Z"]
        );
        assert_eq!(
            times(weekly(Weekday::Sunday, "23:00"), "2026-11-16T02:00:00Z", "America/New_York", 1),
            ["2026-11-16T04:00:00.000Z"]
        );
    }

    /// Summer time in Berlin ends on 2027-10-31 and begins on 2027-03-28.
    #[test]
    fn time_of_day_stays_when_the_clocks_change() {
        assert_eq!(
            times(weekly(Weekday::Sunday, "09:00"), "2027-03-20T00:00:00Z", BERLIN, 3),
            ["2027-03-21T08:00:00.000Z", "2027-03-28T07:00:00.000Z", "2027-04-04T07:00:00.000Z"]
        );
        assert_eq!(
            times(weekly(Weekday::Sunday, "02:30"), "2027-03-20T00:00:00Z", BERLIN, 3),
            ["2027-03-21T01:30:00.000Z", "2027-03-28T01:30:00.000Z", "2027-04-04T00:30:00.000Z"],
            "02:30 does not exist on that day, and 03:30 is used"
        );
        assert_eq!(
            times(weekly(Weekday::Sunday, "02:30"), "2027-10-30T00:00:00Z", BERLIN, 2),
            ["2027-10-31T00:30:00.000Z", "2027-11-07T01:30:00.000Z"],
            "02:30 exists twice on that day, and only the first is used"
        );
    }

    #[test]
    fn month_without_the_day_has_its_last_day() {
        assert_eq!(
            times(monthly(31, "08:15"), "2027-01-15T00:00:00Z", "UTC", 4),
            [
                "2027-01-31T08:15:00.000Z",
                "2027-02-28T08:15:00.000Z",
                "2027-03-31T08:15:00.000Z",
                "2027-04-30T08:15:00.000Z"
            ]
        );
        assert_eq!(
            times(monthly(1, "00:00"), "2027-01-01T00:00:00Z", "UTC", 1),
            ["2027-02-01T00:00:00.000Z"]
        );
    }

    #[test]
    fn other_zone_keeps_the_day_and_the_time_of_day() {
        let monday = weekly(Weekday::Monday, "09:00");
        let next = "2026-11-16T09:00:00Z".parse().unwrap();
        let moved = monday.in_other_zone(next, "UTC", "Asia/Tokyo");
        assert_eq!(moved.to_string(), "2026-11-16T00:00:00.000Z");
        assert_eq!(monday.in_other_zone(moved, "Asia/Tokyo", "UTC"), next);
    }

    #[test]
    fn parts_are_those_of_the_recurrence() {
        for recurrence in
            [weekly(Weekday::Monday, "00:00"), weekly(Weekday::Sunday, "23:59"), monthly(31, "12:30")]
        {
            let (every, day, minutes) = recurrence.parts();
            assert_eq!(Recurrence::from_parts(every, day, minutes), Some(recurrence));
        }
        for (every, day, minutes) in [(Every::Week, 0, 0), (Every::Week, 8, 0), (Every::Month, 0, 0)] {
            assert_eq!(Recurrence::from_parts(every, day, minutes), None);
        }
        assert_eq!(Recurrence::from_parts(Every::Month, 32, 0), None);
        assert_eq!(Recurrence::from_parts(Every::Month, 1, 1440), None);
    }

    #[test]
    fn time_of_day_has_two_digits_each() {
        assert_eq!("09:05".parse::<TimeOfDay>().unwrap().to_string(), "09:05");
        for text in ["", "9:00", "09:0", "24:00", "09:60", "09:00:00", "+9:00", "nine"] {
            assert_eq!(text.parse::<TimeOfDay>(), Err(InvalidTimeOfDay), "{text}");
        }
    }
}
