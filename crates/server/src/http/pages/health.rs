use std::sync::Arc;

use axum::{extract::State, response::IntoResponse};
use http::StatusCode;

use crate::app::App;

/// Is the process alive?
#[utoipa::path(get, path = "/healthz", tag = "public", security(()),
    responses((status = 200, description = "It is", body = String)))]
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Can it serve requests?
///
/// 503 while the store does not answer and from the moment a shutdown begins, so that a load balancer sends no more.
#[utoipa::path(get, path = "/readyz", tag = "public", security(()),
    responses((status = 200, description = "It can", body = String), (status = 503, description = "Not now")))]
pub(crate) async fn readyz(State(app): State<Arc<App>>) -> impl IntoResponse {
    if app.is_shutting_down() {
        (StatusCode::SERVICE_UNAVAILABLE, "shutting down\n")
    } else if !app.store.answers() {
        (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n")
    } else {
        (StatusCode::OK, "ready\n")
    }
}
