use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::KeyId;
use svc_mcp_store::Cursor;
use svc_mcp_tools::{
    approvals::{Approval, ApprovalFilter, ApprovalStatus},
    page::Listing,
};

use super::{APPROVALS, ManagedApproval};
use crate::{
    app::App,
    http::{
        extract::{
            Input, Manager, PageLimit, ValidatedQuery,
            schemas::{self, CursorText, Id},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListApprovals {
    /// Only approvals with this status
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = ApprovalStatus::NAMES))]
    status: Option<ApprovalStatus>,
    /// Only calls of this key
    #[schemars(with = "Option<Id>")]
    key_id: Option<KeyId>,
    #[serde(default)]
    limit: PageLimit<20, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListApprovals {}

/// A page of approvals, newest first
#[derive(Debug, Serialize, JsonSchema)]
struct ApprovalList {
    approvals: Vec<ManagedApproval>,
    /// The number of approvals on all pages together
    total: u64,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get(APPROVALS, list_approvals)
        .describe(Tag::Approvals, "list_approvals", "List the calls that wait for approval, or waited for it")
        .details("If calls are long, a page has fewer than `limit`.")
        .query::<ListApprovals>()
        .json::<ApprovalList>(200, "The approvals")
}

async fn list_approvals(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedQuery(query): ValidatedQuery<ListApprovals>,
) -> Result<Json<ApprovalList>, Problem> {
    let ListApprovals { status, key_id, limit, cursor } = query;
    let filter = ApprovalFilter { key_id, status };
    let (records, brand, filter, now) = (&app.context.records, &manager.brand_id, &filter, app.clock.now());
    let read = |after: Option<Cursor>, limit| async move {
        records.approvals(brand, filter, after.as_ref(), limit, now).await
    };
    let cursor_of =
        |approval: &Approval| Cursor { at: approval.requested_at, id: approval.approval_id.clone() };
    let listing = Listing::read_in_steps(limit.get(), cursor, read, cursor_of, ManagedApproval::from).await?;
    Ok(Json(ApprovalList {
        approvals: listing.items,
        total: listing.total,
        next_cursor: listing.next_cursor,
    }))
}
