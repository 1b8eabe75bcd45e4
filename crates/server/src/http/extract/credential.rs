//! The credential in the `Authorization` header or in the session cookie, and keys in the URL, which are refused.

use http::{HeaderMap, header, request::Parts};
use svc_mcp_access::{
    Timestamp, UserId,
    decision::Credential,
    key,
    session::{SESSION_PREFIX, Session, SessionToken, SignInDigest},
};

use crate::{
    app::App,
    http::{access_log, problem::Problem, same_origin::is_same_origin, session_cookie::PresentedSession},
    jwt::{TokenError, TokenRefusal, User},
};

/// Query parameters in which people send keys.
const KEY_PARAMETERS: [&str; 6] = ["key", "api_key", "apikey", "mcp_key", "token", "access_token"];

pub(super) enum Authorization<'a> {
    Missing,
    Bearer(&'a [u8]),
    Unusable,
}

pub(super) fn authorization(headers: &HeaderMap) -> Authorization<'_> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Authorization::Missing };
    if values.next().is_some() {
        return Authorization::Unusable;
    }
    match value.as_bytes().split_at_checked(7) {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case(b"bearer ") => {
            Authorization::Bearer(token.trim_ascii())
        }
        _ => Authorization::Unusable,
    }
}

/// Whether the query holds a key, or a parameter that is named like one.
fn has_key_in_url(query: &str) -> bool {
    url::form_urlencoded::parse(query.as_bytes()).any(|(name, value)| {
        // Lists show these characters, and the operator searches by them.
        if name == "prefix" && value.len() <= key::SHOWN_LENGTH {
            return false;
        }
        let named = KEY_PARAMETERS.iter().any(|known| name.eq_ignore_ascii_case(known)) && !value.is_empty();
        named || value.contains(key::PREFIX) || name.contains(key::PREFIX)
    })
}

/// The MCP key that the request presents.
pub(super) fn presented(parts: &Parts) -> Credential<'_> {
    let authorization = authorization(&parts.headers);
    if parts.uri.query().is_some_and(has_key_in_url) {
        return Credential::InUrl { header_too: !matches!(authorization, Authorization::Missing) };
    }
    match authorization {
        Authorization::Missing => Credential::Nothing,
        Authorization::Bearer(token) => Credential::Bearer(token),
        Authorization::Unusable => Credential::Unusable,
    }
}

/// A person with a valid application token or session.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) user_id: UserId,
    pub(super) operator: bool,
    /// When the token or the session ends.
    pub(super) expires_at: Timestamp,
    /// `None`: they sent an application token.
    pub(super) session: Option<SignInDigest>,
}

/// The person behind an application token or a session. With a token, the cookie is not looked at.
pub(super) async fn person(parts: &Parts, app: &App) -> Result<Person, Problem> {
    let (presented, is_embedded) = match authorization(&parts.headers) {
        Authorization::Missing => (app.session_cookie.read(&parts.headers), false),
        Authorization::Bearer(token) if app.settings_page.is_embeddable() => (embedded_session(token), true),
        Authorization::Bearer(_) | Authorization::Unusable => (PresentedSession::Missing, false),
    };
    if presented != PresentedSession::Missing {
        let person = person_of_session(parts, app, presented).await?;
        // The operator's console is never in a frame.
        return Ok(Person { operator: person.operator && !is_embedded, ..person });
    }
    let User { user_id, operator, expires_at } = user(parts, app).await?;
    Ok(Person { user_id, operator, expires_at, session: None })
}

/// Inside a frame the page uses no cookie. It sends the secret of its session in the header `Authorization`.
fn embedded_session(token: &[u8]) -> PresentedSession {
    if !token.starts_with(SESSION_PREFIX.as_bytes()) {
        return PresentedSession::Missing;
    }
    let digest = std::str::from_utf8(token).ok().and_then(SessionToken::digest_of);
    digest.map_or(PresentedSession::Unusable, PresentedSession::Session)
}

async fn person_of_session(parts: &Parts, app: &App, presented: PresentedSession) -> Result<Person, Problem> {
    if parts.uri.query().is_some_and(has_key_in_url) {
        return Err(Problem::key_in_url(false));
    }
    if !is_same_origin(&parts.headers, &app.public_url) {
        return Err(Problem::cross_origin());
    }
    let PresentedSession::Session(digest) = presented else { return Err(Problem::session_ended()) };
    let session = app.store.session(&digest, app.clock.now()).await?.ok_or_else(Problem::session_ended)?;
    access_log::note_user(&session.user_id);
    // Operators have this limit too: programs that need more requests use a token.
    count_request(app, &session.user_id)?;
    let Session { user_id, operator, expires_at } = session;
    Ok(Person { user_id, operator, expires_at, session: Some(digest) })
}

fn count_request(app: &App, user: &UserId) -> Result<(), Problem> {
    let limit = &app.management_limit;
    let admitted = limit.admit(user, app.clock.ticks());
    admitted.map_err(|rate| Problem::user_rate_limited(limit.limit(), &rate))
}

/// Whether the request has the header `Authorization`.
pub(super) fn has_authorization(headers: &HeaderMap) -> bool {
    !matches!(authorization(headers), Authorization::Missing)
}

/// The user of the application token. A user has a limit; operators have none, because they set up many brands at once.
pub(super) async fn user(parts: &Parts, app: &App) -> Result<User, Problem> {
    let authorization = authorization(&parts.headers);
    if parts.uri.query().is_some_and(has_key_in_url) {
        return Err(Problem::key_in_url(!matches!(authorization, Authorization::Missing)));
    }
    let token = match authorization {
        Authorization::Missing => {
            return Err(Problem::credential_missing("the application's token (a JWT)"));
        }
        Authorization::Unusable => return Err(Problem::token_invalid(TokenRefusal::Malformed)),
        Authorization::Bearer(token) => {
            std::str::from_utf8(token).map_err(|_| Problem::token_invalid(TokenRefusal::Malformed))?
        }
    };
    let user = app.verifier.verify(token, app.clock.now()).await.map_err(|error| match error {
        TokenError::Refused(refusal) => Problem::token_invalid(refusal),
        TokenError::NoKeys => Problem::token_keys_unavailable(),
    })?;
    access_log::note_user(&user.user_id);
    if !user.operator {
        count_request(app, &user.user_id)?;
    }
    Ok(user)
}
