use std::sync::Arc;

use axum::{extract::State, response::IntoResponse};
use http::StatusCode;

use crate::{
    app::App,
    http::operation::{Operation, Tag},
};

pub(crate) fn healthz_operation() -> Operation {
    Operation::get("/healthz", healthz)
        .describe(Tag::Public, "healthz", "Is the process alive?")
        .text("text/plain", "It is")
}

pub(crate) fn readyz_operation() -> Operation {
    Operation::get("/readyz", readyz)
        .describe(Tag::Public, "readyz", "Can it serve requests?")
        .details(
            "503 while the store does not answer and after a shutdown has begun, so that a load balancer sends no more \
             requests. 200 says in its text if application tokens cannot be checked, because the JWK set is missing or too \
             old: MCP keys still work.",
        )
        .text("text/plain", "It can")
        .empty(503, "Not now")
}

async fn healthz() -> &'static str {
    "ok\n"
}

async fn readyz(State(app): State<Arc<App>>) -> impl IntoResponse {
    if app.is_shutting_down() {
        (StatusCode::SERVICE_UNAVAILABLE, "shutting down\n")
    } else if !app.store.answers() {
        (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n")
    } else if !app.verifier.is_usable(app.clock.now()).await {
        (StatusCode::OK, "ready, but application tokens are refused: the JWK set is missing or too old\n")
    } else {
        (StatusCode::OK, "ready\n")
    }
}
