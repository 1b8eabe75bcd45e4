//! The activity log: filters and pages.

use std::{sync::Arc, time::Duration};

use svc_mcp_access::{
    Timestamp,
    decision::KeySource,
    key::{KeyDigest, NewKey},
};
use svc_mcp_store::{
    ActivityFilter, Event, EventKind, EventOutcome, KeyUse, QueuedWork, Store, UsageBatch, UsageRecorder,
};

use crate::{
    make::{self, acme, after, id, umbrella},
    world::World,
};

on_both_engines! {
    event_is_read_as_it_was_written,
    events_are_filtered_by_key_kind_and_outcome,
    events_are_paged_newest_first,
    events_of_another_brand_are_not_listed,
}

/// A request of this key, as the recorder takes it.
pub(crate) async fn used(world: &World, key: &NewKey, at: Timestamp) -> KeyUse {
    used_with(world, &key.digest, at).await
}

/// A request with the secret of this digest.
pub(crate) async fn used_with(world: &World, digest: &KeyDigest, at: Timestamp) -> KeyUse {
    let key_state = world.store.key_state(digest).await.expect("the store answers").expect("known");
    KeyUse {
        key_state: Arc::clone(&key_state),
        at,
        kind: EventKind::Call,
        tool: Some("get_post"),
        outcome: EventOutcome::Ok,
        reason: None,
        latency: Duration::from_micros(1_500),
        in_window: 1,
    }
}

/// Records these requests and writes them.
pub(crate) async fn write(world: &World, uses: impl IntoIterator<Item = KeyUse>) {
    let (recorder, mut batch) = (UsageRecorder::default(), UsageBatch::default());
    for used in uses {
        recorder.record(used);
    }
    recorder.drain_into(&mut batch, &mut world.entropy.clone());
    while world.store.write_batch(&mut batch).await.expect("the store answers") {}
}

async fn list(store: &Store, filter: &ActivityFilter) -> Vec<Event> {
    let (events, next) = store.activity(&acme(), filter).await.expect("the store answers");
    assert_eq!(next, None);
    events
}

/// Two keys with ten events in total: created, revealed, revoked, and calls with every outcome.
async fn busy(world: &World) -> [NewKey; 2] {
    let (one, other) = (world.key("acme").await, world.key("acme").await);
    for (number, key) in [(0, &one), (10, &other)] {
        let template = used(world, key, after(number)).await;
        let ok = KeyUse { at: after(number + 1), ..template.clone() };
        let list = KeyUse { at: after(number + 2), kind: EventKind::List, tool: None, ..template.clone() };
        let error = KeyUse { at: after(number + 3), outcome: EventOutcome::Error, ..template.clone() };
        let denied = KeyUse { outcome: EventOutcome::Denied, reason: Some("rate_limited"), ..template };
        write(world, [ok, list, error, KeyUse { at: after(number + 4), ..denied }]).await;
    }
    world
        .store
        .revoke_key(&acme(), &one.key.key_id, QueuedWork::Cancel, &make::revoked(&one, after(20)))
        .await
        .expect("revoked");
    [one, other]
}

