use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Schedule, ScheduleKind,
    recurrence::{Every, RecurrenceDay, Weekday},
};
use crate::local_time::format_local;

/// A schedule as tools and people see it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Schedule")]
pub struct ScheduleView {
    pub schedule_id: String,
    pub kind: ScheduleKind,
    pub every: Every,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weekday: Option<Weekday>,
    /// The day of the month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<u8>,
    /// The time of day in `time_zone`.
    pub at: String,
    /// The brand's time zone.
    pub time_zone: String,
    /// When it runs next, in `time_zone`.
    pub next_at: String,
    pub created_at: String,
    /// The key that made it. Absent: a person did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run_at: Option<String>,
    /// The audit or report that the last run started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_id: Option<String>,
    /// Why the last run started nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_failure: Option<String>,
}

impl ScheduleView {
    pub fn new(schedule: Schedule, time_zone: &str) -> Self {
        let (every, ..) = schedule.recurrence.parts();
        let (weekday, day) = match schedule.recurrence.day {
            RecurrenceDay::Week(weekday) => (Some(weekday), None),
            RecurrenceDay::Month(day) => (None, Some(day)),
        };
        let last_run_at = schedule.last_run.as_ref().map(|run| run.at.to_string());
        let (last_id, last_failure) = match schedule.last_run.map(|run| run.result) {
            Some(Ok(id)) => (Some(id), None),
            Some(Err(reason)) => (None, Some(reason)),
            None => (None, None),
        };
        Self {
            schedule_id: schedule.schedule_id,
            kind: schedule.kind,
            every,
            weekday,
            day,
            at: schedule.recurrence.at.to_string(),
            time_zone: time_zone.to_owned(),
            next_at: format_local(schedule.next_at, time_zone),
            created_at: schedule.created_at.to_string(),
            key_id: schedule.key_id.map(|key| key.to_string()),
            last_run_at,
            last_id,
            last_failure,
        }
    }
}
