use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_access::BrandId;

use super::{ManagedPost, POST, find_post};
use crate::{
    app::App,
    http::{
        extract::{Manager, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get(POST, get_post)
        .describe(Tag::Posts, "get_post", "One post")
        .json::<ManagedPost>(200, "The post")
}

async fn get_post(
    State(app): State<Arc<App>>,
    manager: Manager,
    PathIds((_, post_id)): PathIds<(BrandId, String)>,
) -> Result<Json<ManagedPost>, Problem> {
    find_post(&app, &manager, &post_id).await.map(|post| Json(post.into()))
}
