use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::Timestamp;
use svc_mcp_store::Delivery;

use crate::http::extract::schemas::Time;

/// One event for one endpoint
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "EventDelivery")]
pub(crate) struct DeliveryView {
    #[schemars(example = &"dlv_5f0c2b6e9d1a4c7b8e3f6a2d4c9b1e70")]
    delivery_id: String,
    /// The header `webhook-id` of every try
    #[schemars(example = &"evt_0a1b2c3d4e5f60718293a4b5c6d7e8f9")]
    event_id: String,
    #[serde(rename = "type")]
    #[schemars(example = &"key.revoked")]
    event_type: String,
    /// Null: the event belongs to no brand
    brand_id: Option<String>,
    /// `operator`: the endpoint of the operator
    #[schemars(example = &"crm")]
    endpoint_id: String,
    /// When the event happened
    #[schemars(with = "Time")]
    at: Timestamp,
    /// `pending`, `delivered` or `failed`
    #[schemars(example = &"delivered")]
    status: &'static str,
    /// Tries so far
    attempts: u32,
    /// Null: it is not tried again
    #[schemars(with = "Option<Time>")]
    next_try_at: Option<Timestamp>,
    #[schemars(with = "Option<Time>")]
    last_try_at: Option<Timestamp>,
    /// The HTTP status of the last answer; null: there was none
    #[schemars(example = 200)]
    last_status: Option<u16>,
    /// Why the last try failed, or why the delivery was given up
    last_error: Option<String>,
    #[schemars(with = "Option<Time>")]
    delivered_at: Option<Timestamp>,
}

impl From<Delivery> for DeliveryView {
    fn from(delivery: Delivery) -> Self {
        Self {
            endpoint_id: delivery.queue.endpoint_id().to_owned(),
            delivery_id: delivery.delivery_id,
            event_id: delivery.event_id,
            event_type: delivery.event_type,
            brand_id: delivery.brand_id.map(Into::into),
            at: delivery.at,
            status: delivery.state.as_str(),
            attempts: delivery.attempts,
            next_try_at: delivery.next_try_at,
            last_try_at: delivery.last_try_at,
            last_status: delivery.last_status,
            last_error: delivery.last_error,
            delivered_at: delivery.delivered_at,
        }
    }
}
