//! Keys: created, read, listed and revoked.

use std::collections::BTreeSet;

use svc_mcp_access::{
    Scope, StoreError,
    decision::KeySource,
    key::{Key, RevokedReason},
};
use svc_mcp_store::{ActivityFilter, CreateKeyError, EventKind, KeyFilter, QueuedWork, StoppedWork, Store};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    key_is_read_as_it_was_created,
    keys_are_paged_newest_first,
    key_created_between_two_pages_changes_neither,
    revoked_keys_are_listed_on_request,
    another_brand_cannot_read_or_change_a_key,
    digest_is_unique,
    second_revoke_changes_nothing,
    only_one_of_many_concurrent_revokes_is_recorded,
    revoke_of_an_unknown_key_records_nothing,
    failed_event_rolls_the_change_back,
}

/// All keys in pages of this size, and the length of each page.
async fn paged(store: &Store, limit: u32, include_revoked: bool) -> (Vec<Key>, Vec<usize>) {
    let (mut all, mut lengths, mut after) = (Vec::new(), Vec::new(), None);
    loop {
        let filter = KeyFilter { include_revoked, after, limit };
        let (keys, next) = store.keys(&acme(), &filter).await.expect("the store answers");
        lengths.push(keys.len());
        all.extend(keys);
        match next {
            Some(next) => after = Some(next),
            None => return (all, lengths),
        }
    }
}

async fn kinds(store: &Store) -> Vec<EventKind> {
    let filter = ActivityFilter { limit: 1000, ..ActivityFilter::default() };
    let (events, _) = store.activity(&acme(), &filter).await.expect("the store answers");
    events.into_iter().map(|event| event.kind).collect()
}

async fn key_is_read_as_it_was_created(world: &World) {
    let plain = world.key("acme").await;
    let mut rich = make::key("acme", world.entropy.clone());
    rich.key.label = "Öffentlich — 公開 🗝".into();
    rich.key.scope = Scope::Full;
    rich.key.created_by = id("bob");
    rich.key.created_at = after(1);
    rich.key.expires_at = Some(after(86_400_000));
    rich.key.tools = Some(vec!["list_posts".into(), "get_brand".into()]);
    rich.key.allowed_networks = Some(make::networks(&["2001:db8::/32", "203.0.113.7"]));
    world.keep(&rich).await;
    let mut barred = make::key("acme", world.entropy.clone());
    barred.key.tools = Some(Vec::new());
    world.keep(&barred).await;

    for made in [&plain, &rich, &barred] {
        let found = world.store.key(&acme(), &made.key.key_id).await;
        assert_eq!(found, Ok(Some(made.key.clone())));
    }
    assert_eq!(world.store.key(&acme(), &id("key_none")).await, Ok(None));
    assert_eq!(paged(&world.store, 10, false).await.0.len(), 3);
    assert_eq!(kinds(&world.store).await, vec![EventKind::Created; 3]);
}

async fn keys_are_paged_newest_first(world: &World) {
    let mut made = Vec::new();
    // Three of them have the same time, so the id decides.
    for at in [3, 0, 5, 5, 9, 5, 1] {
        let mut new = make::key("acme", world.entropy.clone());
        new.key.created_at = after(at);
        world.keep(&new).await;
        made.push(new.key);
    }
    made.sort_by(|one, other| (other.created_at, &other.key_id).cmp(&(one.created_at, &one.key_id)));
    for (limit, expected) in [
        (1, vec![1; 7]),
        (2, vec![2, 2, 2, 1]),
        (3, vec![3, 3, 1]),
        (4, vec![4, 3]),
        (7, vec![7]),
        (100, vec![7]),
    ] {
        let (keys, lengths) = paged(&world.store, limit, false).await;
        assert_eq!(keys, made, "by {limit}");
        assert_eq!(lengths, expected, "by {limit}");
    }
}

async fn key_created_between_two_pages_changes_neither(world: &World) {
    for _ in 0..4 {
        world.key("acme").await;
    }
    let first = KeyFilter { limit: 2, ..KeyFilter::default() };
    let (mut keys, next) = world.store.keys(&acme(), &first).await.expect("the store answers");
    let mut newer = make::key("acme", world.entropy.clone());
    newer.key.created_at = after(1);
    world.keep(&newer).await;
    let second = KeyFilter { limit: 2, after: next, ..KeyFilter::default() };
    let (rest, end) = world.store.keys(&acme(), &second).await.expect("the store answers");
    keys.extend(rest);
    let distinct: BTreeSet<_> = keys.iter().map(|key| &key.key_id).collect();
    assert_eq!((keys.len(), distinct.len(), end), (4, 4, None), "{keys:?}");
    assert!(!distinct.contains(&newer.key.key_id));
}

async fn revoked_keys_are_listed_on_request(world: &World) {
    let kept = world.key("acme").await;
    let gone = world.key("acme").await;
    world
        .store
        .revoke_key(&acme(), &gone.key.key_id, QueuedWork::Cancel, &make::revoked(&gone, after(7)))
        .await
        .expect("revoked");

    assert_eq!(paged(&world.store, 10, false).await.0, vec![kept.key.clone()]);
    let (all, _) = paged(&world.store, 1, true).await;
    let reason = Some(RevokedReason::Requested);
    let revoked = Key { revoked_at: Some(after(7)), revoked_reason: reason, ..gone.key.clone() };
    assert_eq!(all.len(), 2);
    assert!(all.contains(&revoked) && all.contains(&kept.key), "{all:?}");
    assert_eq!(world.store.key(&acme(), &gone.key.key_id).await, Ok(Some(revoked)));
}

