//! Events: written with their changes, leased in order, tried again, given up, and deleted.

use std::time::Duration;

use serde_json::Value;
use svc_mcp_access::{BrandId, Timestamp, UserId, key::Sealed};
use svc_mcp_store::{
    ActorRole, ChangedBy, Delivery, DeliverySearch, EventKind, NewErasure, PutEndpointError, ResendError,
    Store,
};
use svc_mcp_tools::{
    Change, Records,
    events::{
        DeliveryState, EventEndpoint, EventQueue, EventRecords, EventType, FinishedTry, LeasedDelivery,
        MAX_TRIES, TryOutcome, delay_after,
    },
    posts::{TargetChange, TargetStatus, TargetStep},
};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    event_is_written_with_its_change,
    nothing_is_written_for_a_refused_change_or_without_an_endpoint,
    operators_endpoint_gets_the_events_of_all_brands,
    endpoint_gets_only_the_types_that_it_wants,
    states_of_posts_are_events,
    events_of_one_key_are_leased_in_order,
    failed_try_is_postponed_and_holds_only_its_key,
    delivery_is_given_up_after_eight_tries,
    old_event_is_given_up_at_its_next_failure,
    concurrent_leases_are_different_deliveries,
    expired_lease_is_lost,
    endpoint_that_fails_for_three_days_is_switched_off,
    success_ends_the_count_of_days,
    queues_take_turns,
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

async fn events_of_one_key_are_leased_in_order(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    let (first, second) = (world.key("acme").await, world.key("acme").await);
    world.store.pause_key(&acme(), &first.key.key_id, &make::paused(&first)).await.expect("a pause");
    let now = after(100);
    let created = lease(world, &queue, now).await.expect("the first key's first event");
    let other = lease(world, &queue, now).await.expect("the other key's event");
    assert_eq!(body(&created)["data"]["key_id"], first.key.key_id.as_str());
    assert_eq!(body(&other)["data"]["key_id"], second.key.key_id.as_str());
    // The pause waits, because the creation is not delivered yet.
    assert!(lease(world, &queue, now).await.is_none());
    assert_eq!(succeed(world, &other, now).await, FinishedTry::Delivered);
    assert!(lease(world, &queue, now).await.is_none());
    assert_eq!(succeed(world, &created, now).await, FinishedTry::Delivered);
    let paused = lease(world, &queue, now).await.expect("the pause");
    assert_eq!(body(&paused)["type"], "key.paused");
}

async fn failed_try_is_postponed_and_holds_only_its_key(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    let first = world.key("acme").await;
    world.store.pause_key(&acme(), &first.key.key_id, &make::paused(&first)).await.expect("a pause");
    let created = lease(world, &queue, after(10)).await.expect("a delivery");
    assert_eq!(fail(world, &created, after(10)).await, FinishedTry::Postponed);
    assert!(lease(world, &queue, after(11)).await.is_none());
    world.key("acme").await;
    let other = lease(world, &queue, after(11)).await.expect("another key's event");
    assert_eq!(body(&other)["type"], "key.created");
    let later = after(10).plus(Duration::from_mins(1));
    let again = lease(world, &queue, later).await.expect("the second try");
    assert_eq!((&again.event_id, &again.body, again.attempt), (&created.event_id, &created.body, 2));
    let shown = all(&world.store).await;
    let shown = shown.iter().find(|delivery| delivery.event_id == created.event_id).expect("it is listed");
    assert_eq!((shown.last_status, shown.last_error.as_deref()), (Some(500), Some("It answered 500.")));
}

async fn delivery_is_given_up_after_eight_tries(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    let key = world.key("acme").await;
    world.store.pause_key(&acme(), &key.key.key_id, &make::paused(&key)).await.expect("a pause");
    let mut now = after(10);
    for attempt in 1..=MAX_TRIES {
        let leased = lease(world, &queue, now).await.expect("a try");
        assert_eq!((leased.attempt, body(&leased)["type"].as_str()), (attempt, Some("key.created")));
        let finished = fail(world, &leased, now).await;
        let is_last = attempt == MAX_TRIES;
        assert_eq!(finished, if is_last { FinishedTry::GivenUp } else { FinishedTry::Postponed });
        now = now.plus(delay_after(attempt).unwrap_or(Duration::ZERO));
    }
    // The next event of the key gets its turn.
    let next = lease(world, &queue, now).await.expect("the pause");
    assert_eq!(body(&next)["type"], "key.paused");
    let states: Vec<_> = all(&world.store).await.iter().map(|delivery| delivery.state).collect();
    assert_eq!(states, [DeliveryState::Failed, DeliveryState::Pending]);
}

async fn old_event_is_given_up_at_its_next_failure(world: &World) {
    world.store.set_operator_endpoint(true).await.expect("a setting");
    world.key("acme").await;
    let now = NOW.plus(DAY * 4);
    let leased = lease(world, &EventQueue::Operator, now).await.expect("a delivery");
    assert_eq!(fail(world, &leased, now).await, FinishedTry::GivenUp);
}

async fn concurrent_leases_are_different_deliveries(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    for _ in 0..12 {
        world.key("acme").await;
    }
    let leases = (0..6).map(|_| {
        let (records, queue) = (world.records(), queue.clone());
        async move {
            let mut taken = Vec::new();
            while taken.len() < 12
                && let Ok(Some(leased)) =
                    records.lease_delivery(&queue, after(10), after(10).plus(HOUR)).await
            {
                taken.push(leased.delivery_id);
            }
            taken
        }
    });
    let mut taken: Vec<String> = at_once(leases).await.concat();
    let count = taken.len();
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), count, "one delivery was leased twice");
    // An instance that was too slow stops looking, so the last ones may be left.
    while let Some(leased) = lease(world, &queue, after(10)).await {
        taken.push(leased.delivery_id);
    }
    assert_eq!(taken.len(), 12);
}

