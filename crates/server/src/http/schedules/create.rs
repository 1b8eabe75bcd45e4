use std::sync::Arc;

use axum::{Json, extract::State, response::IntoResponse};
use http::{HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::Fault;
use svc_mcp_tools::{
    Records,
    records::CommitError,
    schedules::{NewSchedule, PlannedSchedule, ScheduleCreator, ScheduleView, plan_schedule},
    tool::{ToolError, ToolFailure},
};

use super::SCHEDULES;
use crate::{
    app::App,
    http::{
        extract::{Administrator, Input, ValidatedJson},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

impl Input for NewSchedule {
    fn check(body: &Value, _: &App) -> Vec<Fault> {
        // If it does not parse, the schema has found the faults.
        Self::deserialize(body).map(|new| new.faults()).unwrap_or_default()
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct CreatedSchedule {
    schedule: ScheduleView,
    /// What you should know about it
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::post(SCHEDULES, create_schedule)
        .describe(Tag::Brand, "create_schedule", "Repeat an audit or a report")
        .details(
            "For administrators of the brand. Every week on a `weekday` or every month on a `day`, in the brand's time zone. \
             If there is an equal schedule, the answer is that one, with 200.",
        )
        .body::<NewSchedule>()
        .json::<CreatedSchedule>(201, "The schedule is created")
        .with_headers(&["Location"])
        .json::<CreatedSchedule>(200, "There is an equal schedule")
}

async fn create_schedule(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    ValidatedJson(new): ValidatedJson<NewSchedule>,
) -> Result<impl IntoResponse, Problem> {
    let (brand, now) = (&administrator.brand_id, app.clock.now());
    let creator = ScheduleCreator { user: administrator.user_id.clone(), key: None };
    let planned =
        plan_schedule(&app.context, brand, creator, &new, now).await.map_err(|error| match error {
            ToolError::Failed(failure) => problem(failure),
            ToolError::Store(error) => error.into(),
        })?;
    let PlannedSchedule { schedule, changes, notes } = planned;
    let status = if changes.is_empty() { StatusCode::OK } else { StatusCode::CREATED };
    administrator.records(&app).commit(brand, &changes, None, now).await.map_err(|error| match error {
        CommitError::Refused(failure) => problem(failure),
        CommitError::Store(error) => error.into(),
        // A person has no claim and no key, and no post is changed.
        CommitError::ClaimLost | CommitError::Denied(_) | CommitError::Changed => Problem::internal(),
    })?;
    let location = format!("/api/brands/{brand}/schedules/{}", schedule.schedule_id);
    let headers = [(header::LOCATION, HeaderValue::try_from(location).expect("ids are plain ASCII"))];
    Ok((status, headers, Json(CreatedSchedule { schedule, notes })))
}

/// The failures of the tool as people see them.
fn problem(failure: ToolFailure) -> Problem {
    match failure.code {
        "quota_reached" => Problem::of_failure(Code::QuotaReached, failure),
        "mail_not_configured" => Problem::of_failure(Code::MailNotConfigured, failure),
        _ => Problem::internal(),
    }
}
