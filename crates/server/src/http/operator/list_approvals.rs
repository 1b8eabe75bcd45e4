use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::BrandId;
use svc_mcp_store::{ApprovalSearch, Cursor, ListedApproval};
use svc_mcp_tools::approvals::{ApprovalListItem, ApprovalStatus};

use crate::{
    app::App,
    http::{
        extract::{
            Input, Operator, PageLimit, ValidatedQuery,
            schemas::{self, Id, LongCursorText},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListApprovals {
    /// Only calls of this brand
    #[schemars(with = "Option<Id>")]
    brand: Option<BrandId>,
    /// Only approvals with this status
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = ApprovalStatus::NAMES))]
    status: Option<ApprovalStatus>,
    #[serde(default)]
    limit: PageLimit<50, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<LongCursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListApprovals {}

/// A call that waits for approval, or waited for it. What it would do is shown to the brand's own people only
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OperatorApproval {
    brand_id: String,
    /// The key that made the call
    key_id: String,
    #[serde(flatten)]
    approval: ApprovalListItem,
}

impl From<ListedApproval> for OperatorApproval {
    fn from(listed: ListedApproval) -> Self {
        Self {
            brand_id: listed.brand_id.into(),
            key_id: listed.approval.key_id.to_string(),
            approval: listed.approval.into(),
        }
    }
}

/// A page of approvals, newest first
#[derive(Debug, Serialize, JsonSchema)]
struct OperatorApprovalList {
    approvals: Vec<OperatorApproval>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/approvals", list_approvals)
        .describe(
            Tag::Operator,
            "operator_list_approvals",
            "List the calls of all brands that wait for approval",
        )
        .query::<ListApprovals>()
        .json::<OperatorApprovalList>(200, "The approvals")
}

async fn list_approvals(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<ListApprovals>,
) -> Result<Json<OperatorApprovalList>, Problem> {
    let ListApprovals { brand, status, limit, cursor } = query;
    let search = ApprovalSearch { brand, status, after: cursor, limit: limit.get() };
    let page = app.store.search_approvals(&search, app.clock.now()).await?;
    let approvals = page.items.into_iter().map(OperatorApproval::from).collect();
    Ok(Json(OperatorApprovalList { approvals, next_cursor: page.next.map(|cursor| cursor.encode()) }))
}
