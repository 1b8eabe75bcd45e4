use std::{sync::Arc, time::Duration};

use axum::{Json, extract::State, response::IntoResponse};
use http::{HeaderMap, StatusCode, header};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::json;
use svc_mcp_access::{
    Fault, Secret,
    session::{Session, SessionToken, SignInCode, SignInGrant},
};
use svc_mcp_store::{NewSession, SignInError};

use super::SessionView;
use crate::{
    app::{App, MAX_CODE_EXCHANGES_PER_MINUTE},
    http::{
        client_address::ClientAddress,
        extract::{Input, OptionalJson, OptionalTokenHolder, SameOrigin},
        operation::{Operation, Tag},
        problem::Problem,
        session_cookie::PresentedSession,
        transport::client_network,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SignIn {
    /// The code from the link. Without it, the application's token is needed
    #[serde(default, deserialize_with = "secret")]
    #[schemars(with = "Option<String>", length(max = 200))]
    code: Option<Secret>,
    /// Whether it ends the session that another user has in this browser
    #[serde(default)]
    replace: bool,
}

impl Input for SignIn {}

fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.map(Secret::new))
}

pub(super) fn operation() -> Operation {
    Operation::post("/api/session", create_session)
        .describe(Tag::Account, "create_session", "Sign in: exchange a code or a token for a session")
        .details(
            "For the service's own pages: other requests get 403 `cross_origin`. Send a code, or the application's token in the \
             header, and not both. The session is in a cookie that scripts cannot read. It lasts 12 hours, or 1 hour with the \
             operator role, and not longer than the token. The session that the browser has ends; if it belongs to another user, the answer is 409 \
             `other_user_signed_in` unless `replace` is true, and the code can still be used. A user has at most 20 sessions; \
             one more ends the oldest.",
        )
        .security(json!([{}, {"jwt": []}]))
        .optional_body::<SignIn>()
        .json::<SessionView>(201, "The session has started")
        .with_headers(&["Set-Cookie"])
}

async fn create_session(
    State(app): State<Arc<App>>,
    _: SameOrigin,
    OptionalTokenHolder(grant): OptionalTokenHolder,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    OptionalJson(sign_in): OptionalJson<SignIn>,
) -> Result<impl IntoResponse, Problem> {
    let token = SessionToken::generate(&mut app.entropy.clone());
    let replaces = match app.session_cookie.read(&headers) {
        PresentedSession::Session(digest) => Some(digest),
        PresentedSession::Missing | PresentedSession::Unusable => None,
    };
    let (digest, at, replaces_other_user) = (token.digest(), app.clock.now(), sign_in.replace);
    let new = NewSession { digest, at, replaces, replaces_other_user };
    let session = match (grant, sign_in.code) {
        (Some(_), Some(_)) => {
            let both = "must not be sent together with the header `Authorization`";
            return Err(Problem::invalid_request(Fault::new("code", both)));
        }
        (None, None) => {
            return Err(Problem::credential_missing(
                "a sign-in code in `code`, or the application's token (a JWT)",
            ));
        }
        (Some(grant), None) => start_by_token(&app, &grant, &new).await?,
        (None, Some(code)) => {
            let admitted = app.code_exchange_limit.admit(&client_network(address), app.clock.ticks());
            let what = "sign-ins with a code";
            admitted
                .map_err(|rate| Problem::address_rate_limited(MAX_CODE_EXCHANGES_PER_MINUTE, what, &rate))?;
            start_by_code(&app, &code, &new).await?
        }
    };
    let view = SessionView::new(session, at);
    let cookie = app.session_cookie.set(&token, Duration::from_secs(view.expires_in));
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], Json(view)))
}

async fn start_by_token(app: &App, grant: &SignInGrant, new: &NewSession) -> Result<Session, Problem> {
    Ok(app.store.create_session(grant, new).await?)
}

async fn start_by_code(app: &App, code: &Secret, new: &NewSession) -> Result<Session, Problem> {
    let code = SignInCode::digest_of(code.expose()).ok_or_else(Problem::sign_in_code_invalid)?;
    let session = app.store.exchange_code(&code, new).await?;
    crate::http::access_log::note_user(&session.user_id);
    Ok(session)
}

impl From<SignInError> for Problem {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::CodeInvalid => Self::sign_in_code_invalid(),
            SignInError::OtherUser { user_id } => Self::other_user_signed_in(user_id),
            SignInError::Store(error) => error.into(),
        }
    }
}
