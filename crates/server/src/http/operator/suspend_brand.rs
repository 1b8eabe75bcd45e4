use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_access::{BrandId, Suspension};

use crate::{
    app::App,
    http::{
        brands::OperatorBrand,
        extract::{Input, Operator, OptionalJson, PathIds, schemas::PLAIN_TEXT, trim_fields},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const MAX_REASON_CHARS: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SuspendBrand {
    /// For other operators. Members of the brand do not see it
    #[schemars(
        length(min = 1, max = MAX_REASON_CHARS),
        regex(pattern = PLAIN_TEXT),
        example = &"Unpaid since October"
    )]
    reason: Option<String>,
}

impl Input for SuspendBrand {
    fn normalize(body: &mut Value) {
        trim_fields(body, &["reason"]);
    }
}

pub(crate) fn suspend_operation() -> Operation {
    Operation::post("/api/admin/brands/{brand_id}/suspend", suspend_brand)
        .describe(Tag::Operator, "suspend_brand", "Stop everything of a brand until it is resumed")
        .details(
            "From the next request on, its keys are refused with 403 `brand_suspended`. Its work is held, and cancelled when it \
             is still held 24 hours after its time. Its feed is answered with 404, and nobody can create keys. People can still \
             sign in and read. Suspending it again changes nothing.",
        )
        .optional_body::<SuspendBrand>()
        .json::<OperatorBrand>(200, "The brand")
}

pub(crate) fn resume_operation() -> Operation {
    Operation::post("/api/admin/brands/{brand_id}/resume", resume_brand)
        .describe(Tag::Operator, "resume_brand", "Let a suspended brand work again")
        .details("Work that was held goes on at once.")
        .json::<OperatorBrand>(200, "The brand")
}

async fn suspend_brand(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(brand_id): PathIds<BrandId>,
    OptionalJson(body): OptionalJson<SuspendBrand>,
) -> Result<Json<OperatorBrand>, Problem> {
    check_exists(&app, &brand_id).await?;
    let suspension = Suspension { at: app.clock.now(), by: operator.user_id.clone(), reason: body.reason };
    operator.store(&app).suspend_brand(&brand_id, &suspension).await?;
    view(&app, &brand_id).await
}

async fn resume_brand(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(brand_id): PathIds<BrandId>,
) -> Result<Json<OperatorBrand>, Problem> {
    check_exists(&app, &brand_id).await?;
    operator.store(&app).resume_brand(&brand_id, app.clock.now()).await?;
    view(&app, &brand_id).await
}

async fn check_exists(app: &App, brand_id: &BrandId) -> Result<(), Problem> {
    view(app, brand_id).await.map(|_| ())
}

async fn view(app: &App, brand_id: &BrandId) -> Result<Json<OperatorBrand>, Problem> {
    let brand = app.store.listed_brand(brand_id).await?;
    brand.map(|brand| Json(brand.into())).ok_or_else(|| Problem::not_found("brand"))
}
