//! Events of brands, members and plans. A person makes these changes, so the store knows who and when.

use serde_json::{Value, json};
use svc_mcp_access::{BrandId, PlanId, Timestamp, UserId};
use svc_mcp_tools::events::EventType;

use super::{NewOutboxEvent, add_event};
use crate::{Store, engine::Tx};

impl Store {
    /// Writes an event of a brand. `data` gets the brand and the actor. Writes nothing if the service itself makes the change.
    pub(crate) async fn add_brand_event(
        &self,
        tx: &mut Tx<'_>,
        event: EventType,
        brand: &BrandId,
        data: Value,
    ) -> Result<(), sqlx::Error> {
        let Some(by) = &self.changed_by else { return Ok(()) };
        let mut data = data;
        data["brand_id"] = json!(brand);
        data["actor"] = json!(by.actor);
        // One request may change several members.
        let unique = format!("{} {}", by.change_id, data["user_id"].as_str().unwrap_or_default());
        let new = NewOutboxEvent { event, brand: Some(brand), key: None, at: by.at, unique: &unique, data };
        add_event(tx, new).await
    }

    /// `change` is `put` or `deleted`.
    pub(crate) async fn add_plan_event(
        &self,
        tx: &mut Tx<'_>,
        plan: &PlanId,
        change: &str,
    ) -> Result<(), sqlx::Error> {
        let Some(by) = &self.changed_by else { return Ok(()) };
        let unique = format!("{} {plan}", by.change_id);
        let data = json!({"plan_id": plan, "actor": by.actor, "change": change});
        let event = EventType::PlanUpdated;
        add_event(tx, NewOutboxEvent { event, brand: None, key: None, at: by.at, unique: &unique, data })
            .await
    }
}

/// Tells the operator that all rows of a brand are gone. The event has no brand, so that it is not erased itself.
pub(crate) async fn add_erased_event(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    (receipt_id, actor, deleted_rows): (&str, &UserId, i64),
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let data =
        json!({"brand_id": brand, "actor": actor, "receipt_id": receipt_id, "deleted_rows": deleted_rows});
    let event = EventType::BrandErased;
    add_event(tx, NewOutboxEvent { event, brand: None, key: None, at: now, unique: receipt_id, data }).await
}
