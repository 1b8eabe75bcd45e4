use std::sync::Arc;

use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{Brand, BrandId, Fault, PlanId, validate::web_address};
use utoipa::ToSchema;

use super::PathIds;
use crate::{
    app::App,
    http::{
        extract::{Fields, JsonBody, Operator, parsed, text},
        problem::Problem,
    },
};

const MOST_COMPETITORS: usize = 50;

#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "the document's picture of what `read_brand` takes")]
pub(crate) struct PutBrand {
    #[schema(example = "Acme Coffee")]
    name: String,
    /// The brand's own site, http or https
    #[schema(example = "https://acme.example")]
    website: String,
    plan_id: String,
    /// Sites of competitors, at most 50; kept as they are where left out
    competitors: Option<Vec<String>>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Brand)]
pub(crate) struct BrandView {
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

/// Create or change a brand
#[utoipa::path(put, path = "/api/admin/brands/{brand_id}", tag = "operator", security(("jwt" = [])),
    params(("brand_id" = String, Path)), request_body = PutBrand,
    responses((status = 200, description = "The brand", body = BrandView)))]
pub(crate) async fn put_brand(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds(brand_id): PathIds<BrandId>,
    JsonBody(body): JsonBody,
) -> Result<Json<BrandView>, Problem> {
    let mut fields = Fields::of(body)?;
    let name = fields.required("name", text(200));
    let website = fields.required("website", website);
    let plan_id: Option<PlanId> = fields.required("plan_id", parsed);
    let competitors = fields.optional("competitors", competitors);
    fields.finish()?;
    let plan_id = plan_id.expect("finish found no fault");
    if app.store.plan(&plan_id).await?.is_none() {
        return Err(Problem::invalid_request(vec![Fault::new(
            "plan_id",
            "there is no such plan; create it first",
        )]));
    }
    let competitors = match competitors {
        Some(competitors) => competitors,
        None => app.store.brand(&brand_id).await?.map(|(brand, _)| brand.competitors).unwrap_or_default(),
    };
    let (name, website) = name.zip(website).expect("finish found no fault");
    let brand = Brand { brand_id, name, website, plan_id, competitors };
    app.store.put_brand(&brand).await?;
    Ok(Json(brand.into()))
}

/// One brand
#[utoipa::path(get, path = "/api/admin/brands/{brand_id}", tag = "operator", security(("jwt" = [])),
    params(("brand_id" = String, Path)), responses((status = 200, description = "The brand", body = BrandView)))]
pub(crate) async fn get_brand(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds(brand_id): PathIds<BrandId>,
) -> Result<Json<BrandView>, Problem> {
    let brand = app.store.brand(&brand_id).await?;
    brand.map(|(brand, _)| Json(brand.into())).ok_or_else(|| Problem::not_found("brand"))
}

fn website(value: &Value) -> Result<String, String> {
    web_address(value.as_str().ok_or("must be a text")?)
}

fn competitors(value: &Value) -> Result<Vec<String>, String> {
    let all = value.as_array().ok_or("must be a list of addresses")?;
    if all.len() > MOST_COMPETITORS {
        return Err(format!("must be at most {MOST_COMPETITORS}"));
    }
    all.iter().map(website).collect()
}
