//! Events: what has happened in a brand, sent to endpoints as Standard Webhooks.
//!
//! The store writes an event in the transaction of its change, with one delivery for each endpoint. The sender
//! takes deliveries that are due and sends them.

mod delivery;
mod endpoint;
mod endpoint_test;
mod event_type;
mod notice;
mod notice_email;
mod operator_endpoint;
mod records;
mod retries;
mod sender;

pub use delivery::{DeliveryState, EventQueue, LeasedDelivery, SendTarget, TryOutcome};
pub use endpoint::{EventEndpoint, MAX_ENDPOINTS, MAX_WAITING_DELIVERIES};
pub use endpoint_test::EndpointTest;
pub use event_type::EventType;
pub use notice::EndpointNotice;
pub(crate) use notice_email::endpoint_notice_email;
pub use operator_endpoint::{OperatorEndpoint, OperatorEndpointError};
pub use records::{EventRecords, FinishedTry};
pub use retries::{MAX_AGE, MAX_TRIES, SWITCH_OFF_AFTER, delay_after};
pub use sender::EventSender;
