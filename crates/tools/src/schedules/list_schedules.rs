use svc_mcp_access::{Fault, ToolAccess};

use super::ScheduleView;
use crate::{
    page::{Listing, PageArguments},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct ListSchedules;

impl Tool for ListSchedules {
    type Arguments = PageArguments;
    type Output = Listing<ScheduleView>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_schedules",
        title: "Schedules",
        description: "Lists the brand's recurring audits and reports, newest first: when each runs next, and what its last run \
            started (`last_id`) or why it started nothing (`last_failure`).",
        example: "{}",
    };

    fn check(arguments: &PageArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(
        &self,
        call: &Call,
        arguments: PageArguments,
    ) -> Result<Outcome<Listing<ScheduleView>>, ToolError> {
        let profile = call.profile().await?;
        let after = arguments.cursor();
        let page = call.context.records.schedules(call.brand_id(), after.as_ref(), arguments.limit).await?;
        let view = |schedule| ScheduleView::new(schedule, &profile.brand.time_zone);
        Ok(Outcome::new(Listing::from_page(page, view)))
    }
}
