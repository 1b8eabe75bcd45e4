//! Which calls of a brand's keys wait for approval, who decides, and who gets emails about it.

pub(crate) mod emails;
pub(crate) mod get;
pub(crate) mod patch;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{BrandId, StoreError, UserId};

use crate::app::App;

const PATH: &str = "/api/brands/{brand_id}/approval-settings";

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ApprovalSettings")]
struct ApprovalSettingsView {
    /// `none`, `outward` or `all`. It holds for all keys of the brand; a key may have a stricter rule
    #[schemars(example = &"outward")]
    approval_minimum: &'static str,
    /// `members` (they decide on the calls of their own keys) or `admins`. Administrators can always decide
    #[schemars(example = &"members")]
    approvers: &'static str,
    /// Whether you get emails about calls that wait and that you can decide on
    emails: bool,
}

/// The settings of the brand as this person sees them.
async fn view(app: &App, brand: &BrandId, user: &UserId) -> Result<ApprovalSettingsView, StoreError> {
    let settings = app.store.approval_settings(brand).await?;
    Ok(ApprovalSettingsView {
        approval_minimum: settings.minimum.as_str(),
        approvers: settings.approvers.as_str(),
        emails: app.store.approval_emails(brand, user).await?,
    })
}
