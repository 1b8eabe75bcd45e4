//! Which calls of a brand's keys wait for approval, who decides, and who gets emails about it.

pub(crate) mod get;
pub(crate) mod patch;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::ApprovalSettings;

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
}

impl From<ApprovalSettings> for ApprovalSettingsView {
    fn from(settings: ApprovalSettings) -> Self {
        Self { approval_minimum: settings.minimum.as_str(), approvers: settings.approvers.as_str() }
    }
}
