use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::{Fault, ToolAccess};

use super::{ApprovalFilter, ApprovalStatus, view::ApprovalListItem};
use crate::{
    page::{Cursor, Listing, MAX_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct ListApprovals;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Only approvals with this status.
    status: Option<ApprovalStatus>,
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the previous page.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

impl Tool for ListApprovals {
    type Arguments = Arguments;
    type Output = Listing<ApprovalListItem>;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_approvals",
        title: "Approvals",
        description: "Lists the calls of this key that wait, or waited, for a person's approval, newest first, each with \
            its status. `get_approval` shows the result of one.",
        example: r#"{"status": "pending"}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        Cursor::check(arguments.cursor.as_deref()).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<Self::Output>, ToolError> {
        let filter =
            ApprovalFilter { key_id: Some(call.caller.key_state.key_id.clone()), status: arguments.status };
        let after = arguments.cursor.as_deref().and_then(Cursor::decode);
        let records = &call.context.records;
        let page =
            records.approvals(call.brand_id(), &filter, after.as_ref(), arguments.limit, call.now).await?;
        Ok(Outcome::new(Listing::from_page(page, ApprovalListItem::from)))
    }
}
