//! Brands: managed by the operator, who sets everything, and by a brand's administrators, who set its language and time
//! zone.

pub(crate) mod get;
pub(crate) mod managed;
pub(crate) mod put;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Brand, Role, Suspension};
use svc_mcp_store::ListedBrand;

use super::extract::schemas::Time;

const PATH: &str = "/api/admin/brands/{brand_id}";

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Brand")]
pub(crate) struct BrandView {
    brand_id: String,
    name: String,
    website: String,
    plan_id: String,
    competitors: Vec<String>,
    /// The language of the brand's texts, such as `de`
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    /// A name of the IANA time zone database, such as `Europe/Berlin`
    time_zone: String,
    /// `active` or `suspended`: the operator has stopped everything of the brand
    #[schemars(example = &"active")]
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Time>")]
    suspended_at: Option<String>,
}

/// A brand as the operator sees it
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OperatorBrand {
    #[serde(flatten)]
    brand: BrandView,
    /// The operator who suspended it
    #[serde(skip_serializing_if = "Option::is_none")]
    suspended_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suspension_reason: Option<String>,
    /// Only in the list of a user's brands: `admin` or `member`
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    role: Option<Role>,
}

impl From<ListedBrand> for OperatorBrand {
    fn from(listed: ListedBrand) -> Self {
        let ListedBrand { brand, suspension, role } = listed;
        let brand = BrandView::new(brand, suspension.as_ref());
        let (suspended_by, suspension_reason) =
            suspension.map(|suspension| (suspension.by.into(), suspension.reason)).unzip();
        Self { brand, suspended_by, suspension_reason: suspension_reason.flatten(), role }
    }
}

impl BrandView {
    pub(crate) fn new(brand: Brand, suspension: Option<&Suspension>) -> Self {
        Self {
            brand_id: brand.brand_id.into(),
            name: brand.name,
            website: brand.website,
            plan_id: brand.plan_id.into(),
            competitors: brand.competitors,
            language: brand.language,
            time_zone: brand.time_zone,
            status: if suspension.is_some() { "suspended" } else { "active" },
            suspended_at: suspension.map(|suspension| suspension.at.to_string()),
        }
    }
}
