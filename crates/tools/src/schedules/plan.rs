//! Plans a new schedule, for an agent or for a person.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{BrandId, Fault, KeyId, Timestamp, UserId, id};

use super::{
    Recurrence, Schedule, ScheduleChange, ScheduleKind, ScheduleView,
    recurrence::{Every, RecurrenceDay, TimeOfDay, Weekday},
};
use crate::{
    Change,
    jobs::{JobKind, NewJob},
    page::MAX_LIMIT,
    records::Profile,
    report::{Recipient, mail_not_configured},
    tool::{ToolContext, ToolError},
};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSchedule {
    /// `audit`: audit the brand's whole site. `report`: mail the report of the past week or month to all confirmed recipients.
    pub kind: ScheduleKind,
    pub every: Every,
    /// Required with `every: week`.
    pub weekday: Option<Weekday>,
    /// The day of the month, required with `every: month`. A month with fewer days has it on its last day.
    #[schemars(range(min = 1, max = 31))]
    pub day: Option<u8>,
    /// The time of day in the brand's time zone, such as `09:00`.
    #[schemars(length(max = 20), extend("format" = "time-of-day"))]
    pub at: String,
}

impl NewSchedule {
    /// Faults that the schema cannot express.
    pub fn faults(&self) -> Vec<Fault> {
        self.recurrence().err().unwrap_or_default()
    }

    fn recurrence(&self) -> Result<Recurrence, Vec<Fault>> {
        let mut faults = Vec::new();
        let at = self.at.parse::<TimeOfDay>().map_err(|error| faults.push(Fault::new("at", error)));
        let day = match (self.every, self.weekday, self.day) {
            (Every::Week, Some(weekday), None) => Some(RecurrenceDay::Week(weekday)),
            (Every::Month, None, Some(day)) => Some(RecurrenceDay::Month(day)),
            (Every::Week, weekday, day) => {
                if weekday.is_none() {
                    faults.push(Fault::new("weekday", "is required with `every: week`, such as `monday`"));
                }
                if day.is_some() {
                    faults.push(Fault::new("day", "cannot be used with `every: week`; use `weekday`"));
                }
                None
            }
            (Every::Month, weekday, day) => {
                if day.is_none() {
                    faults.push(Fault::new("day", "is required with `every: month`, 1 to 31"));
                }
                if weekday.is_some() {
                    faults.push(Fault::new("weekday", "cannot be used with `every: month`; use `day`"));
                }
                None
            }
        };
        match (at, day) {
            (Ok(at), Some(day)) => Ok(Recurrence { day, at }),
            _ => Err(faults),
        }
    }
}

/// Who makes a schedule.
#[derive(Debug, Clone)]
pub struct ScheduleCreator {
    /// The person, or the creator of the key.
    pub user: UserId,
    pub key: Option<KeyId>,
}

#[derive(Debug)]
pub struct PlannedSchedule {
    pub schedule: ScheduleView,
    /// Empty if there is an equal schedule already.
    pub changes: Vec<Change>,
    pub notes: Vec<String>,
}

/// `new` must have no faults.
pub async fn plan_schedule(
    context: &ToolContext,
    brand: &BrandId,
    creator: ScheduleCreator,
    new: &NewSchedule,
    now: Timestamp,
) -> Result<PlannedSchedule, ToolError> {
    let recurrence = new.recurrence().expect("its faults were checked");
    if new.kind == ScheduleKind::Report && !context.can_mail {
        return Err(mail_not_configured().into());
    }
    let profile = context.records.profile(brand).await?;
    let zone = &profile.brand.time_zone;
    // A retry, or an agent that forgot, must not make people get a report twice. More schedules than this are rare.
    let known = context.records.schedules(brand, None, MAX_LIMIT).await?.items;
    let is_equal = |known: &Schedule| known.kind == new.kind && known.recurrence == recurrence;
    if let Some(equal) = known.into_iter().find(is_equal) {
        return Ok(PlannedSchedule {
            schedule: ScheduleView::new(equal, zone),
            changes: Vec::new(),
            notes: vec!["An equal schedule exists already. This is it; nothing was changed.".to_owned()],
        });
    }
    let mut random = context.entropy.clone();
    let schedule = Schedule {
        schedule_id: id::fresh("schedule", &mut random),
        kind: new.kind,
        recurrence,
        next_at: recurrence.next_after(now, zone),
        created_at: now,
        created_by: creator.user,
        key_id: creator.key,
        last_run: None,
    };
    let job = NewJob::new(JobKind::Schedule, &schedule.schedule_id, schedule.next_at, &mut random);
    Ok(PlannedSchedule {
        schedule: ScheduleView::new(schedule.clone(), zone),
        changes: vec![Change::Schedules(ScheduleChange::Add(schedule)), Change::AddJob(job)],
        notes: notes(new, &profile),
    })
}

fn notes(new: &NewSchedule, profile: &Profile) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(day) = new.day.filter(|day| *day > 28) {
        notes.push(format!("A month without a day {day} has it on its last day."));
    }
    let is_confirmed = profile.recipients.iter().any(Recipient::gets_reports);
    if new.kind == ScheduleKind::Report && !is_confirmed {
        notes.push(
            "No recipient has confirmed yet that they want the reports. Until somebody does, nothing is sent."
                .to_owned(),
        );
    }
    notes
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn faults(arguments: Value) -> Vec<String> {
        let new: NewSchedule = serde_json::from_value(arguments).unwrap();
        new.faults().into_iter().map(|fault| format!("{} {}", fault.field, fault.message)).collect()
    }

    #[test]
    fn day_must_fit_the_rhythm() {
        assert!(
            faults(json!({"kind": "audit", "every": "week", "weekday": "monday", "at": "09:00"})).is_empty()
        );
        assert!(faults(json!({"kind": "report", "every": "month", "day": 1, "at": "00:00"})).is_empty());
        assert_eq!(
            faults(json!({"kind": "audit", "every": "week", "day": 3, "at": "9"})),
            [
                "at must be a time of day from 00:00 to 23:59, such as 09:00",
                "weekday is required with `every: week`, such as `monday`",
                "day cannot be used with `every: week`; use `weekday`",
            ]
        );
        assert_eq!(
            faults(json!({"kind": "audit", "every": "month", "weekday": "sunday", "at": "09:00"})),
            [
                "day is required with `every: month`, 1 to 31",
                "weekday cannot be used with `every: month`; use `day`",
            ]
        );
    }
}
