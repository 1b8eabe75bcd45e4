//! Deliveries of events to endpoints.

use std::fmt;

use svc_mcp_access::{BrandId, EndpointId, Timestamp, key::Sealed};

/// The deliveries to one endpoint. They share nothing with those of other endpoints.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum EventQueue {
    /// The endpoint of `SVC_EVENTS_URL`.
    Operator,
    Endpoint(BrandId, EndpointId),
}

/// The name of the operator's queue, and the endpoint id of its deliveries.
const OPERATOR: &str = "operator";

impl EventQueue {
    /// The name in the store.
    pub fn name(&self) -> String {
        match self {
            Self::Operator => OPERATOR.to_owned(),
            Self::Endpoint(brand, endpoint) => format!("{brand}/{endpoint}"),
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        if name == OPERATOR {
            return Some(Self::Operator);
        }
        let (brand, endpoint) = name.split_once('/')?;
        Some(Self::Endpoint(brand.parse().ok()?, endpoint.parse().ok()?))
    }

    pub fn endpoint_id(&self) -> &str {
        match self {
            Self::Operator => OPERATOR,
            Self::Endpoint(_, endpoint) => endpoint.as_str(),
        }
    }

    /// `None`: the operator's.
    pub fn brand(&self) -> Option<&BrandId> {
        match self {
            Self::Operator => None,
            Self::Endpoint(brand, _) => Some(brand),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum DeliveryState {
    /// Waits for its first or next try, or is being sent.
    Pending,
    /// The endpoint answered with a status of 200 to 299.
    Delivered,
    /// It was given up.
    Failed,
}

impl DeliveryState {
    pub const NAMES: [&str; 3] = ["pending", "delivered", "failed"];

    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A delivery that this process sends now.
#[derive(Debug, Clone)]
pub struct LeasedDelivery {
    pub delivery_id: String,
    pub queue: EventQueue,
    pub event_id: String,
    /// The same for every try.
    pub body: String,
    pub lease: String,
    /// The number of this try, from 1 on.
    pub attempt: u32,
    /// When the event happened.
    pub at: Timestamp,
    pub target: SendTarget,
}

/// Where to send it.
#[derive(Clone)]
pub enum SendTarget {
    Operator,
    Endpoint { url: String, sealed: Sealed },
}

impl fmt::Debug for SendTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Operator => "Operator",
            Self::Endpoint { .. } => "Endpoint",
        })
    }
}

/// How a try ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TryOutcome {
    Delivered {
        status: u16,
    },
    Failed {
        /// `None`: there was no answer.
        status: Option<u16>,
        error: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_are_read_back_from_their_names() {
        let hook = EventQueue::Endpoint("acme".parse().unwrap(), "operator".parse().unwrap());
        for queue in [EventQueue::Operator, hook] {
            assert_eq!(EventQueue::parse(&queue.name()), Some(queue));
        }
        assert_eq!(EventQueue::parse("acme"), None);
        assert_eq!(EventQueue::parse("acme/"), None);
    }
}
