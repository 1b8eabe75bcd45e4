use svc_mcp_access::{Fault, ToolAccess};

use super::AuditLine;
use crate::{
    page::{Listing, PageArguments},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct ListAudits;

impl Tool for ListAudits {
    type Arguments = PageArguments;
    type Output = Listing<AuditLine>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_audits",
        title: "Audits",
        description: "Lists the audits of the brand's site, newest first, each with its status and score. \
            Use it to find the id of the last audit, or of an earlier one to compare with. Returns `items`, `total` and \
            `next_cursor`.",
        example: r#"{"limit": 5}"#,
    };

    fn check(arguments: &PageArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: PageArguments) -> Result<Outcome<Self::Output>, ToolError> {
        let after = arguments.cursor();
        let page = call.context.records.audits(call.brand_id(), after.as_ref(), arguments.limit).await?;
        Ok(Outcome::new(Listing::from_page(page, AuditLine::from)))
    }
}