async fn expired_lease_is_lost(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    world.key("acme").await;
    let slow = lease(world, &queue, NOW).await.expect("a delivery");
    assert!(lease(world, &queue, NOW.plus(Duration::from_secs(59))).await.is_none());
    let now = NOW.plus(Duration::from_mins(1));
    let other = lease(world, &queue, now).await.expect("the lease has expired");
    assert_eq!(succeed(world, &slow, now).await, FinishedTry::LeaseLost);
    assert_eq!(fail(world, &slow, now).await, FinishedTry::LeaseLost);
    assert_eq!(succeed(world, &other, now).await, FinishedTry::Delivered);
    assert_eq!(fail(world, &other, now).await, FinishedTry::LeaseLost);
}

/// Fails every try until the time has come. Returns how the last one ended.
async fn fail_until(world: &World, queue: &EventQueue, end: Timestamp) -> FinishedTry {
    let (mut now, mut last) = (after(10), FinishedTry::Postponed);
    while now <= end {
        while let Some(leased) = lease(world, queue, now).await {
            last = fail(world, &leased, now).await;
        }
        now = now.plus(HOUR);
    }
    last
}

async fn endpoint_that_fails_for_three_days_is_switched_off(world: &World) {
    let store = &world.store;
    for (user, role, email) in
        [("ada", "admin", Some("Ada@Example.com")), ("bob", "member", Some("bob@example.com"))]
    {
        let mut member = make::member("acme", user, role);
        member.email = email.map(str::to_owned);
        store.put_member(&member).await.expect("a member");
    }
    let queue = add_endpoint(world, &acme(), "crm").await;
    let key = world.key("acme").await;
    for _ in 0..6 {
        store.pause_key(&acme(), &key.key.key_id, &make::paused(&key)).await.expect("a pause");
        store.resume_key(&acme(), &key.key.key_id, &make::resumed(&key)).await.expect("a resume");
    }
    assert_eq!(fail_until(world, &queue, after(10).plus(HOUR * 71)).await, FinishedTry::Postponed);
    let off = fail_until(world, &queue, after(10).plus(DAY * 4)).await;
    assert_eq!(off, FinishedTry::SwitchedOff);
    let stored = store.event_endpoint(&acme(), &id("crm")).await.expect("an answer").expect("an endpoint");
    assert!(!stored.is_on() && stored.enabled);
    assert_eq!(stored.disabled_reason.as_deref(), Some("It answered 500."));
    assert!(all(store).await.iter().all(|delivery| delivery.state == DeliveryState::Failed));
    // Nothing is kept for it any more.
    let before = all(store).await.len();
    world.key("acme").await;
    assert_eq!(all(store).await.len(), before);
    let mails = world.raw.texts("SELECT recipient FROM report_emails WHERE purpose = 'endpoint_off'").await;
    assert_eq!(mails, ["ada@example.com"]);
    let mail = world.raw.texts("SELECT email_id FROM report_emails").await.remove(0);
    let notice = world.records().endpoint_notice(&acme(), &mail).await.expect("an answer");
    assert_eq!(notice.expect("it is true").last_error, "It answered 500.");
    // Saving it switches it on, and then the mail is not true any more.
    let saved = store.put_event_endpoint(&acme(), &endpoint("crm", None)).await.expect("saved");
    assert!(saved.is_on());
    assert_eq!(world.records().endpoint_notice(&acme(), &mail).await, Ok(None));
}

async fn success_ends_the_count_of_days(world: &World) {
    let queue = add_endpoint(world, &acme(), "crm").await;
    let key = world.key("acme").await;
    let leased = lease(world, &queue, after(10)).await.expect("a delivery");
    fail(world, &leased, after(10)).await;
    let since = async || {
        let stored = world.store.event_endpoint(&acme(), &id("crm")).await.expect("an answer");
        stored.expect("an endpoint").failing_since
    };
    assert_eq!(since().await, Some(after(10)));
    let later = after(10).plus(HOUR);
    let leased = lease(world, &queue, later).await.expect("a delivery");
    succeed(world, &leased, later).await;
    assert_eq!(since().await, None);
    world.store.pause_key(&acme(), &key.key.key_id, &make::paused(&key)).await.expect("a pause");
    let much_later = after(10).plus(DAY * 2);
    let leased = lease(world, &queue, much_later).await.expect("a delivery");
    assert_eq!(fail(world, &leased, much_later).await, FinishedTry::Postponed);
}

async fn queues_take_turns(world: &World) {
    for (brand, name) in [(acme(), "a"), (acme(), "b"), (umbrella(), "a")] {
        add_endpoint(world, &brand, name).await;
    }
    world.store.set_operator_endpoint(true).await.expect("a setting");
    assert!(world.records().ready_queues("", after(10), 10).await.expect("queues").is_empty());
    for _ in 0..3 {
        world.key("acme").await;
        world.key("umbrella").await;
    }
    let names = async |start: &str, limit| -> Vec<String> {
        let queues = world.records().ready_queues(start, after(10), limit).await.expect("queues");
        queues.iter().map(EventQueue::name).collect()
    };
    assert_eq!(names("", 10).await, ["acme/a", "acme/b", "operator", "umbrella/a"]);
    assert_eq!(names("acme/a", 2).await, ["acme/b", "operator"]);
    assert!(names("umbrella/a", 10).await.is_empty());
    let before = world.records().ready_queues("", after(-1), 10).await.expect("queues");
    assert!(before.is_empty(), "nothing is due yet: {before:?}");
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
