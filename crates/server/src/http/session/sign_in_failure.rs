//! Why a sign-in with OpenID Connect did not work, as the page shows it.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use crate::{
    app::App,
    oidc::{OidcError, ReturnPath},
};

/// The page gets the name in its fragment and explains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SignInFailure {
    /// The person cancelled, or the provider refused.
    Denied,
    /// It took longer than 10 minutes, began in another browser, or was answered already.
    Expired,
    /// The provider's answer does not prove who the person is.
    Failed,
    Unavailable,
}

impl SignInFailure {
    pub(super) fn of(error: &OidcError) -> Self {
        match error {
            OidcError::Unavailable(_) => Self::Unavailable,
            OidcError::NoToken(_) | OidcError::TokenRefused(_) => Self::Failed,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Expired => "expired",
            Self::Failed => "failed",
            Self::Unavailable => "unavailable",
        }
    }

    pub(super) fn redirect(self, app: &App, page: &ReturnPath) -> Response {
        to_page(app, page, &format!("sign-in={}", self.name()))
    }
}

/// Redirects to a page of the service. A fragment is in no request and no log.
pub(super) fn to_page(app: &App, page: &ReturnPath, fragment: &str) -> Response {
    let address = format!("{}{}#{fragment}", app.public_url, page.as_str());
    let mut location = HeaderValue::try_from(address).expect("an address is plain ASCII");
    location.set_sensitive(true);
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}
