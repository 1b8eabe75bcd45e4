//! Starts the audit or the report of a schedule that is due.

use async_trait::async_trait;
use jiff::{ToSpan, civil::Date};
use svc_mcp_access::{KeyId, Timestamp, decision::Denial, id};

use super::{Every, Schedule, ScheduleChange, ScheduleKind, ScheduleRun};
use crate::{
    Change,
    audit::{AuditRequester, start_site_audit},
    jobs::{Job, JobContext, JobError, JobHandler, JobKind},
    local_time::{to_local, zone_or_utc},
    records::{CommitError, Profile},
    report::{Period, mail_not_configured, report_to_all_recipients},
    tool::ToolError,
};

#[derive(Debug)]
pub struct ScheduleJob;

#[async_trait]
impl JobHandler for ScheduleJob {
    fn kind(&self) -> JobKind {
        JobKind::Schedule
    }

    /// After an outage there is one run, not one for each missed time.
    async fn run(&self, job: &Job, context: &JobContext) -> Result<Vec<Change>, JobError> {
        let now = context.clock.now();
        let found = context.records.schedule(&job.brand_id, &job.subject).await?;
        // If it is not due, an earlier worker has committed the run, and died before it could end the job.
        let Some(schedule) = found.filter(|schedule| schedule.next_at <= now) else { return Ok(Vec::new()) };
        let profile = context.records.profile(&job.brand_id).await?;
        // The decision on a key has checked that. A person's schedule has no key.
        if !profile.plan.mcp_enabled {
            return Err(JobError::Denied(Denial::McpInactive));
        }
        let (record_id, mut changes) = match start(job, context, &schedule, &profile, now).await {
            Ok(started) => started,
            Err(ToolError::Failed(failure)) => return Ok(vec![move_on(job, context, Err(failure.message))]),
            Err(ToolError::Store(error)) => return Err(error.into()),
        };
        changes.push(move_on(job, context, Ok(record_id)));
        match context.records.commit_within_quotas(job, &changes, now).await {
            Ok(true) => Ok(Vec::new()),
            Ok(false) => Err(JobError::LeaseLost),
            Err(CommitError::Refused(failure)) => Ok(vec![move_on(job, context, Err(failure.message))]),
            Err(CommitError::Store(error)) => Err(error.into()),
            Err(CommitError::Denied(denial)) => Err(JobError::Denied(denial)),
            // Only calls have claims, and only posts are compared.
            Err(other @ (CommitError::ClaimLost | CommitError::Changed)) => {
                Err(JobError::Failed(other.to_string()))
            }
        }
    }

    fn failed(&self, job: &Job, context: &JobContext, reason: &str) -> Vec<Change> {
        vec![move_on(job, context, Err(reason.to_owned()))]
    }
}

fn move_on(job: &Job, context: &JobContext, result: Result<String, String>) -> Change {
    Change::Schedules(ScheduleChange::MoveOn {
        schedule_id: job.subject.clone(),
        run: ScheduleRun { at: context.clock.now(), result },
        next_job_id: id::fresh("job", &mut context.entropy.clone()),
    })
}

/// The id of the audit or report, and the changes that start it.
async fn start(
    job: &Job,
    context: &JobContext,
    schedule: &Schedule,
    profile: &Profile,
    now: Timestamp,
) -> Result<(String, Vec<Change>), ToolError> {
    // What a person's schedule starts has the id of the schedule in the place of a key's.
    let by: KeyId = match &schedule.key_id {
        Some(key) => key.clone(),
        None => schedule.schedule_id.parse().expect("a generated id is plain"),
    };
    let mut random = context.entropy.clone();
    match schedule.kind {
        ScheduleKind::Audit => {
            let (records, requester) = (&*context.records, AuditRequester::Key(by));
            let started = start_site_audit(records, &profile.brand, None, requester, now, &mut random).await;
            started.map(|(audit, changes)| (audit.audit_id, changes))
        }
        ScheduleKind::Report if context.mailer.is_none() => Err(mail_not_configured().into()),
        ScheduleKind::Report => {
            let (every, ..) = schedule.recurrence.parts();
            let period = report_period(every, now, &profile.brand.time_zone);
            report_to_all_recipients(&*context.records, &job.brand_id, by, period, now, &mut random).await
        }
    }
}

/// The seven days before today, or the month before this one. The days of reports are UTC days, so a week ends yesterday in
/// UTC: then all its days are over. A month is the one that people in the brand's time zone call the last one.
fn report_period(every: Every, now: Timestamp, zone: &str) -> Period {
    let (first, last) = match every {
        Every::Week => {
            let today: Date = now.day().parse().unwrap_or(Date::ZERO);
            (today.saturating_sub(7.days()), today.saturating_sub(1.days()))
        }
        Every::Month => {
            let this_month = to_local(now, &zone_or_utc(zone)).date().first_of_month();
            let last = this_month.saturating_sub(1.days());
            (last.first_of_month(), last)
        }
    };
    format!("{first}/{last}").parse().unwrap_or(Period::Last7Days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_covers_the_days_before() {
        let period = |every, now: &str, zone| {
            let (range, before) =
                report_period(every, now.parse().unwrap(), zone).ranges(now.parse().unwrap());
            (range.to_string(), before.to_string())
        };
        let texts = |range: &str, before: &str| (range.to_owned(), before.to_owned());
        let monday = "2026-11-16T08:00:00Z";
        assert_eq!(
            period(Every::Week, monday, "Europe/Berlin"),
            texts("2026-11-09/2026-11-15", "2026-11-02/2026-11-08")
        );
        assert_eq!(
            period(Every::Month, monday, "UTC"),
            texts("2026-10-01/2026-10-31", "2026-09-01/2026-09-30")
        );
        // In Tokyo it is 1 December already.
        assert_eq!(
            period(Every::Month, "2026-11-30T21:00:00Z", "Asia/Tokyo"),
            texts("2026-11-01/2026-11-30", "2026-10-01/2026-10-31")
        );
    }
}
