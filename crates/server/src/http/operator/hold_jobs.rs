use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_store::{HeldJobs, HoldCause, JobHold, ResumeJobs, ResumedJobs};

use crate::{
    app::App,
    http::{
        extract::{Input, Operator, OptionalJson, schemas::Time},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// Why no worker begins a job
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "JobHold")]
pub(crate) struct JobHoldView {
    #[schemars(with = "Time")]
    since: String,
    /// `operator`: somebody asked for it; `restore`: the database is restored from a backup
    #[schemars(extend("enum" = HoldCause::NAMES))]
    cause: &'static str,
    /// When the backup was made that was restored
    #[schemars(with = "Option<Time>")]
    backup_at: Option<String>,
}

impl From<JobHold> for JobHoldView {
    fn from(hold: JobHold) -> Self {
        Self {
            since: hold.since.to_string(),
            cause: hold.cause.as_str(),
            backup_at: hold.cause.backup_at().map(|at| at.to_string()),
        }
    }
}

/// All jobs are held
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "HeldJobs")]
pub(crate) struct HeldJobsView {
    hold: JobHoldView,
    /// How many jobs workers had begun before. They end by themselves
    begun: u32,
}

impl From<HeldJobs> for HeldJobsView {
    fn from(held: HeldJobs) -> Self {
        Self { hold: held.hold.into(), begun: held.begun }
    }
}

/// Jobs run
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ResumedJobs")]
pub(crate) struct ResumedJobsView {
    /// The hold that has ended. Null: jobs were not held
    hold: Option<JobHoldView>,
    /// How many jobs were too late and are cancelled
    cancelled: u32,
}

impl From<ResumedJobs> for ResumedJobsView {
    fn from(resumed: ResumedJobs) -> Self {
        Self { hold: resumed.hold.map(JobHoldView::from), cancelled: resumed.cancelled }
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResumeJobsBody {
    /// Cancel all that was due before the hold began. After a restore, it may have gone out already
    #[serde(default)]
    cancel_due_before_hold: bool,
}

impl Input for ResumeJobsBody {}

pub(crate) fn hold_operation() -> Operation {
    Operation::post("/api/admin/jobs/hold", hold_jobs)
        .describe(Tag::Operator, "hold_jobs", "Hold all jobs until they are resumed")
        .details(
            "On every instance, for example before maintenance. After the answer, no worker begins a job, so nothing is \
             published or mailed except what has begun. Calls of agents still work: what they queue waits, and their result says \
             so. Events are sent. Holding again changes nothing.",
        )
        .json::<HeldJobsView>(200, "The jobs are held")
}

pub(crate) fn resume_operation() -> Operation {
    Operation::post("/api/admin/jobs/resume", resume_jobs)
        .describe(Tag::Operator, "resume_jobs", "Let held jobs run")
        .details(
            "Jobs that were due more than 24 hours ago are cancelled first, with the post, mail, audit or analysis that they work \
             on. Schedules go on, and posts that were to be withdrawn are withdrawn.",
        )
        .optional_body::<ResumeJobsBody>()
        .json::<ResumedJobsView>(200, "Jobs run")
}

async fn hold_jobs(State(app): State<Arc<App>>, operator: Operator) -> Result<Json<HeldJobsView>, Problem> {
    let hold = JobHold { since: app.clock.now(), cause: HoldCause::Operator };
    Ok(Json(operator.store(&app).hold_jobs(&hold).await?.into()))
}

async fn resume_jobs(
    State(app): State<Arc<App>>,
    operator: Operator,
    OptionalJson(body): OptionalJson<ResumeJobsBody>,
) -> Result<Json<ResumedJobsView>, Problem> {
    let resume = ResumeJobs {
        actor: operator.user_id.clone(),
        at: app.clock.now(),
        event_prefix: app.fresh_event_id(),
        cancel_due_before_hold: body.cancel_due_before_hold,
    };
    Ok(Json(operator.store(&app).resume_jobs(&resume).await?.into()))
}
