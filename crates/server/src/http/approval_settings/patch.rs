use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_access::{ApprovalRule, ApprovalSettings, Approvers};

use super::{ApprovalSettingsView, PATH, view};
use crate::{
    app::App,
    http::{
        extract::{Administrator, Input, ValidatedJson},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// What to change. A field that is absent or null stays as it is
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PatchApprovalSettings {
    /// `none`, `outward` (what people outside notice) or `all` (every change), for all keys of the brand
    #[schemars(
        with = "Option<String>",
        extend("enum" = [ApprovalRule::None, ApprovalRule::Outward, ApprovalRule::All, Value::Null])
    )]
    approval_minimum: Option<ApprovalRule>,
    /// `members` (they decide on the calls of their own keys) or `admins`
    #[schemars(
        with = "Option<String>",
        extend("enum" = [Approvers::Members, Approvers::Admins, Value::Null])
    )]
    approvers: Option<Approvers>,
}

impl Input for PatchApprovalSettings {}

pub(crate) fn operation() -> Operation {
    Operation::patch(PATH, patch_approval_settings)
        .describe(
            Tag::Approvals,
            "patch_approval_settings",
            "Set which calls wait for approval, and who decides",
        )
        .details("For administrators of the brand. Effective for the next call of every key.")
        .body::<PatchApprovalSettings>()
        .json::<ApprovalSettingsView>(200, "The settings")
}

async fn patch_approval_settings(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    ValidatedJson(body): ValidatedJson<PatchApprovalSettings>,
) -> Result<Json<ApprovalSettingsView>, Problem> {
    let old = app.store.approval_settings(&administrator.brand_id).await?;
    let settings = ApprovalSettings {
        minimum: body.approval_minimum.unwrap_or(old.minimum),
        approvers: body.approvers.unwrap_or(old.approvers),
    };
    administrator.store(&app).set_approval_settings(&administrator.brand_id, settings).await?;
    Ok(Json(view(&app, &administrator.brand_id, &administrator.user_id).await?))
}
