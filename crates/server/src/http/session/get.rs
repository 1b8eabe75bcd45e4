use std::sync::Arc;

use axum::{Json, extract::State};
use serde_json::json;
use svc_mcp_access::session::Session;

use super::SessionView;
use crate::{
    app::App,
    http::{
        extract::SignedIn,
        operation::{Operation, Tag},
    },
};

pub(super) fn operation() -> Operation {
    Operation::get("/api/session", session)
        .describe(Tag::Account, "session", "Who is signed in, and until when?")
        .security(json!([{"jwt": []}, {"session": []}]))
        .json::<SessionView>(200, "The session, or the user and the expiry of the token")
}

async fn session(State(app): State<Arc<App>>, user: SignedIn) -> Json<SessionView> {
    let SignedIn { user_id, operator, expires_at, .. } = user;
    Json(SessionView::new(Session { user_id, operator, expires_at }, app.clock.now()))
}
