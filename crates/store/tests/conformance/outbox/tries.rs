//! Deliveries: leased in order, tried again and given up.

use std::time::Duration;

use svc_mcp_access::Timestamp;
use svc_mcp_tools::events::{DeliveryState, EventQueue, EventRecords, FinishedTry, MAX_TRIES, delay_after};

use super::{DAY, HOUR, add_endpoint, all, body, endpoint, fail, lease, succeed};
use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    events_of_one_key_are_leased_in_order,
    failed_try_is_postponed_and_holds_only_its_key,
    delivery_is_given_up_after_eight_tries,
    old_event_is_given_up_at_its_next_failure,
    concurrent_leases_are_different_deliveries,
    expired_lease_is_lost,
    endpoint_that_fails_for_three_days_is_switched_off,
    success_ends_the_count_of_days,
    queues_take_turns,
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
