use serde::{Deserialize, Serialize};
use svc_mcp_access::{EndpointId, Timestamp};

/// What the mail about an endpoint that was switched off says. It is stored with the mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointNotice {
    pub endpoint_id: EndpointId,
    pub failing_since: Timestamp,
    pub disabled_at: Timestamp,
    /// The last answer, or why there was none.
    pub last_error: String,
}
