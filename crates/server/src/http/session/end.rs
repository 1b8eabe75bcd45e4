use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, StatusCode, header};
use serde_json::json;

use crate::{
    app::App,
    http::{
        extract::SignedIn,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(super) fn operation() -> Operation {
    Operation::delete("/api/session", end_session)
        .describe(Tag::Account, "end_session", "Sign out: end the session")
        .details("The session ends on every instance, and for every tab of the browser. With a token, there is no session to end.")
        .security(json!([{"jwt": []}, {"session": []}]))
        .empty(204, "There is no session any more")
        .with_headers(&["Set-Cookie"])
}

async fn end_session(
    State(app): State<Arc<App>>,
    user: SignedIn,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Some(session) = user.session else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    app.store.end_session(&session).await?;
    // A session inside a frame has no cookie. The browser's cookie belongs to another session, so it stays.
    if headers.contains_key(header::AUTHORIZATION) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let cookie = [(header::SET_COOKIE, app.session_cookie.remove())];
    Ok((StatusCode::NO_CONTENT, cookie).into_response())
}
