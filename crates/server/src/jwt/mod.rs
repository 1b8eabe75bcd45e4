//! Application JWTs. The algorithm comes from the configuration, never from the token.

mod issue;
mod jwks;
mod operator_claim;
mod refusal;

use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_mcp_access::{Secret, Timestamp, UserId};

pub use issue::{Issuer, NewToken};
pub use jwks::{InsecureUrl, Jwks, JwksError, Source};
pub use operator_claim::{OperatorClaim, OperatorClaimError};
pub use refusal::TokenRefusal;

/// Allowed difference between the clocks of two machines.
const LEEWAY_SECONDS: i64 = 30;
/// A normal token has a few hundred bytes. Longer ones are refused without parsing.
const MAX_TOKEN_CHARS: usize = 8 * 1024;
pub const MIN_SECRET_BYTES: usize = 32;

/// The user of a valid token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub user_id: UserId,
    pub operator: bool,
    /// The token's `exp`.
    pub expires_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    Refused(TokenRefusal),
    /// There is no JWK set, or it is too old, so no token can be checked.
    NoKeys,
}

impl From<TokenRefusal> for TokenError {
    fn from(refusal: TokenRefusal) -> Self {
        Self::Refused(refusal)
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    sub: String,
    exp: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nbf: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    iss: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    aud: Option<Value>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// The keys that sign tokens.
#[derive(Debug)]
pub enum Keys {
    Shared(SharedSecret),
    Published(Box<Jwks>),
}

pub struct SharedSecret(DecodingKey);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("SVC_JWT_SECRET must have at least {MIN_SECRET_BYTES} bytes (`openssl rand -base64 48` makes one)")]
pub struct SecretTooShort;

impl SharedSecret {
    pub fn new(secret: &Secret) -> Result<Self, SecretTooShort> {
        if secret.expose().len() < MIN_SECRET_BYTES {
            return Err(SecretTooShort);
        }
        Ok(Self(DecodingKey::from_secret(secret.expose().as_bytes())))
    }
}

impl std::fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedSecret(redacted)")
    }
}

#[derive(Debug)]
pub struct Verifier {
    pub keys: Keys,
    pub issuer: Option<String>,
    pub audience: Option<String>,
    pub operator_claim: OperatorClaim,
}

impl Verifier {
    /// Whether tokens can be checked now.
    pub async fn is_usable(&self, now: Timestamp) -> bool {
        match &self.keys {
            Keys::Shared(_) => true,
            Keys::Published(keys) => keys.is_usable(now).await,
        }
    }

    pub async fn verify(&self, token: &str, now: Timestamp) -> Result<User, TokenError> {
        if token.len() > MAX_TOKEN_CHARS {
            return Err(TokenRefusal::Malformed.into());
        }
        let header = jsonwebtoken::decode_header(token).map_err(|_| TokenRefusal::Malformed)?;
        let claims = match &self.keys {
            Keys::Shared(secret) => self.claims(token, &secret.0, Algorithm::HS256)?,
            Keys::Published(keys) => {
                let (key, algorithm) = keys.find(header.kid.as_deref(), now).await?;
                self.claims(token, &key, algorithm)?
            }
        };
        check_times(&claims, now)?;
        let user_id = claims.sub.parse().map_err(|_| TokenRefusal::Claims)?;
        let expires_at = Timestamp::from_millis(claims.exp.saturating_mul(1000));
        Ok(User { user_id, operator: self.operator_claim.is_in(&claims.others), expires_at })
    }

    fn claims(&self, token: &str, key: &DecodingKey, algorithm: Algorithm) -> Result<Claims, TokenRefusal> {
        let mut rules = Validation::new(algorithm);
        // `check_times` compares the times with the service's own clock.
        rules.validate_exp = false;
        rules.validate_nbf = false;
        let mut required = vec!["exp", "sub"];
        if let Some(issuer) = &self.issuer {
            rules.set_issuer(&[issuer]);
            required.push("iss");
        }
        match &self.audience {
            Some(audience) => {
                rules.set_audience(&[audience]);
                required.push("aud");
            }
            None => rules.validate_aud = false,
        }
        rules.set_required_spec_claims(&required);
        let decoded = jsonwebtoken::decode::<Claims>(token, key, &rules);
        decoded.map(|token| token.claims).map_err(|error| TokenRefusal::of(error.kind()))
    }
}

fn check_times(claims: &Claims, now: Timestamp) -> Result<(), TokenRefusal> {
    let now = now.millis() / 1000;
    if claims.exp.saturating_add(LEEWAY_SECONDS) <= now {
        return Err(TokenRefusal::Expired);
    }
    if claims.nbf.is_some_and(|nbf| nbf.saturating_sub(LEEWAY_SECONDS) > now) {
        return Err(TokenRefusal::NotYetValid);
    }
    Ok(())
}
