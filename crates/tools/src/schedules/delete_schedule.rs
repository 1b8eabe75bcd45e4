use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{ToolAccess, validate::repeated};

use super::{ScheduleChange, ScheduleView};
use crate::{
    Change,
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError, ToolFailure},
};

#[derive(Debug)]
pub struct DeleteSchedule;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    #[schemars(length(min = 1, max = 100))]
    schedule_id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DeletedSchedule {
    /// The schedule as it was. It does not run any more.
    deleted: ScheduleView,
}

impl Tool for DeleteSchedule {
    type Arguments = Arguments;
    type Output = DeletedSchedule;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: true, idempotent: false, open_world: false };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "delete_schedule",
        title: "Delete a schedule",
        description: "Deletes a recurring audit or report, so that it does not run again. What it has started stays.",
        example: r#"{"schedule_id": "schedule_4fT9aZ0kQw3LmN8xYb2C"}"#,
    };

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<DeletedSchedule>, ToolError> {
        let schedule_id = arguments.schedule_id;
        let Some(schedule) = call.context.records.schedule(call.brand_id(), &schedule_id).await? else {
            return Err(ToolFailure::new(
                "not_found",
                format!("The brand has no schedule `{}`.", repeated(&schedule_id)),
                "Call list_schedules to see the ids. A schedule ends when its key is revoked.",
            )
            .into());
        };
        let profile = call.profile().await?;
        let deleted = ScheduleView::new(schedule, &profile.brand.time_zone);
        let change = Change::Schedules(ScheduleChange::Delete { schedule_id });
        Ok(Outcome::new(DeletedSchedule { deleted }).with_changes(vec![change]))
    }
}
