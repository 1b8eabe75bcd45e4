//! Brands, managed by the operator.

pub(crate) mod get;
pub(crate) mod put;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::Brand;

const PATH: &str = "/api/admin/brands/{brand_id}";

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Brand")]
struct BrandView {
    brand_id: String,
    name: String,
    website: String,
    plan_id: String,
    competitors: Vec<String>,
}

impl From<Brand> for BrandView {
    fn from(brand: Brand) -> Self {
        Self {
            brand_id: brand.brand_id.into(),
            name: brand.name,
            website: brand.website,
            plan_id: brand.plan_id.into(),
            competitors: brand.competitors,
        }
    }
}
