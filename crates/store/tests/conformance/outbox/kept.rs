//! Events: written with their changes, listed, sent again and deleted.

use std::time::Duration;

use svc_mcp_access::key::Sealed;
use svc_mcp_store::{DeliverySearch, EventKind, NewErasure, PutEndpointError, ResendError};
use svc_mcp_tools::{
    Change, Records,
    events::{DeliveryState, EventEndpoint, EventQueue, EventType},
    posts::{TargetChange, TargetStatus, TargetStep},
};

use super::{DAY, HOUR, add_endpoint, all, body, by, endpoint, lease, succeed, types};
use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    world::World,
};

on_both_engines! {
    event_is_written_with_its_change,
    nothing_is_written_for_a_refused_change_or_without_an_endpoint,
    operators_endpoint_gets_the_events_of_all_brands,
    endpoint_gets_only_the_types_that_it_wants,
    states_of_posts_are_events,
    deliveries_of_an_endpoint_that_is_off_wait,
    deleted_endpoint_takes_its_deliveries_along,
    delivery_is_sent_again_as_the_same_event,
    lists_are_read_page_by_page,
    too_many_waiting_deliveries_are_given_up,
    old_events_are_pruned,
    erased_brand_leaves_only_the_operators_event,
    brand_has_at_most_five_endpoints,
    secrets_are_sealed_again,
}

async fn event_is_written_with_its_change(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    let key = world.key("acme").await;
    world.key("umbrella").await;
    let deliveries = all(&world.store).await;
    assert_eq!(types(&deliveries), ["key.created"]);
    assert_eq!(
        (&deliveries[0].brand_id, deliveries[0].state, deliveries[0].attempts),
        (&Some(acme()), DeliveryState::Pending, 0)
    );
    let leased = lease(world, &queue, NOW).await.expect("a delivery");
    let sent = body(&leased);
    assert_eq!((&sent["type"], &sent["timestamp"]), (&"key.created".into(), &NOW.to_string().into()));
    assert_eq!(sent["data"]["key_id"], key.key.key_id.as_str());
    assert_eq!((&sent["data"]["brand_id"], &sent["data"]["actor"]), (&"acme".into(), &"ada".into()));
    assert!(leased.event_id.starts_with("evt_"), "{leased:?}");
}

async fn nothing_is_written_for_a_refused_change_or_without_an_endpoint(world: &World) {
    let key = world.key("acme").await;
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM outbox_events").await, 0);
    add_endpoint(world, &acme(), "crm").await;
    // The same key again violates its constraint, so the transaction is rolled back.
    let event = make::repeated(EventKind::Created, &key);
    world.store.create_key(&acme(), &key, &event).await.expect_err("the key exists");
    // A second pause changes nothing.
    for _ in 0..2 {
        world.store.pause_key(&acme(), &key.key.key_id, &make::paused(&key)).await.expect("a pause");
    }
    assert_eq!(types(&all(&world.store).await), ["key.paused"]);
}

async fn operators_endpoint_gets_the_events_of_all_brands(world: &World) {
    world.store.set_operator_endpoint(true).await.expect("a setting");
    for brand in ["acme", "umbrella"] {
        world.key(brand).await;
    }
    let store = world.store.by(by("olga", "chg_1"));
    store.put_plan(&make::plan("team", true)).await.expect("a plan");
    store.put_brand(&make::brand("acme", "team")).await.expect("a brand");
    store.put_member(&make::member("acme", "zoe", "member")).await.expect("a member");
    // A change of a member is no event.
    store.put_member(&make::member("acme", "zoe", "admin")).await.expect("a member");
    store.remove_member(&acme(), &id("zoe"), &make::removal()).await.expect("a removal");
    let deliveries = all(&world.store).await;
    assert_eq!(
        types(&deliveries),
        ["key.created", "key.created", "brand.updated", "member.added", "member.removed", "plan.updated"]
    );
    assert!(deliveries.iter().all(|delivery| delivery.queue == EventQueue::Operator), "{deliveries:?}");
    assert_eq!(deliveries.last().map(|plan| plan.brand_id.clone()), Some(None));
    // A brand does not see them.
    let search = DeliverySearch { limit: 100, ..DeliverySearch::default() };
    assert!(world.store.event_deliveries(&acme(), &search).await.expect("a page").items.is_empty());
    world.store.set_operator_endpoint(false).await.expect("a setting");
    world.key("acme").await;
    assert_eq!(all(&world.store).await.len(), deliveries.len());
}

