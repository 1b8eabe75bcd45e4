//! Sign-in with an OpenID Connect provider: the code flow with PKCE. The state of a sign-in is in a cookie (`attempt.rs`), so
//! every instance can finish it.

mod attempt;
mod discovery;
mod return_path;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::DateTime;
use openidconnect::{
    AuthType, AuthenticationFlow, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret,
    CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, IssuerUrl,
    JwsSigningAlgorithm, Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError,
    StandardErrorResponse, TokenResponse,
    core::{
        CoreClient, CoreClientAuthMethod, CoreErrorResponseType, CoreIdToken, CoreJwsSigningAlgorithm,
        CoreProviderMetadata, CoreResponseType,
    },
};
use serde_json::{Map, Value};
use svc_mcp_access::{Secret, Timestamp, UserId};
use svc_mcp_tools::net::{self, OperatorUrlError};
use url::Url;

use self::discovery::{Discovery, MIN_REFRESH_INTERVAL, REFRESH_INTERVAL};
pub(crate) use self::{
    attempt::{ATTEMPT_LIFETIME, SignInAttempt},
    return_path::ReturnPath,
};
use crate::{error_chain::error_chain, jwt::OperatorClaim};

pub(crate) const START_PATH: &str = "/api/sign-in/oidc";
/// Where the provider sends the browser back to.
pub(crate) const CALLBACK_PATH: &str = "/api/sign-in/oidc/callback";
/// Longer responses of the provider are refused.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;
/// Allowed difference between the clocks of two machines.
const LEEWAY_MILLIS: i64 = 30_000;

/// Why a sign-in fails. The text is for the log and has no secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OidcError {
    #[error("the OpenID Connect provider cannot be used: {0}")]
    Unavailable(String),
    #[error("the OpenID Connect provider gave no ID token: {0}")]
    NoToken(String),
    #[error("the ID token is refused: {0}")]
    TokenRefused(String),
}

/// The settings of the provider.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    /// As it was written: the provider must name itself in the same way.
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Secret,
}

/// Who has signed in at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OidcUser {
    pub(crate) user_id: UserId,
    pub(crate) operator: bool,
}

pub struct OidcProvider {
    client_id: ClientId,
    client_secret: Secret,
    redirect_url: RedirectUrl,
    operator_claim: OperatorClaim,
    discovery: Discovery,
}

impl std::fmt::Debug for OidcProvider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OidcProvider").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

type ProviderClient = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

impl OidcProvider {
    /// Sends no request, so the service also starts while the provider is down.
    pub fn new(
        settings: OidcSettings,
        public_url: &str,
        operator_claim: OperatorClaim,
    ) -> Result<Self, url::ParseError> {
        Ok(Self {
            client_id: ClientId::new(settings.client_id),
            client_secret: settings.client_secret,
            redirect_url: RedirectUrl::new(format!("{public_url}{CALLBACK_PATH}"))?,
            operator_claim,
            discovery: Discovery::new(IssuerUrl::new(settings.issuer)?),
        })
    }

    /// Reads what the provider says about itself, for `serve --check` and the log of the start.
    pub(crate) async fn check(&self, now: Timestamp) -> Result<(), OidcError> {
        self.discovery.metadata(now, REFRESH_INTERVAL).await.map(drop)
    }

