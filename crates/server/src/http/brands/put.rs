use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_access::{Brand, BrandId, DEFAULT_TIME_ZONE, Fault, PlanId};
use svc_mcp_store::PutBrandError;
use svc_mcp_tools::local_time::canonical_name;

use super::{BrandView, PATH};
use crate::{
    app::App,
    http::{
        extract::{
            Input, Operator, PathIds, ValidatedJson,
            schemas::{HttpUrl, Id, Language, PLAIN_TEXT, TimeZoneName},
            trim_fields,
        },
        operation::{Operation, Tag},
        problem::{Code, Problem},
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
    /// The language of the brand's texts: two or three lower-case letters. If it is left out, it stays as it is
    #[schemars(with = "Option<Language>", example = &"de")]
    language: Option<String>,
    /// A name of the IANA time zone database. If it is left out, it stays as it is; a new brand has `UTC`
    #[schemars(with = "Option<TimeZoneName>", example = &"Europe/Berlin")]
    time_zone: Option<String>,
}

impl Input for PutBrand {
    fn normalize(body: &mut Value) {
        trim_fields(body, &["name", "website", "competitors", "language", "time_zone"]);
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
    operator: Operator,
    PathIds(brand_id): PathIds<BrandId>,
    ValidatedJson(body): ValidatedJson<PutBrand>,
) -> Result<Json<BrandView>, Problem> {
    let PutBrand { name, website, plan_id, competitors, language, time_zone } = body;
    if app.store.plan(&plan_id).await?.is_none() {
        let fault = Fault::new("plan_id", "there is no such plan; create it first");
        return Err(Problem::invalid_request(fault));
    }
    let known = app.store.brand(&brand_id).await?.map(|(brand, _)| brand);
    let (old_competitors, old_language, old_time_zone) = known.map_or_else(
        || (Vec::new(), None, DEFAULT_TIME_ZONE.to_owned()),
        |brand| (brand.competitors, brand.language, brand.time_zone),
    );
    let brand = Brand {
        brand_id,
        name,
        website,
        plan_id,
        competitors: competitors.unwrap_or(old_competitors),
        language: language.or(old_language),
        time_zone: time_zone.as_deref().and_then(canonical_name).unwrap_or(old_time_zone),
    };
    operator.store(&app).put_brand(&brand).await.map_err(|error| match error {
        PutBrandError::Erased => {
            Problem::new(Code::BrandErased, "A brand with this id was erased. Choose another id.")
        }
        PutBrandError::Store(error) => error.into(),
    })?;
    let suspension = app.store.brand_suspension(&brand.brand_id).await?;
    Ok(Json(BrandView::new(brand, suspension.as_ref())))
}
