use svc_mcp_access::{Fault, ToolAccess};

use super::{
    Audit, AuditLine,
    view::{MAX_LIST_BYTES, take_bytes},
};
use crate::{
    page::{Cursor, Listing, PageArguments},
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
        description: "Lists the audits of the brand's site, newest first, each with its status and score. If `end` is not \
            `complete`, the audit is partial: it left out `left_out` known URLs, and its score is only that of the \
            visited pages.",
        example: r#"{"limit": 5}"#,
    };

    fn check(arguments: &PageArguments) -> Vec<Fault> {
        arguments.faults()
    }

    async fn run(&self, call: &Call, arguments: PageArguments) -> Result<Outcome<Self::Output>, ToolError> {
        let after = arguments.cursor();
        let page = call.context.records.audits(call.brand_id(), after.as_ref(), arguments.limit).await?;
        let cursors: Vec<Cursor> = page.items.iter().map(cursor_of).collect();
        let mut listing = Listing::from_page(page, AuditLine::from);
        listing.items = take_bytes(listing.items, MAX_LIST_BYTES);
        // The page ends before it is too large.
        if listing.items.len() < cursors.len() {
            listing.next_cursor = Some(cursors[listing.items.len() - 1].encode());
        }
        Ok(Outcome::new(listing))
    }
}

fn cursor_of(audit: &Audit) -> Cursor {
    Cursor { at: audit.created_at, id: audit.audit_id.clone() }
}