    /// Where the browser goes to sign in.
    pub(crate) async fn authorization_url(
        &self,
        attempt: &SignInAttempt,
        now: Timestamp,
    ) -> Result<Url, OidcError> {
        let metadata = self.discovery.metadata(now, REFRESH_INTERVAL).await?;
        let client = self.client(&metadata);
        let (state, nonce) = (CsrfToken::new(attempt.state()), Nonce::new(attempt.nonce()));
        let (url, _, _) = client
            .authorize_url(
                AuthenticationFlow::<CoreResponseType>::AuthorizationCode,
                move || state,
                move || nonce,
            )
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier_of(attempt)))
            .url();
        Ok(url)
    }

    /// Whether the answer may come from this provider. Newer providers add their name (RFC 9207).
    pub(crate) fn is_issuer(&self, issuer: &str) -> bool {
        self.discovery.issuer().as_str() == issuer
    }

    /// Exchanges the code that the browser brought from the provider.
    pub(crate) async fn user(
        &self,
        code: &str,
        attempt: &SignInAttempt,
        now: Timestamp,
    ) -> Result<OidcUser, OidcError> {
        let metadata = self.discovery.metadata(now, REFRESH_INTERVAL).await?;
        let client = self.client(&metadata);
        let request = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|error| OidcError::Unavailable(error.to_string()))?
            .set_pkce_verifier(verifier_of(attempt));
        let response = request.request_async(&send).await.map_err(token_error)?;
        let token =
            response.id_token().ok_or_else(|| OidcError::NoToken("the answer has none".to_owned()))?;
        match self.verify(&metadata, token, attempt, now) {
            // The provider may have a new key.
            Err(ClaimsVerificationError::SignatureVerification(_)) => {
                let metadata = self.discovery.metadata(now, MIN_REFRESH_INTERVAL).await?;
                self.verify(&metadata, token, attempt, now)
            }
            verified => verified,
        }
        .map_err(|error| OidcError::TokenRefused(error_chain(&error)))?
        .ok_or_else(|| OidcError::TokenRefused("`sub` is not a user id".to_owned()))
    }

    /// `None`: the provider's id of the user cannot be used here.
    fn verify(
        &self,
        metadata: &CoreProviderMetadata,
        token: &CoreIdToken,
        attempt: &SignInAttempt,
        now: Timestamp,
    ) -> Result<Option<OidcUser>, ClaimsVerificationError> {
        let earlier = DateTime::from_timestamp_millis(now.millis() - LEEWAY_MILLIS).unwrap_or_default();
        let algorithms =
            metadata.id_token_signing_alg_values_supported().iter().filter(|one| is_accepted(one));
        let client = self.client(metadata);
        let verifier =
            client.id_token_verifier().set_allowed_algs(algorithms.cloned()).set_time_fn(move || earlier);
        let claims = token.claims(&verifier, &Nonce::new(attempt.nonce()))?;
        let Ok(user_id) = claims.subject().parse() else { return Ok(None) };
        let operator = self.operator_claim.is_in(&all_claims(token));
        Ok(Some(OidcUser { user_id, operator }))
    }

    fn client(&self, metadata: &CoreProviderMetadata) -> ProviderClient {
        // The header is the default. Few providers accept the secret only in the body.
        let by_body = metadata.token_endpoint_auth_methods_supported().is_some_and(|methods| {
            !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
                && methods.contains(&CoreClientAuthMethod::ClientSecretPost)
        });
        let secret = ClientSecret::new(self.client_secret.expose().to_owned());
        CoreClient::from_provider_metadata(metadata.clone(), self.client_id.clone(), Some(secret))
            .set_redirect_uri(self.redirect_url.clone())
            .set_auth_type(if by_body { AuthType::RequestBody } else { AuthType::BasicAuth })
    }
}

/// Only a signature with a published key proves that the provider made the token.
fn is_accepted(algorithm: &CoreJwsSigningAlgorithm) -> bool {
    !algorithm.uses_shared_secret() && *algorithm != CoreJwsSigningAlgorithm::None
}

/// The claims of a token whose signature was verified, also those that have no name in the standard.
fn all_claims(token: &CoreIdToken) -> Map<String, Value> {
    let token = token.to_string();
    let payload = token.split('.').nth(1).unwrap_or_default();
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(payload).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn verifier_of(attempt: &SignInAttempt) -> PkceCodeVerifier {
    PkceCodeVerifier::new(attempt.verifier())
}

/// Answers of the token endpoint can contain tokens, so they are not quoted.
fn token_error(
    error: RequestTokenError<OperatorUrlError, StandardErrorResponse<CoreErrorResponseType>>,
) -> OidcError {
    match error {
        RequestTokenError::ServerResponse(answer) => OidcError::NoToken(answer.error().to_string()),
        RequestTokenError::Request(error) => OidcError::Unavailable(error_chain(&error)),
        RequestTokenError::Parse(..) => OidcError::NoToken("the answer cannot be parsed".to_owned()),
        RequestTokenError::Other(_) => OidcError::NoToken("the answer is empty".to_owned()),
    }
}

async fn send(request: HttpRequest) -> Result<HttpResponse, OperatorUrlError> {
    let response = net::send_to_operator_url(request, MAX_ANSWER_BYTES).await?;
    let status = response.status();
    if status.is_server_error() { Err(OperatorUrlError::Status(status.as_u16())) } else { Ok(response) }
}
