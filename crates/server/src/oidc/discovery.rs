//! What the provider says about itself: its endpoints and keys.

use std::{sync::Arc, time::Duration};

use openidconnect::{IssuerUrl, core::CoreProviderMetadata};
use svc_mcp_access::Timestamp;
use svc_mcp_tools::{net::is_encrypted_or_local, outage::Outage};
use tokio::sync::Mutex;

use super::{OidcError, send};
use crate::error_chain::error_chain;

/// Older metadata is read again. A key that is no longer published stops working after this time.
pub(super) const REFRESH_INTERVAL: Duration = Duration::from_mins(10);
/// A token with an unknown key makes the service read the keys again, but not more often than this.
pub(super) const MIN_REFRESH_INTERVAL: Duration = Duration::from_secs(30);
/// Metadata that could not be read again is used up to this age.
const MAX_AGE: Duration = Duration::from_hours(24);
/// After a failure, sign-ins fail at once for this time and do not ask the provider.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

pub(super) struct Discovery {
    issuer: IssuerUrl,
    /// Locked during a request, so that only one runs.
    known: Mutex<Known>,
    outage: Outage,
}

#[derive(Default)]
struct Known {
    metadata: Option<(Arc<CoreProviderMetadata>, Timestamp)>,
    failure: Option<(OidcError, Timestamp)>,
}

impl Known {
    fn younger_than(&self, age: Duration, now: Timestamp) -> Option<Arc<CoreProviderMetadata>> {
        let (metadata, read_at) = self.metadata.as_ref()?;
        (now < read_at.plus(age)).then(|| Arc::clone(metadata))
    }
}

impl Discovery {
    pub(super) fn new(issuer: IssuerUrl) -> Self {
        let outage = Outage::of_seldom_used(
            "oidc",
            "the OpenID Connect provider cannot be read; nobody can sign in with it while that lasts",
        );
        Self { issuer, known: Mutex::default(), outage }
    }

    pub(super) fn issuer(&self) -> &IssuerUrl {
        &self.issuer
    }

    /// The metadata, read again if it is older than `age`.
    pub(super) async fn metadata(
        &self,
        now: Timestamp,
        age: Duration,
    ) -> Result<Arc<CoreProviderMetadata>, OidcError> {
        let mut known = self.known.lock().await;
        if let Some(metadata) = known.younger_than(age, now) {
            return Ok(metadata);
        }
        let recent = known.failure.as_ref().filter(|(_, at)| now < at.plus(RETRY_INTERVAL));
        let error = match recent {
            Some((error, _)) => error.clone(),
            None => match self.read().await {
                Ok(metadata) => {
                    let metadata = Arc::new(metadata);
                    *known = Known { metadata: Some((Arc::clone(&metadata), now)), failure: None };
                    return Ok(metadata);
                }
                Err(error) => {
                    known.failure = Some((error.clone(), now));
                    error
                }
            },
        };
        known.younger_than(MAX_AGE, now).ok_or(error)
    }

    async fn read(&self) -> Result<CoreProviderMetadata, OidcError> {
        let read = CoreProviderMetadata::discover_async(self.issuer.clone(), &send).await;
        let read = read.map_err(|error| OidcError::Unavailable(error_chain(&error)));
        let read = read.and_then(|metadata| check_endpoints(&metadata).map(|()| metadata));
        match &read {
            Ok(_) => self.outage.succeeded(std::time::Instant::now()),
            Err(error) => self.outage.failed(std::time::Instant::now(), error),
        }
        read
    }
}

/// A sign-in needs these endpoints, with https or on this machine.
fn check_endpoints(metadata: &CoreProviderMetadata) -> Result<(), OidcError> {
    let Some(token) = metadata.token_endpoint() else {
        return Err(OidcError::Unavailable("it names no token endpoint".to_owned()));
    };
    if is_encrypted_or_local(token.url()) && is_encrypted_or_local(metadata.authorization_endpoint().url()) {
        return Ok(());
    }
    Err(OidcError::Unavailable("its endpoints must use https, except on this machine".to_owned()))
}
