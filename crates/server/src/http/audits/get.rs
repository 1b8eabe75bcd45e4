use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{BrandId, id::is_id};
use svc_mcp_tools::audit::{AuditView, find_audit};

use super::view::RequestedBy;
use crate::{
    app::App,
    http::{
        extract::{Manager, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// An audit with what to fix
#[derive(Debug, Serialize, JsonSchema)]
struct AuditWithFixes {
    #[serde(flatten)]
    audit: AuditView,
    #[serde(flatten)]
    requested_by: RequestedBy,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/brands/{brand_id}/audits/{audit_id}", get_audit)
        .describe(Tag::Audits, "get_audit", "One audit, with what to fix")
        .details(
            "Like the tool `get_audit`: the progress while it runs, then the score and the fixes, grouped by cause, each with \
             its pages.",
        )
        .json::<AuditWithFixes>(200, "The audit")
}

async fn get_audit(
    State(app): State<Arc<App>>,
    manager: Manager,
    PathIds((_, audit_id)): PathIds<(BrandId, String)>,
) -> Result<Json<AuditWithFixes>, Problem> {
    if !is_id(&audit_id) {
        return Err(Problem::not_found("audit"));
    }
    let found = find_audit(&*app.context.records, &manager.brand_id, &audit_id).await?;
    let (audit, view) = found.ok_or_else(|| Problem::not_found("audit"))?;
    Ok(Json(AuditWithFixes { requested_by: RequestedBy::from(&audit), audit: view }))
}
