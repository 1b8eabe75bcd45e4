//! Deliveries of events as the store provides them.

use async_trait::async_trait;
use svc_mcp_access::{BrandId, StoreError, Timestamp};

use super::{EndpointNotice, EventQueue, LeasedDelivery, TryOutcome};

/// What became of a delivery after a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishedTry {
    Delivered,
    /// It is tried again later.
    Postponed,
    GivenUp,
    /// It was given up, and the endpoint is switched off.
    SwitchedOff,
    /// Another process has taken the delivery, or it is gone.
    LeaseLost,
}

#[async_trait]
pub trait EventRecords: Send + Sync {
    /// The queues after this name that have a delivery that is due, in the order of their names.
    async fn ready_queues(
        &self,
        after: &str,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<EventQueue>, StoreError>;

    /// The next delivery of a queue. Nobody else takes it until `until`. `None`: nothing may be sent now. A delivery waits for
    /// the earlier ones of the same key.
    async fn lease_delivery(
        &self,
        queue: &EventQueue,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<LeasedDelivery>, StoreError>;

    /// Records how a try ended. If the endpoint is switched off and `can_mail` is true, its brand's administrators get a mail.
    async fn finish_try(
        &self,
        delivery: &LeasedDelivery,
        outcome: &TryOutcome,
        now: Timestamp,
        can_mail: bool,
    ) -> Result<FinishedTry, StoreError>;

    /// What the mail says. `None`: it must not be sent any more, because the recipient is no longer an administrator or the
    /// endpoint works again.
    async fn endpoint_notice(
        &self,
        brand: &BrandId,
        email_id: &str,
    ) -> Result<Option<EndpointNotice>, StoreError>;
}
