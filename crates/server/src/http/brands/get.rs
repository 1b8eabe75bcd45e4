use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::BrandId;

use super::{OperatorBrand, PATH};
use crate::{
    app::App,
    http::{
        extract::{Operator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get(PATH, get_brand)
        .describe(Tag::Operator, "get_brand", "One brand")
        .json::<OperatorBrand>(200, "The brand")
}

async fn get_brand(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds(brand_id): PathIds<BrandId>,
) -> Result<Json<OperatorBrand>, Problem> {
    let brand = app.store.listed_brand(&brand_id).await?;
    brand.map(|brand| Json(brand.into())).ok_or_else(|| Problem::not_found("brand"))
}
