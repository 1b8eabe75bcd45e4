//! The outbox: an event is written in the transaction of its change, with one delivery for each endpoint that wants it.
//! So no event is lost, and none is sent for a change that did not happen.

mod audit_events;
mod brand_events;
mod deliveries;
mod endpoints;
mod key_events;
mod lease;
mod limits;
mod post_events;
mod switch_off;

use serde_json::{Value, json};
use svc_mcp_access::{BrandId, KeyId, Timestamp};
use svc_mcp_tools::events::{DeliveryState, EventQueue, EventType};

pub(crate) use audit_events::add_audit_event;
pub(crate) use brand_events::add_erased_event;
pub(crate) use deliveries::DeliveriesOf;
pub use deliveries::{Delivery, DeliverySearch, ResendError};
pub use endpoints::{PutEndpointError, SealedEndpoint};
pub(crate) use key_events::add_key_event;
pub(crate) use post_events::{add_changed_targets, add_post_event};

use crate::{
    engine::{Tx, within},
    parse_column,
    short_digest::short_digest,
};

/// An event to write.
pub(crate) struct NewOutboxEvent<'a> {
    pub(crate) event: EventType,
    /// `None`: only the operator's endpoint gets it.
    pub(crate) brand: Option<&'a BrandId>,
    /// Events of one key are sent in order.
    pub(crate) key: Option<&'a KeyId>,
    pub(crate) at: Timestamp,
    /// Random, or made of a random id: nobody can guess the id of the event, which is made of it.
    pub(crate) unique: &'a str,
    pub(crate) data: Value,
}

/// Writes an event and its deliveries. Writes nothing if no endpoint wants it.
pub(crate) async fn add_event(tx: &mut Tx<'_>, new: NewOutboxEvent<'_>) -> Result<(), sqlx::Error> {
    let queues = wanted_by(tx, new.brand, new.event).await?;
    if queues.is_empty() {
        return Ok(());
    }
    let (kind, brand) = (new.event.as_str(), new.brand.map(BrandId::as_str));
    let number = next_number(tx).await?;
    // With the number, because two events with the same id would abort the transaction of a person's change.
    let parts = [kind, brand.unwrap_or(""), new.unique, &number.to_string()];
    let event_id = format!("evt_{}", short_digest(&parts));
    let body = json!({"type": kind, "timestamp": new.at, "data": new.data}).to_string();
    let sql = "INSERT INTO outbox_events (event_id, number, brand_id, type, at, body) VALUES ($1, $2, $3, $4, $5, $6)";
    within!(tx, |db| sqlx::query(sql)
        .bind(&event_id)
        .bind(number)
        .bind(brand)
        .bind(kind)
        .bind(new.at.millis())
        .bind(&body)
        .execute(db)
        .await
        .map(|_| ()))?;
    for queue in queues {
        let name = queue.name();
        let sql = "INSERT INTO event_deliveries (delivery_id, brand_id, endpoint_id, queue, event_id, event_number, key_id, \
                   type, at, state, attempts, next_try_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $9)";
        within!(tx, |db| sqlx::query(sql)
            .bind(format!("dlv_{}", short_digest(&[&event_id, &name])))
            .bind(brand)
            .bind(queue.endpoint_id())
            .bind(&name)
            .bind(&event_id)
            .bind(number)
            .bind(new.key.map(KeyId::as_str))
            .bind(kind)
            .bind(new.at.millis())
            .bind(DeliveryState::Pending.as_str())
            .execute(db)
            .await
            .map(|_| ()))?;
    }
    Ok(())
}

/// The endpoints that want events of this type.
async fn wanted_by(
    tx: &mut Tx<'_>,
    brand: Option<&BrandId>,
    event: EventType,
) -> Result<Vec<EventQueue>, sqlx::Error> {
    // The list is JSON, so each type stands between quotes.
    let sql = "SELECT endpoint_id, CAST(0 AS BIGINT) AS is_operator FROM event_endpoints WHERE brand_id = $1 \
               AND enabled = 1 AND disabled_at IS NULL AND (types IS NULL OR types LIKE $2) \
               UNION ALL SELECT endpoint_id, CAST(1 AS BIGINT) FROM operator_event_endpoint WHERE enabled = 1";
    let rows: Vec<(String, i64)> = within!(tx, |db| sqlx::query_as(sql)
        .bind(brand.map_or("", BrandId::as_str))
        .bind(format!("%\"{}\"%", event.as_str()))
        .fetch_all(db)
        .await)?;
    let queue = |(endpoint, is_operator): (String, i64)| match brand {
        Some(brand) if is_operator == 0 => {
            Ok(EventQueue::Endpoint(brand.clone(), parse_column(&endpoint, "endpoint id")?))
        }
        _ => Ok(EventQueue::Operator),
    };
    rows.into_iter().map(queue).collect()
}

/// The number of the next event. Changes of one key wait for each other, so its events have growing numbers.
async fn next_number(tx: &mut Tx<'_>) -> Result<i64, sqlx::Error> {
    match tx {
        // It has one writer, and numbers matter only among events that wait.
        Tx::Sqlite(connection) => {
            sqlx::query_scalar("SELECT COALESCE(MAX(number), 0) + 1 FROM outbox_events")
                .fetch_one(&mut **connection)
                .await
        }
        Tx::Postgres(connection) => {
            sqlx::query_scalar("SELECT nextval('outbox_numbers')").fetch_one(&mut **connection).await
        }
    }
}
