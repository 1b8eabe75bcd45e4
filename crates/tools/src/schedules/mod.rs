//! Audits and reports that repeat. A schedule has one job, which is due when the schedule is. The job starts the audit or
//! report, and the store adds the job for the next time in the same transaction.

mod create_schedule;
mod delete_schedule;
mod list_schedules;
mod plan;
mod records;
mod recurrence;
mod schedule;
mod schedule_job;
mod view;

pub use create_schedule::CreateSchedule;
pub use delete_schedule::DeleteSchedule;
pub use list_schedules::ListSchedules;
pub use plan::{NewSchedule, PlannedSchedule, ScheduleCreator, plan_schedule};
pub use records::ScheduleRecords;
pub use recurrence::{Every, InvalidTimeOfDay, Recurrence, RecurrenceDay, TimeOfDay, Weekday};
pub use schedule::{Schedule, ScheduleChange, ScheduleKind, ScheduleRun};
pub use schedule_job::ScheduleJob;
pub use view::ScheduleView;
