//! Published keys: a JWK set in a file or at an address.

use std::{path::PathBuf, sync::Arc, time::Duration};

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse},
};
use svc_mcp_access::Timestamp;
use svc_mcp_tools::net;
use tokio::sync::{Mutex, RwLock};

use super::InvalidToken;

/// A token with an unknown `kid` makes the set be read again, but never more often than this.
const SHORTEST_REFRESH: Duration = Duration::from_secs(30);
/// Keys that are no longer published stop working after this long.
const LONGEST_KEPT: Duration = Duration::from_mins(10);
const LARGEST_SET: usize = 1024 * 1024;

#[derive(Debug, Clone)]
pub enum Source {
    Address(String),
    File(PathBuf),
}

#[derive(Debug, thiserror::Error)]
pub enum UnreadableKeys {
    #[error("cannot read the JWK set: {0}")]
    File(#[from] std::io::Error),
    #[error("cannot fetch the JWK set: {0}")]
    Fetch(#[from] net::FetchError),
    #[error("the JWK set is not JSON of the right shape: {0}")]
    Shape(#[from] serde_json::Error),
    #[error("the JWK set has no key for RS256, ES256 or EdDSA")]
    NoKeys,
}

#[derive(Debug)]
pub struct Jwks {
    source: Source,
    known: RwLock<Known>,
    /// When the set was last asked for, whether it answered or not. Held while asking, so that one asks for all.
    asked: Mutex<Option<Timestamp>>,
}

#[derive(Debug, Default)]
struct Known {
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
        Self { source, known: RwLock::default(), asked: Mutex::default() }
    }

    /// Reads the set now, so that a wrong setting is told at the start.
    pub async fn load(&self, now: Timestamp) -> Result<(), UnreadableKeys> {
        let keys = self.read().await?;
        *self.known.write().await = Known { keys, read_at: Some(now) };
        *self.asked.lock().await = Some(now);
        Ok(())
    }

    /// The key that a token names, and the one algorithm that key is for.
    pub(super) async fn find(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<(DecodingKey, Algorithm), InvalidToken> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| InvalidToken("no JWT"))?;
        let kid = header.kid.as_deref();
        let fresh = self.known.read().await.read_at.is_some_and(|at| at.plus(LONGEST_KEPT) > now);
        if !fresh || self.pick(kid).await.is_none() {
            self.refresh(now).await;
        }
        self.pick(kid).await.ok_or(InvalidToken("signed with an unknown key"))
    }

    /// By `kid`; a token without one is taken only where there is just one key to mean.
    async fn pick(&self, kid: Option<&str>) -> Option<(DecodingKey, Algorithm)> {
        let keys = Arc::clone(&self.known.read().await.keys);
        let found = match kid {
            Some(kid) => keys.iter().find(|key| key.kid.as_deref() == Some(kid)),
            None if keys.len() == 1 => keys.first(),
            None => None,
        };
        found.map(|key| (key.key.clone(), key.algorithm))
    }

    async fn refresh(&self, now: Timestamp) {
        let mut asked = self.asked.lock().await;
        if asked.is_some_and(|at| at.plus(SHORTEST_REFRESH) > now) {
            return;
        }
        *asked = Some(now);
        match self.read().await {
            Ok(keys) => *self.known.write().await = Known { keys, read_at: Some(now) },
            Err(error) => {
                tracing::warn!(%error, "the JWK set could not be refreshed; the known keys stay in use");
            }
        }
    }

    async fn read(&self) -> Result<Arc<[PublishedKey]>, UnreadableKeys> {
        let bytes = match &self.source {
            Source::Address(address) => net::fetch_configured(address, LARGEST_SET).await?,
            Source::File(file) => tokio::fs::read(file).await?,
        };
        let set: JwkSet = serde_json::from_slice(&bytes)?;
        let keys: Arc<[PublishedKey]> = set.keys.iter().filter_map(usable).collect();
        if keys.is_empty() { Err(UnreadableKeys::NoKeys) } else { Ok(keys) }
    }
}

/// A key for signatures of one of the three algorithms. What the key is decides its algorithm; a shared secret
/// (`oct`) is never taken from a published set.
fn usable(jwk: &Jwk) -> Option<PublishedKey> {
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
