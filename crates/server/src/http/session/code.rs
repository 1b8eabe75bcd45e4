//! Makes a sign-in code for a user of the host application.

use std::sync::Arc;

use axum::{Json, extract::State, response::IntoResponse};
use http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use svc_mcp_access::session::SignInCode;

use crate::{
    app::App,
    http::{
        extract::TokenHolder,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Serialize, JsonSchema)]
struct NewCode {
    /// It works once
    #[schemars(example = &"svc_code_…")]
    code: String,
    expires_at: String,
    /// Where the application sends the browser
    #[schemars(example = &"https://mcp.example/settings/mcp#code=svc_code_…")]
    url: String,
}

pub(super) fn operation() -> Operation {
    Operation::post("/api/sign-in-codes", create_sign_in_code)
        .describe(Tag::Account, "create_sign_in_code", "A code that signs the user in to the settings page")
        .details(
            "The host application asks for it with the user's token and sends the browser to `url`. It works once, for 60 \
             seconds, and not longer than the token. The session has the operator role if the token has it. A user has at most 20 codes; one more ends the oldest.",
        )
        .security(json!([{"jwt": []}]))
        .json::<NewCode>(201, "The code, this once")
}

async fn create_sign_in_code(
    State(app): State<Arc<App>>,
    TokenHolder(grant): TokenHolder,
) -> Result<impl IntoResponse, Problem> {
    let (code, now) = (SignInCode::generate(&mut app.entropy.clone()), app.clock.now());
    app.store.add_sign_in_code(&code.digest(), &grant, now).await?;
    let body = NewCode {
        code: code.expose().to_owned(),
        expires_at: grant.code_expires_at(now).to_string(),
        url: format!("{}/settings/mcp#code={}", app.public_url, code.expose()),
    };
    Ok((StatusCode::CREATED, Json(body)))
}
