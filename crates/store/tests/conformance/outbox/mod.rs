//! Events: written with their changes, leased in order, tried again, given up, and deleted.

mod kept;
mod tries;

use std::time::Duration;

use serde_json::Value;
use svc_mcp_access::{BrandId, Timestamp, UserId, key::Sealed};
use svc_mcp_store::{ActorRole, ChangedBy, Delivery, DeliverySearch, Store};
use svc_mcp_tools::events::{
    EventEndpoint, EventQueue, EventRecords, EventType, FinishedTry, LeasedDelivery, TryOutcome,
};

use crate::{
    make::{NOW, after, id},
    world::World,
};

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

fn endpoint(endpoint_id: &str, types: Option<Vec<EventType>>) -> EventEndpoint {
    EventEndpoint {
        endpoint_id: id(endpoint_id),
        url: "https://hooks.example/events".into(),
        types,
        enabled: true,
        sealed: Sealed { sealing_key: "old".into(), bytes: vec![1, 2, 3] },
        failing_since: None,
        disabled_at: None,
        disabled_reason: None,
        dropped: 0,
        created_at: NOW,
        updated_at: NOW,
    }
}

async fn add_endpoint(world: &World, brand: &BrandId, endpoint_id: &str) -> EventQueue {
    world.store.put_event_endpoint(brand, &endpoint(endpoint_id, None)).await.expect("an endpoint");
    EventQueue::Endpoint(brand.clone(), id(endpoint_id))
}

fn by(user: &str, change_id: &str) -> ChangedBy {
    ChangedBy {
        actor: id::<UserId>(user),
        role: ActorRole::Operator,
        at: after(5),
        change_id: change_id.to_owned(),
        address: None,
        request_id: None,
    }
}

async fn all(store: &Store) -> Vec<Delivery> {
    let search = DeliverySearch { limit: 100, ..DeliverySearch::default() };
    let mut page = store.search_deliveries(None, &search).await.expect("a page").items;
    page.sort_by_key(|delivery| (delivery.at, delivery.event_type.clone()));
    page
}

fn types(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.event_type.as_str()).collect()
}

async fn lease(world: &World, queue: &EventQueue, now: Timestamp) -> Option<LeasedDelivery> {
    let until = now.plus(Duration::from_mins(1));
    world.records().lease_delivery(queue, now, until).await.expect("an answer")
}

async fn fail(world: &World, delivery: &LeasedDelivery, now: Timestamp) -> FinishedTry {
    let outcome = TryOutcome::Failed { status: Some(500), error: "It answered 500.".into() };
    world.records().finish_try(delivery, &outcome, now, true).await.expect("an answer")
}

async fn succeed(world: &World, delivery: &LeasedDelivery, now: Timestamp) -> FinishedTry {
    let outcome = TryOutcome::Delivered { status: 204 };
    world.records().finish_try(delivery, &outcome, now, true).await.expect("an answer")
}

fn body(delivery: &LeasedDelivery) -> Value {
    serde_json::from_str(&delivery.body).expect("JSON")
}
