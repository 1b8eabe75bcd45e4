use std::fmt;

use svc_mcp_access::{EndpointId, Timestamp, key::Sealed};

use super::EventType;

/// Endpoints per brand.
pub const MAX_ENDPOINTS: u32 = 5;
/// How many deliveries may wait for one endpoint. If there are more, the oldest are given up.
pub const MAX_WAITING_DELIVERIES: u32 = 2_000;

/// Where a brand gets its events.
#[derive(Clone, PartialEq, Eq)]
pub struct EventEndpoint {
    pub endpoint_id: EndpointId,
    /// It may contain a secret in its path or query, so it is shown only to administrators.
    pub url: String,
    /// `None`: all types.
    pub types: Option<Vec<EventType>>,
    /// What the administrators want.
    pub enabled: bool,
    pub sealed: Sealed,
    /// The first failed try since the last success.
    pub failing_since: Option<Timestamp>,
    /// The service has switched it off, because it failed for too long.
    pub disabled_at: Option<Timestamp>,
    pub disabled_reason: Option<String>,
    /// Deliveries that were given up because too many waited.
    pub dropped: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl EventEndpoint {
    pub fn is_on(&self) -> bool {
        self.enabled && self.disabled_at.is_none()
    }
}

impl fmt::Debug for EventEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventEndpoint").field("endpoint_id", &self.endpoint_id).finish_non_exhaustive()
    }
}
