//! Issues tokens with the shared secret: for the demo, the tests and `svc-mcp token`.

use std::time::Duration;

use jsonwebtoken::{EncodingKey, Header};
use serde_json::Map;
use svc_mcp_access::{Secret, Timestamp, UserId};

use super::{Claims, OperatorClaim};

#[derive(Debug, Clone)]
pub struct Issuer {
    pub secret: Secret,
    pub issuer: Option<String>,
    pub audience: Option<String>,
    pub operator_claim: OperatorClaim,
}

/// The user of a token, and how long it is valid.
#[derive(Debug, Clone)]
pub struct NewToken {
    pub user_id: UserId,
    pub operator: bool,
    pub valid_for: Duration,
}

impl Issuer {
    pub fn issue(&self, token: &NewToken, now: Timestamp) -> Secret {
        let claims = Claims {
            sub: token.user_id.to_string(),
            exp: now.plus(token.valid_for).millis() / 1000,
            nbf: None,
            iss: self.issuer.clone(),
            aud: self.audience.clone().map(Into::into),
            others: if token.operator { self.operator_claim.claims() } else { Map::default() },
        };
        let key = EncodingKey::from_secret(self.secret.expose().as_bytes());
        let signed = jsonwebtoken::encode(&Header::default(), &claims, &key);
        Secret::new(signed.expect("claims of strings and numbers can be signed"))
    }
}
