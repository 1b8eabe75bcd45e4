use std::sync::Arc;

use axum::{Json, extract::State};
use http::StatusCode;
use svc_mcp_access::{UserId, id};

use super::erasure_view::ErasureView;
use crate::{
    app::App,
    erasure::new_user_erasure,
    http::{
        extract::{Operator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::post("/api/admin/users/{user_id}/erase", erase_user)
        .describe(Tag::Operator, "erase_user", "Erase a user in all brands")
        .details(
            "At once, the user is no member of any brand, their keys are revoked, and what these have queued is cancelled. In \
             the background, their name and addresses are removed, and a random pseudonym takes the place of their id \
             in the history. The receipt shows the pseudonym and says when this is done; keep its id, because nothing else \
             leads from the user to it. A user who is added again later starts as a new user. Sending the request again \
             returns the same receipt until the erasure is done.",
        )
        .json::<ErasureView>(202, "The receipt")
}

async fn erase_user(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(user_id): PathIds<UserId>,
) -> Result<(StatusCode, Json<ErasureView>), Problem> {
    let entropy = &mut app.entropy.clone();
    let new = new_user_erasure(operator.user_id.clone(), app.clock.now(), id::fresh("era", entropy), entropy);
    let erasure = operator.store(&app).begin_user_erasure(&user_id, &new).await?;
    Ok((StatusCode::ACCEPTED, Json(erasure.into())))
}
