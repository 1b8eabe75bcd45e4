//! What a sign-in needs: a request of the service's own page, and the holder of an application token.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use svc_mcp_access::session::SignInGrant;

use super::credential;
use crate::{
    app::App,
    http::{problem::Problem, same_origin::is_same_origin},
    jwt::{TokenRefusal, User},
};

/// A request of the service's own page. Others could sign a person in to an account that is not theirs.
#[derive(Debug)]
pub(crate) struct SameOrigin;

impl FromRequestParts<Arc<App>> for SameOrigin {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        if is_same_origin(&parts.headers, &app.public_url) { Ok(Self) } else { Err(Problem::cross_origin()) }
    }
}

/// A person with a valid application token. A session is not enough.
#[derive(Debug)]
pub(crate) struct TokenHolder(pub(crate) SignInGrant);

impl FromRequestParts<Arc<App>> for TokenHolder {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let user = credential::user(parts, app).await?;
        // The leeway for clocks is no time in which something new could start.
        if user.expires_at <= app.clock.now() {
            return Err(Problem::token_invalid(TokenRefusal::Expired));
        }
        let User { user_id, operator, expires_at } = user;
        Ok(Self(SignInGrant { user_id, operator, ends_at: expires_at }))
    }
}

/// The same, or `None` if the request has no header `Authorization`.
#[derive(Debug)]
pub(crate) struct OptionalTokenHolder(pub(crate) Option<SignInGrant>);

impl FromRequestParts<Arc<App>> for OptionalTokenHolder {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        if !credential::has_authorization(&parts.headers) {
            return Ok(Self(None));
        }
        let TokenHolder(grant) = TokenHolder::from_request_parts(parts, app).await?;
        Ok(Self(Some(grant)))
    }
}
