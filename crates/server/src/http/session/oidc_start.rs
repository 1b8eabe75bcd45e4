//! Starts a sign-in with OpenID Connect.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::sign_in_failure::SignInFailure;
use crate::{
    app::App,
    http::{
        extract::{Input, ValidatedQuery},
        operation::{Operation, Tag},
        problem::Problem,
    },
    oidc::{ReturnPath, START_PATH, SignInAttempt},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StartSignIn {
    /// The page to return to: `/settings/mcp` or `/operator`, with its query. Anything else leads to the settings page
    #[serde(default, rename = "return")]
    #[schemars(length(max = 2000))]
    return_to: Option<String>,
}

impl Input for StartSignIn {}

pub(super) fn operation() -> Operation {
    Operation::get(START_PATH, start_oidc_sign_in)
        .describe(Tag::Account, "start_oidc_sign_in", "Sign in with OpenID Connect")
        .details(
            "For browsers: it leads to the provider, which leads back to `/api/sign-in/oidc/callback`. 404 if \
             `SVC_OIDC_ISSUER` is not set. If the provider does not answer, it leads to the page with `#sign-in=unavailable`.",
        )
        .security(json!([{}]))
        .query::<StartSignIn>()
        .empty(303, "The provider is at `Location`")
        .with_headers(&["Location", "Set-Cookie"])
}

async fn start_oidc_sign_in(
    State(app): State<Arc<App>>,
    ValidatedQuery(query): ValidatedQuery<StartSignIn>,
) -> Result<Response, Problem> {
    let provider = app.oidc.as_ref().ok_or_else(Problem::oidc_not_configured)?;
    let return_path = query.return_to.as_deref().map(ReturnPath::parse).unwrap_or_default();
    let now = app.clock.now();
    let attempt = SignInAttempt::new(return_path, now, &mut app.entropy.clone());
    let url = match provider.authorization_url(&attempt, now).await {
        Ok(url) => url,
        // The outage is in the log, so a failed attempt needs no line.
        Err(error) => return Ok(SignInFailure::of(&error).redirect(&app, attempt.return_path())),
    };
    let location = HeaderValue::try_from(String::from(url)).expect("a URL is plain ASCII");
    let headers = [(header::LOCATION, location), (header::SET_COOKIE, app.attempt_cookie.set(&attempt))];
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}