async fn another_brand_cannot_read_or_change_a_key(world: &World) {
    let new = world.key("acme").await;
    let key_id = &new.key.key_id;
    let filter = KeyFilter { include_revoked: true, limit: 10, ..KeyFilter::default() };
    for other in [umbrella(), id("nobody")] {
        assert_eq!(world.store.key(&other, key_id).await, Ok(None));
        assert_eq!(world.store.keys(&other, &filter).await, Ok((Vec::new(), None)));
        world
            .store
            .revoke_key(&other, key_id, QueuedWork::Cancel, &make::revoked(&new, NOW))
            .await
            .expect("no fault");
        assert_eq!(world.store.sealed_key(&other, key_id, &make::revealed(&new, NOW)).await, Ok(None));
        let events = world.store.activity(&other, &ActivityFilter { limit: 10, ..Default::default() }).await;
        assert!(events.expect("the store answers").0.is_empty());
    }
    assert_eq!(world.store.key(&acme(), key_id).await, Ok(Some(new.key.clone())));
    let key_state = world.store.key_state(&new.digest).await.expect("the store answers").expect("known");
    assert!(!key_state.revoked);
}

async fn digest_is_unique(world: &World) {
    let first = world.key("acme").await;
    for brand in ["acme", "umbrella"] {
        let mut second = make::key(brand, world.entropy.clone());
        second.digest = first.digest;
        let created = world.store.create_key(&id(brand), &second, &make::created(&second)).await;
        assert_eq!(created, Err(CreateKeyError::Store(StoreError::Internal)));
        assert_eq!(world.store.key(&id(brand), &second.key.key_id).await, Ok(None));
    }
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity").await, 1);
    let key_state = world.store.key_state(&first.digest).await.expect("the store answers").expect("known");
    assert_eq!(key_state.key_id, first.key.key_id);
}

async fn second_revoke_changes_nothing(world: &World) {
    let new = world.key("acme").await;
    for at in [5, 6, 4] {
        let event = make::revoked(&new, after(at));
        world
            .store
            .revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &event)
            .await
            .expect("the store answers");
        let found = world.store.key(&acme(), &new.key.key_id).await.expect("the store answers");
        assert_eq!(found.expect("it is kept").revoked_at, Some(after(5)));
    }
    assert_eq!(kinds(&world.store).await, [EventKind::Revoked, EventKind::Created]);
}

async fn only_one_of_many_concurrent_revokes_is_recorded(world: &World) {
    let new = world.key("acme").await;
    let revokes = (0..10).map(|number| {
        let (store, new) = (world.store.clone(), new.clone());
        async move {
            store
                .revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &make::revoked(&new, after(number)))
                .await
        }
    });
    assert_eq!(at_once(revokes).await, vec![Ok(StoppedWork::default()); 10]);
    assert_eq!(kinds(&world.store).await, [EventKind::Revoked, EventKind::Created]);
    let (revoked_at, recorded_at) = (
        world.raw.number("SELECT revoked_at FROM keys").await,
        world.raw.number("SELECT at FROM activity WHERE kind = 'revoked'").await,
    );
    assert_eq!(revoked_at, recorded_at);
}

async fn revoke_of_an_unknown_key_records_nothing(world: &World) {
    let never_kept = make::key("acme", world.entropy.clone());
    let event = make::revoked(&never_kept, NOW);
    assert_eq!(
        world.store.revoke_key(&acme(), &never_kept.key.key_id, QueuedWork::Cancel, &event).await,
        Ok(StoppedWork::default())
    );
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity").await, 0);
}

/// An event with the same brand, time and id exists already, so the new event violates the primary key.
async fn failed_event_rolls_the_change_back(world: &World) {
    let sealing = crate::seals::sealing(&["a"], &world.entropy);
    let (new, _) = make::sealed_key("acme", &sealing, world.entropy.clone());
    world.keep(&new).await;
    let taken = make::created(&new);

    let another = make::key("acme", world.entropy.clone());
    assert_eq!(
        world.store.create_key(&acme(), &another, &taken).await,
        Err(CreateKeyError::Store(StoreError::Internal))
    );
    assert_eq!(world.store.key(&acme(), &another.key.key_id).await, Ok(None));

    assert_eq!(
        world.store.revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &taken).await,
        Err(StoreError::Internal)
    );
    assert_eq!(world.store.key(&acme(), &new.key.key_id).await, Ok(Some(new.key.clone())));
    let key_state = world.store.key_state(&new.digest).await.expect("the store answers").expect("known");
    assert!(!key_state.revoked);

    assert_eq!(world.store.sealed_key(&acme(), &new.key.key_id, &taken).await, Err(StoreError::Internal));
    assert_eq!(kinds(&world.store).await, [EventKind::Created]);
}
