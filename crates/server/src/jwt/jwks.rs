//! Public keys: a JWK set from a file or a URL.

use std::{path::PathBuf, sync::Arc, time::Duration};

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse},
};
use svc_mcp_access::Timestamp;
use svc_mcp_tools::net;
use tokio::sync::{Mutex, RwLock};

use super::InvalidToken;

/// A token with an unknown `kid` refreshes the set, but never more often than this.
const MIN_REFRESH_INTERVAL: Duration = Duration::from_secs(30);
/// A key that is no longer published stops working after this time.
const MAX_AGE: Duration = Duration::from_mins(10);
const MAX_SET_BYTES: usize = 1024 * 1024;

#[derive(Debug, Clone)]
pub enum Source {
    Url(String),
    File(PathBuf),
}

#[derive(Debug, thiserror::Error)]
pub enum JwksError {
    #[error("cannot read the JWK set: {0}")]
    File(#[from] std::io::Error),
    #[error("cannot fetch the JWK set: {0}")]
    Fetch(#[from] net::OperatorUrlError),
    #[error("the JWK set is not JSON of the right shape: {0}")]
    Shape(#[from] serde_json::Error),
    #[error("the JWK set has no key for RS256, ES256 or EdDSA")]
    NoKeys,
}

#[derive(Debug)]
pub struct Jwks {
    source: Source,
    cached: RwLock<CachedKeys>,
    /// When the set was last requested, successfully or not. Locked during the request, so that only one runs.
    last_request: Mutex<Option<Timestamp>>,
}

#[derive(Debug, Default)]
struct CachedKeys {
    keys: Arc<[PublishedKey]>,
    read_at: Option<Timestamp>,
}

struct PublishedKey {
    kid: Option<String>,
    algorithm: Algorithm,
    key: DecodingKey,
}

impl std::fmt::Debug for PublishedKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.algorithm, self.kid)
    }
}

impl Jwks {
    pub fn new(source: Source) -> Self {
        Self { source, cached: RwLock::default(), last_request: Mutex::default() }
    }

    /// Reads the set now, so that a wrong setting is reported at the start.
    pub async fn load(&self, now: Timestamp) -> Result<(), JwksError> {
        let keys = self.read().await?;
        *self.cached.write().await = CachedKeys { keys, read_at: Some(now) };
        *self.last_request.lock().await = Some(now);
        Ok(())
    }

    /// The key that signed a token, and the only algorithm allowed for that key.
    pub(super) async fn find(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<(DecodingKey, Algorithm), InvalidToken> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| InvalidToken("no JWT"))?;
        let kid = header.kid.as_deref();
        let fresh = self.cached.read().await.read_at.is_some_and(|at| at.plus(MAX_AGE) > now);
        if !fresh || self.find_cached(kid).await.is_none() {
            self.refresh(now).await;
        }
        self.find_cached(kid).await.ok_or(InvalidToken("signed with an unknown key"))
    }

    /// Finds a key by `kid`. A token without `kid` is accepted only if the set has a single key.
    async fn find_cached(&self, kid: Option<&str>) -> Option<(DecodingKey, Algorithm)> {
        let keys = Arc::clone(&self.cached.read().await.keys);
        let found = match kid {
            Some(kid) => keys.iter().find(|key| key.kid.as_deref() == Some(kid)),
            None if keys.len() == 1 => keys.first(),
            None => None,
        };
        found.map(|key| (key.key.clone(), key.algorithm))
    }

    async fn refresh(&self, now: Timestamp) {
        let mut last_request = self.last_request.lock().await;
        if last_request.is_some_and(|at| at.plus(MIN_REFRESH_INTERVAL) > now) {
            return;
        }
        *last_request = Some(now);
        match self.read().await {
            Ok(keys) => *self.cached.write().await = CachedKeys { keys, read_at: Some(now) },
            Err(error) => {
                tracing::warn!(%error, "the JWK set could not be refreshed; the cached keys stay in use");
            }
        }
    }

    async fn read(&self) -> Result<Arc<[PublishedKey]>, JwksError> {
        let bytes = match &self.source {
            Source::Url(url) => net::fetch_operator_url(url, MAX_SET_BYTES).await?,
            Source::File(file) => tokio::fs::read(file).await?,
        };
        let set: JwkSet = serde_json::from_slice(&bytes)?;
        let keys: Arc<[PublishedKey]> = set.keys.iter().filter_map(signing_key).collect();
        if keys.is_empty() { Err(JwksError::NoKeys) } else { Ok(keys) }
    }
}

/// A signing key for one of the three algorithms. The kind of key decides the algorithm. A shared secret (`oct`) in a
/// published set is ignored.
fn signing_key(jwk: &Jwk) -> Option<PublishedKey> {
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256 => Algorithm::ES256,
        AlgorithmParameters::OctetKeyPair(pair) if pair.curve == EllipticCurve::Ed25519 => Algorithm::EdDSA,
        _ => return None,
    };
    let stated = match jwk.common.key_algorithm {
        None => Some(algorithm),
        Some(KeyAlgorithm::RS256) => Some(Algorithm::RS256),
        Some(KeyAlgorithm::ES256) => Some(Algorithm::ES256),
        Some(KeyAlgorithm::EdDSA) => Some(Algorithm::EdDSA),
        Some(_) => None,
    };
    let for_signatures = !matches!(jwk.common.public_key_use, Some(PublicKeyUse::Encryption));
    if stated != Some(algorithm) || !for_signatures {
        return None;
    }
    let key = DecodingKey::from_jwk(jwk).ok()?;
    Some(PublishedKey { kid: jwk.common.key_id.clone(), algorithm, key })
}
