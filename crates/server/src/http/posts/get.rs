use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::BrandId;

use super::{ManagedPost, OPERATOR_POST, POST, find_post};
use crate::{
    app::App,
    http::{
        extract::{Manager, Operator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get(POST, get_post)
        .describe(Tag::Posts, "get_post", "One post")
        .json::<ManagedPost>(200, "The post")
}

pub(crate) fn operator_operation() -> Operation {
    Operation::get(OPERATOR_POST, operator_get_post)
        .describe(Tag::Operator, "operator_get_post", "One post of any brand")
        .json::<ManagedPost>(200, "The post")
}

async fn operator_get_post(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds((brand_id, post_id)): PathIds<(BrandId, String)>,
) -> Result<Json<ManagedPost>, Problem> {
    find_post(&app, &brand_id, &post_id).await.map(|post| Json(post.into()))
}

async fn get_post(
    State(app): State<Arc<App>>,
    manager: Manager,
    PathIds((_, post_id)): PathIds<(BrandId, String)>,
) -> Result<Json<ManagedPost>, Problem> {
    find_post(&app, &manager.brand_id, &post_id).await.map(|post| Json(post.into()))
}
