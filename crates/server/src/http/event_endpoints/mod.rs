//! Where a brand gets its events. For the brand's administrators.

pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod put;
pub(crate) mod send_test;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::Timestamp;
use svc_mcp_tools::events::{EventEndpoint, EventType};

use super::extract::schemas::Time;

const ENDPOINTS: &str = "/api/brands/{brand_id}/event-endpoints";
const ENDPOINT: &str = "/api/brands/{brand_id}/event-endpoints/{endpoint_id}";

/// A URL that gets events
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "EventEndpoint")]
struct EndpointView {
    #[schemars(example = &"crm")]
    endpoint_id: String,
    #[schemars(example = &"https://crm.example/events")]
    url: String,
    /// The types that it gets; null: all
    types: Option<Vec<&'static str>>,
    /// Whether its administrators want it to get events
    enabled: bool,
    /// The first failed try since the last success
    #[schemars(with = "Option<Time>")]
    failing_since: Option<Timestamp>,
    /// When the service has switched it off, because it failed for 3 days; saving it switches it on
    #[schemars(with = "Option<Time>")]
    disabled_at: Option<Timestamp>,
    /// Its last error before that
    disabled_reason: Option<String>,
    /// Deliveries that were given up because too many waited
    dropped: u64,
    #[schemars(with = "Time")]
    created_at: Timestamp,
    #[schemars(with = "Time")]
    updated_at: Timestamp,
}

impl From<EventEndpoint> for EndpointView {
    fn from(endpoint: EventEndpoint) -> Self {
        Self {
            endpoint_id: endpoint.endpoint_id.into(),
            url: endpoint.url,
            types: endpoint.types.map(|types| types.into_iter().map(EventType::as_str).collect()),
            enabled: endpoint.enabled,
            failing_since: endpoint.failing_since,
            disabled_at: endpoint.disabled_at,
            disabled_reason: endpoint.disabled_reason,
            dropped: endpoint.dropped,
            created_at: endpoint.created_at,
            updated_at: endpoint.updated_at,
        }
    }
}
