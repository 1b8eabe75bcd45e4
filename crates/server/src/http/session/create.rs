use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, StatusCode, header};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
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
    /// Whether the page is inside a frame of the application. The answer then has the session's token, and no cookie is set
    #[serde(default)]
    embedded: bool,
}

impl Input for SignIn {}

fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.map(Secret::new))
}

/// The session that has started
#[derive(Serialize, JsonSchema)]
struct StartedSession {
    #[serde(flatten)]
    view: SessionView,
    /// Only with `embedded`: the secret of the session, for the header `Authorization: Bearer …` of the page's own requests
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"svc_session_…")]
    session_token: Option<String>,
}

pub(super) fn operation() -> Operation {
    Operation::post("/api/session", create_session)
        .describe(Tag::Account, "create_session", "Sign in: exchange a code or a token for a session")
        .details(
            "For the service's own pages: other requests get 403 `cross_origin`. Send a code, or the application's token in the \
             header, and not both. The session is in a cookie that scripts cannot read. It lasts 12 hours, or 1 hour with the \
             operator role, and not longer than the token. The session that the browser has ends; if it belongs to another user, the answer is 409 \
             `other_user_signed_in` unless `replace` is true, and the code can still be used. A user has at most 20 sessions; \
             one more ends the oldest. With `embedded`, which needs a code and `SVC_FRAME_ANCESTORS`, the answer has the secret \
             of the session in `session_token`, and no cookie is read or set.",
        )
        .security(json!([{}, {"jwt": []}]))
        .optional_body::<SignIn>()
        .json::<StartedSession>(201, "The session has started")
        .with_headers(&["Set-Cookie"])
}

async fn create_session(
    State(app): State<Arc<App>>,
    _: SameOrigin,
    OptionalTokenHolder(grant): OptionalTokenHolder,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    OptionalJson(sign_in): OptionalJson<SignIn>,
) -> Result<Response, Problem> {
    let token = SessionToken::generate(&mut app.entropy.clone());
    if sign_in.embedded {
        check_embedded(&app, &sign_in)?;
    }
    let replaces = match app.session_cookie.read(&headers) {
        // A frame does not replace the session of the browser.
        PresentedSession::Session(digest) if !sign_in.embedded => Some(digest),
        _ => None,
    };
    let (digest, at, replaces_other_user) = (token.digest(), app.clock.now(), sign_in.replace);
    let new = NewSession { digest, at, replaces, replaces_other_user };
    let embedded = sign_in.embedded;
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
    if embedded {
        let session_token = Some(token.expose().to_owned());
        return Ok((StatusCode::CREATED, Json(StartedSession { view, session_token })).into_response());
    }
    let cookie = app.session_cookie.set(&token, Duration::from_secs(view.expires_in));
    let answer = Json(StartedSession { view, session_token: None });
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], answer).into_response())
}

/// A frame gets a session only for a code, and only if the operator allows frames.
fn check_embedded(app: &App, sign_in: &SignIn) -> Result<(), Problem> {
    if !app.settings_page.is_embeddable() {
        let message = "is not possible here: the operator has not set SVC_FRAME_ANCESTORS";
        return Err(Problem::invalid_request(Fault::new("embedded", message)));
    }
    if sign_in.code.is_none() {
        return Err(Problem::invalid_request(Fault::new("code", "is required with `embedded`")));
    }
    Ok(())
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
