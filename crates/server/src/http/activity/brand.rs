use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_access::KeyId;

use super::{Activity, ActivityQuery, find};
use crate::{
    app::App,
    http::{
        extract::{Input, Manager, ValidatedQuery, schemas::Id},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct BrandActivityQuery {
    #[schemars(with = "Option<Id>")]
    key_id: Option<KeyId>,
    #[serde(flatten)]
    page: ActivityQuery,
}

impl Input for BrandActivityQuery {}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/brands/{brand_id}/mcp-activity", brand_activity)
        .describe(Tag::Keys, "brand_activity", "What happened with the brand's keys")
        .query::<BrandActivityQuery>()
        .json::<Activity>(200, "The events")
}

async fn brand_activity(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedQuery(query): ValidatedQuery<BrandActivityQuery>,
) -> Result<Json<Activity>, Problem> {
    find(&app, &manager.brand_id, query.key_id, query.page).await
}
