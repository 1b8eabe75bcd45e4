//! How application tokens are checked.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use svc_mcp_access::Secret;

use super::values::{seconds, secret};
use crate::jwt::OperatorClaim;

/// A shorter time would refuse tokens at the first failed request.
const MIN_JWKS_MAX_AGE: f64 = 60.0;

/// How application JWTs are checked.
#[derive(Debug, Clone, Args)]
pub struct JwtArgs {
    /// Shared secret for HS256, 32 bytes or more; unset: made in the data directory (SQLite)
    #[arg(long, env = "SVC_JWT_SECRET", value_name = "SECRET", value_parser = secret, hide_env_values = true)]
    pub jwt_secret: Option<Secret>,

    /// URL of the public keys (JWK set) for RS256, ES256 or EdDSA: https, or http on this machine
    #[arg(long, env = "SVC_JWT_JWKS_URL", value_name = "URL", conflicts_with = "jwt_secret")]
    pub jwt_jwks_url: Option<String>,

    /// File with the public keys (JWK set)
    #[arg(long, env = "SVC_JWT_JWKS_FILE", value_name = "FILE", conflicts_with_all = ["jwt_secret", "jwt_jwks_url"])]
    pub jwt_jwks_file: Option<PathBuf>,

    /// Seconds after which public keys that could not be read again are no longer trusted, 60 to 2592000
    #[arg(long, env = "SVC_JWT_JWKS_MAX_AGE", default_value = "86400", value_name = "SECONDS",
        value_parser = seconds(MIN_JWKS_MAX_AGE..=2_592_000.0))]
    pub jwt_jwks_max_age: Duration,

    /// Required `iss`
    #[arg(long, env = "SVC_JWT_ISSUER", value_name = "TEXT")]
    pub jwt_issuer: Option<String>,

    /// Required `aud`
    #[arg(long, env = "SVC_JWT_AUDIENCE", value_name = "TEXT")]
    pub jwt_audience: Option<String>,

    /// What makes a user an operator: a claim that is this text, or a list that contains it. Dots separate the names of
    /// nested claims (`realm_access.roles=operator`); a name with `://` is taken as a whole
    /// (`https://example.com/roles=operator`); any other name can be written as a JSON pointer (`/my.claim=operator`)
    #[arg(
        long,
        env = "SVC_JWT_OPERATOR_CLAIM",
        default_value = "svc_role=operator",
        value_name = "CLAIM=VALUE"
    )]
    pub jwt_operator_claim: OperatorClaim,
}
