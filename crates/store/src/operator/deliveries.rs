//! Event deliveries of all brands, and those to the operator's own endpoint.

use svc_mcp_access::{BrandId, StoreError, Timestamp};

use super::search::SearchPage;
use crate::{Delivery, DeliverySearch, ResendError, Store, outbox::DeliveriesOf};

impl Store {
    pub async fn search_deliveries(
        &self,
        brand: Option<&BrandId>,
        search: &DeliverySearch,
    ) -> Result<SearchPage<Delivery>, StoreError> {
        self.run("search_deliveries", self.find_deliveries(DeliveriesOf::All { brand }, search)).await
    }

    /// Sends any delivery again, as the same event.
    pub async fn resend_any_delivery(
        &self,
        delivery_id: &str,
        now: Timestamp,
    ) -> Result<Delivery, ResendError> {
        let work = self.resend(DeliveriesOf::All { brand: None }, delivery_id, now);
        self.run_or_refuse("resend_any_delivery", work).await
    }
}
