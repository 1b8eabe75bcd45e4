//! Tests an event endpoint with a signed event that says that it is a test.

use serde_json::json;
use svc_mcp_access::{
    BrandId, Timestamp,
    key::{SealOwner, SealingKeys},
};
use url::Url;

use super::EventEndpoint;
use crate::{
    connection_test::{TEST_TIMEOUT, TestOutcome},
    net::{Limits, Outbound},
    standard_webhooks::SigningSecret,
};

/// What a test of an endpoint needs.
#[derive(Debug)]
pub struct EndpointTest<'a> {
    pub brand_id: &'a BrandId,
    pub outbound: &'a Outbound,
    /// `None`: secrets cannot be opened.
    pub sealing: Option<&'a SealingKeys>,
    pub now: Timestamp,
    pub event_id: &'a str,
}

impl EndpointTest<'_> {
    /// Also works if the endpoint is off. Its deliveries are not touched.
    pub async fn run(&self, endpoint: &EventEndpoint) -> TestOutcome {
        let (url, key) = match self.target(endpoint) {
            Ok(target) => target,
            Err(message) => return TestOutcome::failed(message, None),
        };
        let body = json!({
            "type": "ping",
            "timestamp": self.now,
            "data": {
                "brand_id": self.brand_id,
                "endpoint_id": endpoint.endpoint_id,
                "message": "This is a test of the endpoint. Nothing has happened.",
            },
        });
        let mut request = key.request(url, self.event_id, self.now, body.to_string());
        request.limits = Limits { timeout: TEST_TIMEOUT, max_body_bytes: 0, max_redirects: 0 };
        match self.outbound.send(request).await {
            Ok(answer) if answer.is_success() => {
                TestOutcome::passed("The endpoint accepted a signed test event.", Some(answer.status))
            }
            Ok(answer) => {
                let message = format!(
                    "The endpoint answered {}. It must answer with a status of 200 to 299 to accept an event.",
                    answer.status
                );
                TestOutcome::failed(message, Some(answer.status))
            }
            Err(error) => TestOutcome::failed(format!("The request to the endpoint failed: {error}."), None),
        }
    }

    fn target(&self, endpoint: &EventEndpoint) -> Result<(Url, SigningSecret), &'static str> {
        let keys = self.sealing.ok_or(
            "Sealing is off, so the signing secret cannot be opened. Ask the operator about SVC_REVEAL_KEYS.",
        )?;
        let secret = keys
            .open(&endpoint.sealed, SealOwner::event_endpoint(self.brand_id, &endpoint.endpoint_id))
            .map_err(|_| "The signing secret cannot be opened. Ask the operator about SVC_REVEAL_KEYS.")?;
        let key = SigningSecret::parse(&secret)
            .map_err(|_| "The signing secret is damaged. Delete the endpoint and create it again.")?;
        let url = Url::parse(&endpoint.url).map_err(|_| "The URL is damaged. Save the endpoint again.")?;
        Ok((url, key))
    }
}