async fn endpoint_gets_only_the_types_that_it_wants(world: &World) {
    let wanted = Some(vec![EventType::KeyRevoked, EventType::KeyPaused]);
    world.store.put_event_endpoint(&acme(), &endpoint("some", wanted.clone())).await.expect("an endpoint");
    let stored = world.store.event_endpoint(&acme(), &id("some")).await.expect("an answer");
    assert_eq!(stored.expect("an endpoint").types, wanted);
    let key = world.key("acme").await;
    world.store.pause_key(&acme(), &key.key.key_id, &make::paused(&key)).await.expect("a pause");
    world.store.resume_key(&acme(), &key.key.key_id, &make::resumed(&key)).await.expect("a resume");
    assert_eq!(types(&all(&world.store).await), ["key.paused"]);
}

async fn states_of_posts_are_events(world: &World) {
    add_endpoint(world, &acme(), "crm").await;
    let records = world.records();
    let commit = async |changes: &[Change], at| {
        records.commit(&acme(), changes, None, at).await.expect("a commit");
    };
    commit(&[Change::AddPost(make::post("draft", NOW)), Change::AddPost(make::published("now", NOW))], NOW)
        .await;
    let mut hook = make::scheduled("hook", NOW);
    hook.targets = vec![make::target("hook", TargetStatus::Publishing)];
    commit(&[Change::AddPost(hook)], after(1)).await;
    let step = |step: TargetStep| {
        Change::Target(TargetChange { post_id: "hook".into(), channel: "hook".into(), step })
    };
    let failed = || step(TargetStep::Failed { reason: "no".into() });
    commit(&[failed()], after(2)).await;
    // It has failed already, so this changes nothing.
    commit(&[failed()], after(3)).await;
    let deliveries = all(&world.store).await;
    assert_eq!(types(&deliveries), ["post.published", "post.failed"]);
}

async fn deliveries_of_an_endpoint_that_is_off_wait(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    world.key("acme").await;
    let off = EventEndpoint { enabled: false, ..endpoint("crm", None) };
    world.store.put_event_endpoint(&acme(), &off).await.expect("an endpoint");
    world.key("acme").await;
    assert!(lease(world, &queue, after(10)).await.is_none());
    let delivery = all(&world.store).await.remove(0);
    let resent = world.store.resend_delivery(&acme(), &delivery.delivery_id, after(10)).await;
    assert_eq!(resent, Err(ResendError::EndpointOff));
    add_endpoint(world, &acme(), "crm").await;
    assert!(lease(world, &queue, after(10)).await.is_some());
    // The event that happened meanwhile was not kept.
    assert!(lease(world, &queue, after(10)).await.is_none());
}

async fn deleted_endpoint_takes_its_deliveries_along(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    add_endpoint(world, &umbrella(), "crm").await;
    world.key("acme").await;
    world.key("umbrella").await;
    assert_eq!(world.store.delete_event_endpoint(&acme(), &id("crm")).await, Ok(true));
    assert_eq!(world.store.delete_event_endpoint(&acme(), &id("crm")).await, Ok(false));
    assert!(lease(world, &queue, after(10)).await.is_none());
    let left = all(&world.store).await;
    assert_eq!(left.iter().map(|delivery| delivery.brand_id.clone()).collect::<Vec<_>>(), [Some(umbrella())]);
}

async fn delivery_is_sent_again_as_the_same_event(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    world.key("acme").await;
    let first = lease(world, &queue, NOW).await.expect("a delivery");
    // It is being sent now.
    let sending =
        world.store.resend_delivery(&acme(), &first.delivery_id, after(1)).await.expect("a delivery");
    assert_eq!(sending.attempts, 1);
    succeed(world, &first, after(1)).await;
    let stranger = world.store.resend_delivery(&umbrella(), &first.delivery_id, after(2)).await;
    assert_eq!(stranger, Err(ResendError::Unknown));
    let resent =
        world.store.resend_delivery(&acme(), &first.delivery_id, after(2)).await.expect("a delivery");
    assert_eq!((resent.state, resent.attempts), (DeliveryState::Pending, 0));
    let again = lease(world, &queue, after(2)).await.expect("the delivery");
    assert_eq!((&again.event_id, &again.body), (&first.event_id, &first.body));
    let unknown = world.store.resend_any_delivery("dlv_unknown", after(2)).await;
    assert_eq!(unknown, Err(ResendError::Unknown));
}

async fn lists_are_read_page_by_page(world: &World) {
    add_endpoint(world, &acme(), "a").await;
    add_endpoint(world, &acme(), "b").await;
    for _ in 0..4 {
        world.key("acme").await;
    }
    let mut search = DeliverySearch { endpoint: Some(id("a")), limit: 3, ..DeliverySearch::default() };
    let first = world.store.event_deliveries(&acme(), &search).await.expect("a page");
    search.after.clone_from(&first.next);
    let second = world.store.event_deliveries(&acme(), &search).await.expect("a page");
    assert_eq!((first.items.len(), second.items.len(), second.next), (3, 1, None));
    let failed = DeliverySearch { state: Some(DeliveryState::Failed), limit: 3, ..DeliverySearch::default() };
    assert!(world.store.event_deliveries(&acme(), &failed).await.expect("a page").items.is_empty());
    let of_other = world.store.search_deliveries(Some(&umbrella()), &search).await.expect("a page");
    assert!(of_other.items.is_empty());
}

