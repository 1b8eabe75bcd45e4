//! Public keys: a JWK set from a file or a URL.

use std::{path::PathBuf, sync::Arc, time::Duration};

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse},
};
use svc_mcp_access::{Clock, Timestamp};
use svc_mcp_tools::{net, outage::Outage};
use tokio::{
    sync::{Mutex, MutexGuard, RwLock},
    time::{Instant, sleep},
};
use url::Url;

use super::{TokenError, TokenRefusal};

/// A token with an unknown `kid` refreshes the set, but never more often than this.
const MIN_REFRESH_INTERVAL: Duration = Duration::from_secs(30);
/// An older set is read again. A key that is no longer published stops working after this time.
const REFRESH_INTERVAL: Duration = Duration::from_mins(10);
/// How often the age of the set is checked.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The wait after the first failure. It doubles with each further one.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(1);
const MAX_RETRY_DELAY: Duration = Duration::from_mins(1);
const MAX_SET_BYTES: usize = 1024 * 1024;

#[derive(Debug, Clone)]
pub enum Source {
    Url(Url),
    File(PathBuf),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an https URL; http is accepted only for this machine (127.0.0.1, [::1], localhost)")]
pub struct InsecureUrl;

impl Source {
    /// An attacker who changes the set in transit can sign tokens, so it comes over TLS or from this machine.
    pub fn url(text: &str) -> Result<Self, InsecureUrl> {
        let url = Url::parse(text).map_err(|_| InsecureUrl)?;
        match url.scheme() {
            "https" => Ok(Self::Url(url)),
            "http" if net::is_loopback(&url) => Ok(Self::Url(url)),
            _ => Err(InsecureUrl),
        }
    }
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
    /// Older keys are not trusted.
    max_age: Duration,
    cached: RwLock<CachedKeys>,
    /// When the set was last requested, successfully or not. Locked during the request, so that only one runs.
    last_request: Mutex<Option<Timestamp>>,
    outage: Outage,
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
    pub fn new(source: Source, max_age: Duration) -> Self {
        let outage = Outage::of_seldom_used(
            "jwks",
            "the JWK set cannot be read; application tokens are refused while it is missing or too old",
        );
        Self { source, max_age, cached: RwLock::default(), last_request: Mutex::default(), outage }
    }

    /// Reads the set now.
    pub async fn load(&self, now: Timestamp) -> Result<(), JwksError> {
        let mut last_request = self.last_request.lock().await;
        *last_request = Some(now);
        self.read_into_cache(now).await
    }

    /// Logs when an outage of the set begins, continues and ends. Not part of `load`: the start of the service may fail with
    /// the same error.
    pub(crate) fn log_outage(&self, loaded: &Result<(), JwksError>) {
        match loaded {
            Ok(()) => self.outage.succeeded(std::time::Instant::now()),
            Err(error) => self.outage.failed(std::time::Instant::now(), error),
        }
    }

    /// Keeps the set fresh until the service stops: without requests, and with a growing delay after failures.
    pub(crate) async fn keep_fresh(&self, clock: &dyn Clock) {
        let mut delay = MIN_RETRY_DELAY;
        let mut retry_at = Instant::now() + delay;
        loop {
            self.record_age(clock.now()).await;
            sleep(CHECK_INTERVAL).await;
            if !self.is_older_than(self.refresh_interval(), clock.now()).await || Instant::now() < retry_at {
                continue;
            }
            let loaded = self.load(clock.now()).await;
            self.log_outage(&loaded);
            if loaded.is_ok() {
                delay = MIN_RETRY_DELAY;
            } else {
                retry_at = Instant::now() + delay;
                delay = (delay * 2).min(MAX_RETRY_DELAY);
            }
        }
    }

    /// Whether tokens can be checked now.
    pub(super) async fn is_usable(&self, now: Timestamp) -> bool {
        !self.is_older_than(self.max_age, now).await
    }

    async fn is_older_than(&self, age: Duration, now: Timestamp) -> bool {
        self.cached.read().await.read_at.is_none_or(|at| at.plus(age) <= now)
    }

    fn refresh_interval(&self) -> Duration {
        REFRESH_INTERVAL.min(self.max_age / 2)
    }

    async fn record_age(&self, now: Timestamp) {
        let usable = self.is_usable(now).await;
        metrics::gauge!("svc_mcp_jwks_usable").set(if usable { 1.0 } else { 0.0 });
        if let Some(read_at) = self.cached.read().await.read_at {
            let seconds = u32::try_from((now.millis() - read_at.millis()).max(0) / 1000).unwrap_or(u32::MAX);
            metrics::gauge!("svc_mcp_jwks_age_seconds").set(f64::from(seconds));
        }
    }

    /// The key that signed a token, and the only algorithm allowed for that key.
    pub(super) async fn find(
        &self,
        kid: Option<&str>,
        now: Timestamp,
    ) -> Result<(DecodingKey, Algorithm), TokenError> {
        // Without a usable set, requests do not wait for one: `keep_fresh` reads it.
        if !self.is_usable(now).await {
            return Err(TokenError::NoKeys);
        }
        let is_stale = self.is_older_than(self.refresh_interval(), now).await;
        let last_request = match self.find_cached(kid).await {
            Some(key) if !is_stale => return Ok(key),
            // A known key does not wait for a request that is under way.
            Some(_) => self.last_request.try_lock().ok(),
            None => Some(self.last_request.lock().await),
        };
        if let Some(last_request) = last_request {
            self.refresh(last_request, now).await;
        }
        self.find_cached(kid).await.ok_or(TokenRefusal::KeyUnknown.into())
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

    async fn refresh(&self, mut last_request: MutexGuard<'_, Option<Timestamp>>, now: Timestamp) {
        if last_request.is_some_and(|at| at.plus(MIN_REFRESH_INTERVAL) > now) {
            return;
        }
        *last_request = Some(now);
        self.log_outage(&self.read_into_cache(now).await);
    }

    async fn read_into_cache(&self, now: Timestamp) -> Result<(), JwksError> {
        let keys = self.read().await?;
        *self.cached.write().await = CachedKeys { keys, read_at: Some(now) };
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_is_encrypted_or_local() {
        for good in [
            "https://app.example/jwks.json",
            "http://127.0.0.1:8080/jwks.json",
            "http://127.9.9.9/",
            "http://[::1]:8080/jwks.json",
            "http://localhost/jwks.json",
        ] {
            assert!(Source::url(good).is_ok(), "{good}");
        }
        for bad in [
            "http://app.example/jwks.json",
            "http://10.0.0.1/jwks.json",
            "http://localhost.example/",
            "http://127.0.0.1.example/",
            "ftp://127.0.0.1/jwks.json",
            "app.example/jwks.json",
            "",
        ] {
            assert!(Source::url(bad).is_err(), "{bad}");
        }
    }
}
