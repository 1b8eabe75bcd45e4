//! Application JWTs: who a person is. The algorithm comes from the configuration, never from the token.

mod issue;
mod jwks;

use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Secret, Timestamp, UserId};

pub use issue::{Issuer, NewToken};
pub use jwks::{Jwks, Source, UnreadableKeys};

/// Clocks of two machines may differ by so much.
const LEEWAY_SECONDS: i64 = 30;
/// A token is a few hundred bytes; what is longer is not worth parsing.
const LONGEST_TOKEN: usize = 8 * 1024;
pub const SHORTEST_SECRET: usize = 32;

/// The person behind a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub user_id: UserId,
    pub operator: bool,
}

/// Why a token is refused. One answer for all of it; the words go to the log at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidToken(pub &'static str);

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    sub: String,
    exp: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nbf: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    iss: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    aud: Option<serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    svc_role: Option<String>,
}

/// Which keys sign the tokens.
#[derive(Debug)]
pub enum Keys {
    Shared(SharedSecret),
    Published(Jwks),
}

pub struct SharedSecret(DecodingKey);

impl SharedSecret {
    pub fn new(secret: &Secret) -> Result<Self, String> {
        if secret.expose().len() < SHORTEST_SECRET {
            return Err(format!(
                "SVC_JWT_SECRET must have at least {SHORTEST_SECRET} bytes (`openssl rand -base64 48` makes one)"
            ));
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
}

impl Verifier {
    pub async fn verify(&self, token: &str, now: Timestamp) -> Result<User, InvalidToken> {
        if token.len() > LONGEST_TOKEN {
            return Err(InvalidToken("too long"));
        }
        let claims = match &self.keys {
            Keys::Shared(secret) => self.claims(token, &secret.0, Algorithm::HS256)?,
            Keys::Published(keys) => {
                let (key, algorithm) = keys.find(token, now).await?;
                self.claims(token, &key, algorithm)?
            }
        };
        check_times(&claims, now)?;
        let user_id = claims.sub.parse().map_err(|_| InvalidToken("`sub` is no user id"))?;
        Ok(User { user_id, operator: claims.svc_role.as_deref() == Some("operator") })
    }

    fn claims(&self, token: &str, key: &DecodingKey, algorithm: Algorithm) -> Result<Claims, InvalidToken> {
        let mut rules = Validation::new(algorithm);
        // Times are checked against the service's own clock.
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
        decoded.map(|token| token.claims).map_err(|_| InvalidToken("signature, algorithm or claims"))
    }
}

fn check_times(claims: &Claims, now: Timestamp) -> Result<(), InvalidToken> {
    let now = now.millis() / 1000;
    if claims.exp.saturating_add(LEEWAY_SECONDS) <= now {
        return Err(InvalidToken("expired"));
    }
    if claims.nbf.is_some_and(|nbf| nbf.saturating_sub(LEEWAY_SECONDS) > now) {
        return Err(InvalidToken("not valid yet"));
    }
    Ok(())
}
