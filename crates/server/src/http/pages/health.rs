use std::{fmt::Write as _, sync::Arc};

use axum::{extract::State, response::IntoResponse};
use http::StatusCode;
use svc_mcp_store::{HoldCause, JobHold};

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
             old (MCP keys still work), and if all jobs are held.",
        )
        .text("text/plain", "It can")
        .empty(503, "Not now")
}

async fn healthz() -> &'static str {
    "ok\n"
}

async fn readyz(State(app): State<Arc<App>>) -> impl IntoResponse {
    if app.is_shutting_down() {
        (StatusCode::SERVICE_UNAVAILABLE, "shutting down\n".to_owned())
    } else if !app.store.answers() {
        (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n".to_owned())
    } else {
        (
            StatusCode::OK,
            ready_text(app.verifier.is_usable(app.clock.now()).await, app.store.known_job_hold()),
        )
    }
}

/// Load balancers look only at the status, so the text is for people.
fn ready_text(takes_tokens: bool, hold: Option<JobHold>) -> String {
    let mut text = "ready".to_owned();
    if !takes_tokens {
        text += ", but application tokens are refused: the JWK set is missing or too old";
    }
    if let Some(hold) = hold {
        let cause = match hold.cause {
            HoldCause::Operator => "by the operator".to_owned(),
            HoldCause::Restore { backup_at } => format!("because the backup of {backup_at} was restored"),
        };
        let _ = write!(text, ", but all jobs are held since {} {cause}", hold.since);
    }
    text + "\n"
}
