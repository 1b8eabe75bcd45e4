//! Times in the time zone of a brand.
//!
//! The zones are those of the bundled IANA database, so that they are the same on every machine.

use jiff::{
    civil::DateTime,
    tz::{TimeZone, TimeZoneDatabase},
};
use svc_mcp_access::Timestamp;

/// The message for a name that is not in the database.
pub const UNKNOWN_TIME_ZONE: &str = "must be a time zone of the IANA database, such as Europe/Berlin or UTC";

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be a time such as 2027-01-31T09:00 (in the brand's time zone), or with its own zone: 2027-01-31T09:00:00+01:00 \
     or 2027-01-31T09:00:00Z"
)]
pub struct InvalidTime;

/// The name as the database writes it. `None`: there is no such time zone.
pub fn canonical_name(zone: &str) -> Option<String> {
    let found = TimeZoneDatabase::bundled().get(zone).ok().filter(|found| !found.is_unknown())?;
    found.iana_name().map(str::to_owned)
}

/// A brand's zone is checked before it is stored. If a later version of the database does not have it any more, the
/// times are in UTC.
pub(crate) fn zone_or_utc(zone: &str) -> TimeZone {
    TimeZoneDatabase::bundled().get(zone).unwrap_or(TimeZone::UTC)
}

/// Reads a time in RFC 3339. A time without an offset, such as `2027-01-31T09:00`, is taken in `zone`.
///
/// When the clocks go forward, the times of the missing hour are taken as if they had not yet: 02:30 becomes 03:30. When
/// they go back, the times of the repeated hour are taken in its first pass.
pub fn parse(text: &str, zone: &str) -> Result<Timestamp, InvalidTime> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    // The parser takes a date alone as midnight, and ignores a zone in brackets.
    if !text.contains(['T', 't', ' ']) || text.contains('[') {
        return Err(InvalidTime);
    }
    let local: DateTime = text.parse().map_err(|_| InvalidTime)?;
    at_local(local, &zone_or_utc(zone)).ok_or(InvalidTime)
}

/// The moment of this local time. See [`parse`] for the hours that are missing or repeated.
pub(crate) fn at_local(local: DateTime, zone: &TimeZone) -> Option<Timestamp> {
    let moment = zone.to_timestamp(local).ok()?;
    Some(Timestamp::from_millis(moment.as_millisecond()))
}

/// The time as clocks in `zone` show it.
pub(crate) fn to_local(at: Timestamp, zone: &TimeZone) -> DateTime {
    zone.to_datetime(clamped(at))
}

/// The time in `zone` with its offset, to the second: `2026-11-15T10:00:00+01:00`.
pub fn format_local(at: Timestamp, zone: &str) -> String {
    let moment = clamped(at).to_zoned(zone_or_utc(zone));
    moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// A time outside the years that can be written becomes the first or the last one.
fn clamped(at: Timestamp) -> jiff::Timestamp {
    let end = if at.millis() < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
    jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BERLIN: &str = "Europe/Berlin";

    fn parsed(text: &str, zone: &str) -> String {
        parse(text, zone).map_or_else(|error| error.to_string(), |at| at.to_string())
    }

    #[test]
    fn time_with_an_offset_does_not_depend_on_the_zone() {
        for zone in ["UTC", BERLIN, "Asia/Tokyo"] {
            assert_eq!(parsed("2027-01-31T09:00:00+02:00", zone), "2027-01-31T07:00:00.000Z");
            assert_eq!(parsed("2027-01-31T09:00:00Z", zone), "2027-01-31T09:00:00.000Z");
        }
    }

    #[test]
    fn time_without_an_offset_is_taken_in_the_zone() {
        assert_eq!(parsed("2027-01-31T09:00", "UTC"), "2027-01-31T09:00:00.000Z");
        assert_eq!(parsed("2027-01-31T09:00", BERLIN), "2027-01-31T08:00:00.000Z");
        assert_eq!(parsed("2027-07-31T09:00:30", BERLIN), "2027-07-31T07:00:30.000Z", "summer time");
        assert_eq!(parsed("2027-01-31 09:00", "Asia/Kolkata"), "2027-01-31T03:30:00.000Z");
    }

    /// In Berlin, 2027-03-28 has no 02:30 and 2027-10-31 has it twice.
    #[test]
    fn missing_hour_moves_forward_and_repeated_hour_is_the_first() {
        assert_eq!(parsed("2027-03-28T02:30", BERLIN), "2027-03-28T01:30:00.000Z");
        assert_eq!(
            format_local("2027-03-28T01:30:00Z".parse().unwrap(), BERLIN),
            "2027-03-28T03:30:00+02:00"
        );
        assert_eq!(parsed("2027-10-31T02:30", BERLIN), "2027-10-31T00:30:00.000Z");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "tomorrow",
            "2027-01-31",
            "09:00",
            "2027-02-30T09:00",
            "2027-01-31T09:00[Asia/Tokyo]",
            "2027-01-31T25:00",
        ] {
            assert_eq!(parse(text, BERLIN), Err(InvalidTime), "{text}");
        }
    }

    #[test]
    fn local_time_is_written_with_its_offset() {
        let at = "2026-11-15T09:00:00.123Z".parse().unwrap();
        assert_eq!(format_local(at, BERLIN), "2026-11-15T10:00:00+01:00");
        assert_eq!(format_local(at, "UTC"), "2026-11-15T09:00:00+00:00");
        assert_eq!(format_local(at, "America/New_York"), "2026-11-15T04:00:00-05:00");
    }

    #[test]
    fn names_are_those_of_the_database() {
        assert_eq!(canonical_name("europe/berlin").as_deref(), Some(BERLIN));
        assert_eq!(canonical_name("utc").as_deref(), Some("UTC"));
        for unknown in ["", "Berlin", "Mars/Olympus", "CEST+1", "Etc/Unknown", "../etc/passwd"] {
            assert_eq!(canonical_name(unknown), None, "{unknown}");
        }
    }
}
