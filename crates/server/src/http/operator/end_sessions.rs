use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::UserId;

use crate::{
    app::App,
    http::{
        extract::{Operator, PathIds},
        operation::{Operation, Tag},
        problem::Problem,
    },
};

/// The sessions of a user that have ended
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EndedSessions {
    /// The number of sessions. Those that had ended before do not count
    pub(crate) sessions: u64,
}

pub(crate) fn operation() -> Operation {
    Operation::post("/api/admin/users/{user_id}/end-sessions", end_sessions)
        .describe(Tag::Operator, "end_sessions", "Sign a user out of all browsers")
        .details(
            "The very next request of each browser is refused, on every instance, and the user's sign-in codes end too. Tokens \
             of the application still work, and the user can sign in again: withdraw the access there first.",
        )
        .json::<EndedSessions>(200, "The user has no session any more")
}

async fn end_sessions(
    State(app): State<Arc<App>>,
    operator: Operator,
    PathIds(user_id): PathIds<UserId>,
) -> Result<Json<EndedSessions>, Problem> {
    let sessions = operator.store(&app).end_user_sessions(&user_id, app.clock.now()).await?;
    Ok(Json(EndedSessions { sessions }))
}