async fn too_many_waiting_deliveries_are_given_up(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    add_endpoint(world, &umbrella(), "crm").await;
    for _ in 0..5 {
        world.key("acme").await;
    }
    world.key("umbrella").await;
    assert_eq!(world.store.drop_excess_deliveries().await, Ok(0));
    assert_eq!(world.store.drop_deliveries_beyond(3, 3).await, Ok(2));
    let stored = world.store.event_endpoint(&acme(), &id("crm")).await.expect("an answer");
    assert_eq!(stored.expect("an endpoint").dropped, 2);
    let mut left = 0;
    while lease(world, &queue, after(10)).await.is_some() {
        left += 1;
    }
    assert_eq!(left, 3);
}

async fn old_events_are_pruned(world: &World) {
    add_endpoint(world, &acme(), "crm").await;
    let key = world.key("acme").await;
    let mut late = make::paused(&key);
    late.at = NOW.plus(DAY);
    world.store.pause_key(&acme(), &key.key.key_id, &late).await.expect("a pause");
    world.store.prune(NOW.plus(DAY * 30)).await.expect("pruned");
    assert_eq!(all(&world.store).await.len(), 2);
    world.store.prune(NOW.plus(DAY * 30 + HOUR)).await.expect("pruned");
    assert_eq!(types(&all(&world.store).await), ["key.paused"]);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM outbox_events").await, 1);
}

async fn erased_brand_leaves_only_the_operators_event(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    world.store.set_operator_endpoint(true).await.expect("a setting");
    world.key("acme").await;
    let erasure = NewErasure { receipt_id: "era_1".to_owned(), requested_at: NOW, requested_by: id("olga") };
    world.store.begin_brand_erasure(&acme(), &erasure).await.expect("a receipt");
    // From now on nothing is sent to the brand's endpoint.
    assert!(lease(world, &queue, after(10)).await.is_none());
    for now in [NOW, NOW.plus(Duration::from_mins(2))] {
        while world.store.erase_rows(&acme(), now).await.expect("a step") {}
    }
    let left = all(&world.store).await;
    assert_eq!(types(&left), ["brand.erased"]);
    let now = NOW.plus(HOUR);
    let erased = lease(world, &EventQueue::Operator, now).await.expect("the event");
    let data = &body(&erased)["data"];
    assert_eq!((&data["brand_id"], &data["receipt_id"]), (&"acme".into(), &"era_1".into()));
    for table in ["event_endpoints", "outbox_events", "event_deliveries"] {
        let rows = format!("SELECT COUNT(*) FROM {table} WHERE brand_id = 'acme'");
        assert_eq!(world.raw.number(&rows).await, 0, "{table}");
    }
}

async fn brand_has_at_most_five_endpoints(world: &World) {
    for name in ["a", "b", "c", "d", "e"] {
        add_endpoint(world, &acme(), name).await;
    }
    let sixth = world.store.put_event_endpoint(&acme(), &endpoint("f", None)).await;
    assert_eq!(sixth, Err(PutEndpointError::LimitReached));
    add_endpoint(world, &acme(), "e").await;
    add_endpoint(world, &umbrella(), "f").await;
    let names = world.store.event_endpoints(&acme()).await.expect("a list");
    assert_eq!(names.len(), 5);
}

async fn secrets_are_sealed_again(world: &World) {
    for (brand, name) in [(acme(), "a"), (acme(), "b"), (umbrella(), "a")] {
        add_endpoint(world, &brand, name).await;
    }
    let mut after = None;
    let mut seen = Vec::new();
    loop {
        let batch = world.store.endpoints_sealed_otherwise("new", after.as_ref(), 2).await.expect("a batch");
        let Some(last) = batch.last() else { break };
        after = Some(last.clone());
        for old in &batch {
            let new = Sealed { sealing_key: "new".into(), bytes: vec![9] };
            world.store.reseal_endpoint(old, &new).await.expect("sealed");
            seen.push(format!("{}/{}", old.brand_id, old.endpoint_id));
        }
    }
    assert_eq!(seen, ["acme/a", "acme/b", "umbrella/a"]);
    assert!(world.store.endpoints_sealed_otherwise("new", None, 2).await.expect("a batch").is_empty());
}
