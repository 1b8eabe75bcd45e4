use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::id::is_id;
use svc_mcp_store::{JobActor, JobRefusal};

use super::job_view::JobView;
use crate::{
    app::App,
    http::{
        extract::{Operator, PathIds},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

pub(crate) fn retry_operation() -> Operation {
    Operation::post("/api/admin/jobs/{job_id}/retry", retry_job)
        .describe(Tag::Operator, "retry_job", "Try a failed job again")
        .details(
            "At once, and only if what it worked on is still failed: what went out, or may have gone out, is not sent again. The \
             worker asks first whether the key may still act. 409 `job_state` says why not.",
        )
        .json::<JobView>(200, "The job, which waits now")
}

pub(crate) fn cancel_operation() -> Operation {
    Operation::post("/api/admin/jobs/{job_id}/cancel", cancel_job)
        .describe(Tag::Operator, "cancel_job", "Cancel a job")
        .details(
            "Its post, mail, audit or analysis is cancelled too; cancelling the job of a schedule deletes the schedule. What has \
             begun to be sent cannot be called back (409 `job_state`).",
        )
        .json::<JobView>(200, "The job")
}

async fn retry_job(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(job_id): PathIds<String>,
) -> Result<Json<JobView>, Problem> {
    let actor = actor(&app, &operator, &job_id)?;
    operator.store(&app).retry_job(&job_id, &actor).await.map(|job| Json(job.into())).map_err(problem)
}

async fn cancel_job(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(job_id): PathIds<String>,
) -> Result<Json<JobView>, Problem> {
    let actor = actor(&app, &operator, &job_id)?;
    operator.store(&app).cancel_job(&job_id, &actor).await.map(|job| Json(job.into())).map_err(problem)
}

fn actor(app: &App, operator: &Operator, job_id: &str) -> Result<JobActor, Problem> {
    if !is_id(job_id) {
        return Err(Problem::not_found("job"));
    }
    Ok(JobActor { user_id: operator.user_id.clone(), at: app.clock.now(), event_id: app.fresh_event_id() })
}

fn problem(refusal: JobRefusal) -> Problem {
    match refusal {
        JobRefusal::Unknown => Problem::not_found("job"),
        JobRefusal::Store(error) => error.into(),
        other => Problem::new(Code::JobState, other.to_string()),
    }
}
