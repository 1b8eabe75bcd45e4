//! The operator's endpoint, `SVC_EVENTS_URL`. It may be a private host, so it has a client of its own that may reach this
//! host and that nobody else can use.

use svc_mcp_access::Secret;
use url::Url;

use crate::{
    net::{ClientError, Guard, InvalidHostError, Outbound, UrlError, is_loopback, parse_http_url},
    standard_webhooks::{SigningSecret, SigningSecretError},
};

#[derive(Debug, Clone)]
pub struct OperatorEndpoint {
    pub(super) url: Url,
    pub(super) secret: Secret,
    pub(super) outbound: Outbound,
}

#[derive(Debug, thiserror::Error)]
pub enum OperatorEndpointError {
    #[error("SVC_EVENTS_URL {0}")]
    Url(#[from] UrlError),
    #[error("SVC_EVENTS_URL must be https, or http on this machine")]
    NotSecure,
    #[error("SVC_EVENTS_SECRET {0}")]
    Secret(#[from] SigningSecretError),
    #[error("SVC_EVENTS_URL: {0}")]
    Host(#[from] InvalidHostError),
    #[error(transparent)]
    Client(#[from] ClientError),
}

impl OperatorEndpoint {
    pub fn new(url: &Secret, secret: &Secret) -> Result<Self, OperatorEndpointError> {
        let url = parse_http_url(url.expose())?;
        if url.scheme() != "https" && !is_loopback(&url) {
            return Err(OperatorEndpointError::NotSecure);
        }
        SigningSecret::parse(secret)?;
        let host = format!(
            "{}:{}",
            url.host_str().unwrap_or_default(),
            url.port_or_known_default().unwrap_or_default()
        );
        let outbound = Outbound::new(Guard::allowing([host])?)?;
        Ok(Self { url, secret: secret.clone(), outbound })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, secret: &str) -> Result<(), String> {
        let made = OperatorEndpoint::new(&Secret::new(url.into()), &Secret::new(secret.into()));
        made.map(|_| ()).map_err(|error| error.to_string())
    }

    #[test]
    fn only_https_or_this_machine_and_a_good_secret() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        for good in [
            "https://hooks.example/events",
            "https://10.0.0.7:8443/x",
            "http://127.0.0.1:9/",
            "http://[::1]:9/",
            "http://localhost:9/",
        ] {
            assert_eq!(check(good, secret), Ok(()), "{good}");
        }
        for bad in ["http://hooks.example/", "http://10.0.0.7/", "ftp://127.0.0.1/", "events"] {
            let message = check(bad, secret).expect_err(bad);
            assert!(message.starts_with("SVC_EVENTS_URL"), "{message}");
        }
        let message = check("https://hooks.example/", "whsec_AAAA").expect_err("too short");
        assert!(message.starts_with("SVC_EVENTS_SECRET"), "{message}");
    }
}
