use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use svc_mcp_access::{BrandId, StoreError};
use svc_mcp_tools::{
    Change, Records,
    records::CommitError,
    schedules::{ScheduleChange, ScheduleRecords},
};

use crate::{
    app::App,
    http::{
        extract::{Administrator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::delete("/api/brands/{brand_id}/schedules/{schedule_id}", delete_schedule)
        .describe(Tag::Brand, "delete_schedule", "Stop an audit or report that repeats")
        .details("For administrators of the brand. What it has started goes on.")
        .empty(204, "It is deleted")
}

async fn delete_schedule(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    PathIds((_, schedule_id)): PathIds<(BrandId, String)>,
) -> Result<StatusCode, Problem> {
    let (brand, records) = (&administrator.brand_id, administrator.records(&app));
    // No id has such a character, and PostgreSQL does not accept NUL even in a search.
    let is_id = !schedule_id.contains(char::is_control);
    if !is_id || records.schedule(brand, &schedule_id).await?.is_none() {
        return Err(Problem::not_found("schedule"));
    }
    let change = Change::Schedules(ScheduleChange::Delete { schedule_id });
    match records.commit(brand, &[change], None, app.clock.now()).await {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(CommitError::Store(error)) => Err(error.into()),
        // It uses no quota, and a person has no claim and no key.
        Err(_) => Err(StoreError::Internal.into()),
    }
}
