use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_access::{Brand, BrandId, Fault, PlanId};

use super::{BrandView, PATH};
use crate::{
    app::App,
    http::{
        extract::{
            Input, Operator, PathIds, ValidatedJson,
            schemas::{HttpUrl, Id, PLAIN_TEXT},
            trim_fields,
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const MAX_NAME_CHARS: usize = 200;
const MAX_COMPETITORS: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PutBrand {
    #[schemars(length(min = 1, max = MAX_NAME_CHARS), regex(pattern = PLAIN_TEXT), example = &"Acme Coffee")]
    name: String,
    /// The brand's own site, http or https
    #[schemars(with = "HttpUrl", example = &"https://acme.example")]
    website: String,
    #[schemars(with = "Id")]
    plan_id: PlanId,
    /// Sites of competitors, at most 50. If it is left out, they stay as they are
    #[schemars(with = "Option<Vec<HttpUrl>>", length(max = MAX_COMPETITORS))]
    competitors: Option<Vec<String>>,
}

impl Input for PutBrand {
    fn normalize(body: &mut Value) {
        trim_fields(body, &["name", "website", "competitors"]);
    }
}

pub(crate) fn operation() -> Operation {
    Operation::put(PATH, put_brand)
        .describe(Tag::Operator, "put_brand", "Create or change a brand")
        .body::<PutBrand>()
        .json::<BrandView>(200, "The brand")
}

async fn put_brand(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds(brand_id): PathIds<BrandId>,
    ValidatedJson(body): ValidatedJson<PutBrand>,
) -> Result<Json<BrandView>, Problem> {
    let PutBrand { name, website, plan_id, competitors } = body;
    if app.store.plan(&plan_id).await?.is_none() {
        let fault = Fault::new("plan_id", "there is no such plan; create it first");
        return Err(Problem::invalid_request(fault));
    }
    let competitors = match competitors {
        Some(competitors) => competitors,
        None => app.store.brand(&brand_id).await?.map(|(brand, _)| brand.competitors).unwrap_or_default(),
    };
    let brand = Brand { brand_id, name, website, plan_id, competitors };
    app.store.put_brand(&brand).await?;
    Ok(Json(brand.into()))
}
