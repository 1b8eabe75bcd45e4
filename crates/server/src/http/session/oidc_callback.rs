//! Finishes a sign-in with OpenID Connect.

use std::sync::Arc;

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::{HeaderMap, header};
use serde_json::json;
use svc_mcp_access::{
    Secret, StoreError,
    session::{MAX_SESSION_LIFETIME, SignInCode, SignInGrant},
};
use url::form_urlencoded;

use super::sign_in_failure::{SignInFailure, to_page};
use crate::{
    app::{App, MAX_CODE_EXCHANGES_PER_MINUTE},
    http::{
        access_log,
        client_address::ClientAddress,
        operation::{Operation, Tag},
        problem::Problem,
        transport::client_network,
    },
    oidc::{CALLBACK_PATH, OidcProvider, OidcUser, ReturnPath, SignInAttempt},
};

pub(super) fn operation() -> Operation {
    Operation::get(CALLBACK_PATH, finish_oidc_sign_in)
        .describe(Tag::Account, "finish_oidc_sign_in", "The way back from the OpenID Connect provider")
        .details(
            "The provider sends the browser here with `code` and `state`. It leads to the page with a sign-in code in the \
             fragment, which the page exchanges for a session, or with `#sign-in=` and why not: `denied`, `expired`, `failed` or \
             `unavailable`. It works once, and only in the browser in which the sign-in was begun, within 10 minutes.",
        )
        .security(json!([{}]))
        .empty(303, "The page is at `Location`")
        .with_headers(&["Location", "Set-Cookie"])
}

/// The parameters of the provider's redirect. Providers may add others, so unknown ones are ignored.
struct Answer {
    code: Option<Secret>,
    state: String,
    issuer: Option<String>,
    error: Option<String>,
}

impl Answer {
    /// `None`: a parameter is there twice, so it is not clear which value is the provider's.
    fn parse(query: &str) -> Option<Self> {
        let read = |name: &str| -> Option<Option<String>> {
            let pairs = form_urlencoded::parse(query.as_bytes());
            let mut values = pairs.filter(|(found, _)| found == name).map(|(_, value)| value.into_owned());
            let value = values.next();
            values.next().is_none().then_some(value)
        };
        Some(Self {
            code: read("code")?.map(Secret::new),
            state: read("state")?.unwrap_or_default(),
            issuer: read("iss")?,
            error: read("error")?,
        })
    }
}

async fn finish_oidc_sign_in(
    State(app): State<Arc<App>>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let provider = app.oidc.as_ref().ok_or_else(Problem::oidc_not_configured)?;
    let answer = Answer::parse(query.as_deref().unwrap_or_default());
    let attempt = app.attempt_cookie.read(&headers, app.clock.now());
    // Without an attempt of this browser, the link may come from an attacker, to sign the person in to the attacker's account.
    let (Some(answer), Some(attempt)) = (answer, attempt) else { return Ok(expired(&app)) };
    if answer.state != attempt.state() {
        return Ok(expired(&app));
    }
    let admitted = app.code_exchange_limit.admit(&client_network(address), app.clock.ticks());
    let what = "sign-ins with a code";
    admitted.map_err(|rate| Problem::address_rate_limited(MAX_CODE_EXCHANGES_PER_MINUTE, what, &rate))?;
    let mut response = match sign_in(&app, provider, &answer, &attempt).await {
        Ok(code) => to_page(&app, attempt.return_path(), &format!("code={}", code.expose())),
        Err(CallbackError::SignIn(failure)) => failure.redirect(&app, attempt.return_path()),
        Err(CallbackError::Store(error)) => return Err(error.into()),
    };
    // An attempt is answered once.
    response.headers_mut().append(header::SET_COOKIE, app.attempt_cookie.remove());
    Ok(response)
}

fn expired(app: &App) -> Response {
    SignInFailure::Expired.redirect(app, &ReturnPath::default())
}

/// Why there is no sign-in code.
enum CallbackError {
    /// The page explains it.
    SignIn(SignInFailure),
    Store(StoreError),
}

impl From<SignInFailure> for CallbackError {
    fn from(failure: SignInFailure) -> Self {
        Self::SignIn(failure)
    }
}

impl From<StoreError> for CallbackError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Makes a sign-in code, not a session. The page exchanges it, and asks before it replaces another user's session. This request
/// does not have the cookie of that session, because it is `SameSite=Strict`.
async fn sign_in(
    app: &App,
    provider: &OidcProvider,
    answer: &Answer,
    attempt: &SignInAttempt,
) -> Result<SignInCode, CallbackError> {
    if answer.issuer.as_deref().is_some_and(|issuer| !provider.is_issuer(issuer)) {
        tracing::warn!("a sign-in with OpenID Connect failed: another provider has answered");
        return Err(SignInFailure::Failed.into());
    }
    let code = match (&answer.error, &answer.code) {
        (None, Some(code)) => code,
        (Some(error), _) if error == "access_denied" => return Err(SignInFailure::Denied.into()),
        (error, _) => {
            // Only standard codes are logged: the browser could send any text.
            let is_standard =
                |error: &&String| error.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            let error = error.as_ref().filter(|error| error.len() <= 50).filter(is_standard);
            tracing::warn!(error, "a sign-in with OpenID Connect failed: the provider gave no code");
            return Err(SignInFailure::Failed.into());
        }
    };
    let OidcUser { user_id, operator } = match provider.user(code.expose(), attempt, app.clock.now()).await {
        Ok(user) => user,
        Err(error) => {
            tracing::warn!(%error, "a sign-in with OpenID Connect failed");
            return Err(SignInFailure::of(&error).into());
        }
    };
    access_log::note_user(&user_id);
    let now = app.clock.now();
    // An ID token proves who has signed in. Its expiry does not limit the session.
    let grant = SignInGrant { user_id, operator, ends_at: now.plus(MAX_SESSION_LIFETIME) };
    let code = SignInCode::generate(&mut app.entropy.clone());
    app.store.add_sign_in_code(&code.digest(), &grant, now).await?;
    Ok(code)
}