async fn event_is_read_as_it_was_written(world: &World) {
    let key = world.key("acme").await;
    let revoked = make::event(EventKind::Revoked, &key, after(2));
    let revoked = svc_mcp_store::NewEvent { actor: id("bob"), ..revoked };
    world
        .store
        .revoke_key(&acme(), &key.key.key_id, QueuedWork::Cancel, &revoked)
        .await
        .expect("the store answers");
    let denied = KeyUse {
        kind: EventKind::Call,
        tool: Some("create_post"),
        outcome: EventOutcome::Denied,
        reason: Some("key_revoked"),
        latency: Duration::from_millis(3),
        ..used(world, &key, after(3)).await
    };
    write(world, [denied]).await;

    let events = list(&world.store, &ActivityFilter { limit: 10, ..Default::default() }).await;
    let [call, revoke, create] = &events[..] else { panic!("three events, not {events:?}") };
    assert_eq!((call.kind, call.outcome, call.at), (EventKind::Call, EventOutcome::Denied, after(3)));
    assert_eq!((call.tool.as_deref(), call.reason.as_deref()), (Some("create_post"), Some("key_revoked")));
    assert_eq!((call.latency_us, call.actor.as_str(), call.count), (Some(3_000), "ada", 1));
    assert_eq!((revoke.kind, revoke.actor.as_str(), revoke.at), (EventKind::Revoked, "bob", after(2)));
    assert_eq!((&revoke.event_id, revoke.count), (&revoked.event_id, 1));
    assert_eq!((create.kind, create.actor.as_str(), create.latency_us), (EventKind::Created, "ada", None));
    assert!(events.iter().all(|event| event.key_id == key.key.key_id));
}

async fn events_are_filtered_by_key_kind_and_outcome(world: &World) {
    use EventKind::{Call, Created, List, Revealed, Revoked};
    use EventOutcome::{Denied, Error, Ok};
    let [one, other] = busy(world).await;
    let everything = list(&world.store, &ActivityFilter { limit: 100, ..Default::default() }).await;
    assert_eq!(everything.len(), 11);
    for key_id in [None, Some(one.key.key_id), Some(other.key.key_id), Some(id("key_none"))] {
        for kind in [None, Some(Created), Some(Revealed), Some(Revoked), Some(List), Some(Call)] {
            for outcome in [None, Some(Ok), Some(Error), Some(Denied)] {
                let filter =
                    ActivityFilter { key_id: key_id.clone(), kind, outcome, after: None, limit: 100 };
                let found: Vec<_> =
                    list(&world.store, &filter).await.into_iter().map(|event| event.event_id).collect();
                let expected: Vec<_> = everything
                    .iter()
                    .filter(|event| key_id.as_ref().is_none_or(|key| event.key_id == *key))
                    .filter(|event| kind.is_none_or(|kind| event.kind == kind))
                    .filter(|event| outcome.is_none_or(|outcome| event.outcome == outcome))
                    .map(|event| event.event_id.clone())
                    .collect();
                assert_eq!(found, expected, "{filter:?}");
            }
        }
    }
}

async fn events_are_paged_newest_first(world: &World) {
    let key = world.key("acme").await;
    let template = used(world, &key, after(0)).await;
    // Six at each of two times.
    write(world, (0..12).map(|number| KeyUse { at: after(1 + number % 2), ..template.clone() })).await;
    let everything = list(&world.store, &ActivityFilter { limit: 13, ..Default::default() }).await;
    let order: Vec<_> = everything.iter().map(|event| (event.at, event.event_id.clone())).collect();
    assert!(order.is_sorted_by(|one, other| one > other), "{order:?}");
    assert_eq!(order.len(), 13);
    for key_id in [None, Some(key.key.key_id)] {
        for limit in [1, 2, 5, 12] {
            let (mut found, mut next) = (Vec::new(), None);
            loop {
                let filter =
                    ActivityFilter { key_id: key_id.clone(), after: next, limit, ..Default::default() };
                let (events, more) = world.store.activity(&acme(), &filter).await.expect("the store answers");
                assert!(events.len() == limit as usize || more.is_none());
                found.extend(events.into_iter().map(|event| (event.at, event.event_id)));
                next = more;
                if next.is_none() {
                    break;
                }
            }
            assert_eq!(found, order, "by {limit}");
        }
    }
}

async fn events_of_another_brand_are_not_listed(world: &World) {
    let [one, _] = busy(world).await;
    for key_id in [None, Some(one.key.key_id)] {
        let filter = ActivityFilter { key_id, limit: 100, ..Default::default() };
        let (events, _) = world.store.activity(&umbrella(), &filter).await.expect("the store answers");
        assert!(events.is_empty(), "{events:?}");
    }
}
