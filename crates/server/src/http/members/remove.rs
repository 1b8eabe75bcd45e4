use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use svc_mcp_access::{BrandId, UserId};

use super::PATH;
use crate::{
    app::App,
    http::{
        extract::{Operator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::delete(PATH, remove_member)
        .describe(Tag::Operator, "remove_member", "Remove a user from a brand")
        .details("Their keys stop working at once, and work again if they come back.")
        .empty(204, "They are no member")
}

async fn remove_member(
    State(app): State<Arc<App>>,
    _: Operator,
    PathIds((brand_id, user_id)): PathIds<(BrandId, UserId)>,
) -> Result<StatusCode, Problem> {
    if app.store.brand(&brand_id).await?.is_none() {
        return Err(Problem::not_found("brand"));
    }
    app.store.remove_member(&brand_id, &user_id).await?;
    Ok(StatusCode::NO_CONTENT)
}
