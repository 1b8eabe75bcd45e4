use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Fault, ToolAccess};

use super::{NewSchedule, PlannedSchedule, ScheduleCreator, ScheduleView, plan_schedule};
use crate::tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError};

#[derive(Debug)]
pub struct CreateSchedule;

#[derive(Debug, Serialize, JsonSchema)]
pub struct CreatedSchedule {
    schedule: ScheduleView,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Tool for CreateSchedule {
    type Arguments = NewSchedule;
    type Output = CreatedSchedule;

    const ACCESS: ToolAccess = ToolAccess::Write;
    const HINTS: Hints = Hints { destructive: false, idempotent: true, open_world: true };
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "create_schedule",
        title: "Repeat an audit or a report",
        description: "Makes the service audit the brand's whole site, or mail its report to all confirmed recipients, every \
            week on a `weekday` or every month on a `day`, at a time of day in the brand's time zone. A weekly \
            report covers the seven days before, a monthly one the month before. It goes on until `delete_schedule`, \
            or until your key is revoked. If an equal one exists, that one is returned.",
        example: r#"{"kind": "report", "every": "week", "weekday": "monday", "at": "09:00"}"#,
    };

    fn check(arguments: &NewSchedule) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: NewSchedule) -> Result<Outcome<CreatedSchedule>, ToolError> {
        let key_state = &call.caller.key_state;
        let creator = ScheduleCreator { user: key_state.owner.clone(), key: Some(key_state.key_id.clone()) };
        let planned = plan_schedule(&call.context, call.brand_id(), creator, &arguments, call.now).await?;
        let PlannedSchedule { schedule, changes, notes } = planned;
        Ok(Outcome::new(CreatedSchedule { schedule, notes }).with_changes(changes))
    }
}
