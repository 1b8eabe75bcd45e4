use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use svc_mcp_access::{BrandId, UserId};
use svc_mcp_store::MemberRemoval;

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
        .details(
            "Their keys stop working at once and are paused, and what the keys have queued is cancelled. If the person comes \
             back, they or an administrator of the brand resume each key.",
        )
        .empty(204, "They are no member")
}

async fn remove_member(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds((brand_id, user_id)): PathIds<(BrandId, UserId)>,
) -> Result<StatusCode, Problem> {
    if app.store.brand(&brand_id).await?.is_none() {
        return Err(Problem::not_found("brand"));
    }
    let removal = MemberRemoval {
        actor: operator.user_id.clone(),
        at: app.clock.now(),
        event_prefix: app.fresh_event_id(),
    };
    operator.store(&app).remove_member(&brand_id, &user_id, &removal).await?;
    Ok(StatusCode::NO_CONTENT)
}
