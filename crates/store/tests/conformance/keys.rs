//! Keys: made, read, listed, revoked.

use std::collections::BTreeSet;

use svc_mcp_access::{
    Scope,
    decision::{Standings, Unavailable},
    key::Key,
};
use svc_mcp_store::{ActivityFilter, EventKind, KeyFilter, Store};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    a_key_comes_back_as_it_was_made,
    keys_are_listed_newest_first_page_by_page,
    a_key_made_between_two_pages_disturbs_neither,
    revoked_keys_are_listed_only_where_asked_for,
    another_brand_sees_nothing_and_changes_nothing,
    no_two_keys_have_one_digest,
    a_key_is_revoked_once,
    of_many_revokes_at_once_one_is_recorded,
    revoking_what_is_not_there_records_nothing,
    what_cannot_be_recorded_does_not_happen,
}

/// All keys by pages of this size, and how long each page was.
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

async fn a_key_comes_back_as_it_was_made(world: &World) {
    let plain = world.key("acme").await;
    let mut rich = make::key("acme", world.entropy.clone());
    rich.key.label = "Öffentlich — 公開 🗝".into();
    rich.key.scope = Scope::Full;
    rich.key.created_by = id("bob");
    rich.key.created_at = after(1);
    rich.key.expires_at = Some(after(86_400_000));
    rich.key.tools = Some(vec!["list_posts".into(), "get_brand".into()]);
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

async fn keys_are_listed_newest_first_page_by_page(world: &World) {
    let mut made = Vec::new();
    // Three of them at the same moment: then the id decides.
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

async fn a_key_made_between_two_pages_disturbs_neither(world: &World) {
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

async fn revoked_keys_are_listed_only_where_asked_for(world: &World) {
    let kept = world.key("acme").await;
    let gone = world.key("acme").await;
    world
        .store
        .revoke_key(&acme(), &gone.key.key_id, &make::revoked(&gone, after(7)))
        .await
        .expect("revoked");

    assert_eq!(paged(&world.store, 10, false).await.0, vec![kept.key.clone()]);
    let (all, _) = paged(&world.store, 1, true).await;
    let revoked = Key { revoked_at: Some(after(7)), ..gone.key.clone() };
    assert_eq!(all.len(), 2);
    assert!(all.contains(&revoked) && all.contains(&kept.key), "{all:?}");
    assert_eq!(world.store.key(&acme(), &gone.key.key_id).await, Ok(Some(revoked)));
}

async fn another_brand_sees_nothing_and_changes_nothing(world: &World) {
    let new = world.key("acme").await;
    let key_id = &new.key.key_id;
    let filter = KeyFilter { include_revoked: true, limit: 10, ..KeyFilter::default() };
    for other in [umbrella(), id("nobody")] {
        assert_eq!(world.store.key(&other, key_id).await, Ok(None));
        assert_eq!(world.store.keys(&other, &filter).await, Ok((Vec::new(), None)));
        world.store.revoke_key(&other, key_id, &make::revoked(&new, NOW)).await.expect("no fault");
        assert_eq!(world.store.sealed_key(&other, key_id, &make::revealed(&new, NOW)).await, Ok(None));
        let events = world.store.activity(&other, &ActivityFilter { limit: 10, ..Default::default() }).await;
        assert!(events.expect("the store answers").0.is_empty());
    }
    assert_eq!(world.store.key(&acme(), key_id).await, Ok(Some(new.key.clone())));
    let standing = world.store.standing(&new.digest).await.expect("the store answers").expect("known");
    assert!(!standing.revoked);
}

async fn no_two_keys_have_one_digest(world: &World) {
    let first = world.key("acme").await;
    for brand in ["acme", "umbrella"] {
        let mut second = make::key(brand, world.entropy.clone());
        second.digest = first.digest;
        let created = world.store.create_key(&id(brand), &second, &make::created(&second)).await;
        assert_eq!(created, Err(Unavailable));
        assert_eq!(world.store.key(&id(brand), &second.key.key_id).await, Ok(None));
    }
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity").await, 1);
    let standing = world.store.standing(&first.digest).await.expect("the store answers").expect("known");
    assert_eq!(standing.key_id, first.key.key_id);
}

async fn a_key_is_revoked_once(world: &World) {
    let new = world.key("acme").await;
    for at in [5, 6, 4] {
        let event = make::revoked(&new, after(at));
        world.store.revoke_key(&acme(), &new.key.key_id, &event).await.expect("the store answers");
        let found = world.store.key(&acme(), &new.key.key_id).await.expect("the store answers");
        assert_eq!(found.expect("it is kept").revoked_at, Some(after(5)));
    }
    assert_eq!(kinds(&world.store).await, [EventKind::Revoked, EventKind::Created]);
}

async fn of_many_revokes_at_once_one_is_recorded(world: &World) {
    let new = world.key("acme").await;
    let revokes = (0..10).map(|number| {
        let (store, new) = (world.store.clone(), new.clone());
        async move { store.revoke_key(&acme(), &new.key.key_id, &make::revoked(&new, after(number))).await }
    });
    assert_eq!(at_once(revokes).await, vec![Ok(()); 10]);
    assert_eq!(kinds(&world.store).await, [EventKind::Revoked, EventKind::Created]);
    let (revoked_at, recorded_at) = (
        world.raw.number("SELECT revoked_at FROM keys").await,
        world.raw.number("SELECT at FROM activity WHERE kind = 'revoked'").await,
    );
    assert_eq!(revoked_at, recorded_at);
}

async fn revoking_what_is_not_there_records_nothing(world: &World) {
    let never_kept = make::key("acme", world.entropy.clone());
    let event = make::revoked(&never_kept, NOW);
    assert_eq!(world.store.revoke_key(&acme(), &never_kept.key.key_id, &event).await, Ok(()));
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity").await, 0);
}

/// An event of the same brand, moment and id stands in the way of the record.
async fn what_cannot_be_recorded_does_not_happen(world: &World) {
    let sealing = crate::seals::sealing(&["a"], &world.entropy);
    let (new, _) = make::sealed_key("acme", &sealing, world.entropy.clone());
    world.keep(&new).await;
    let taken = make::created(&new);

    let another = make::key("acme", world.entropy.clone());
    assert_eq!(world.store.create_key(&acme(), &another, &taken).await, Err(Unavailable));
    assert_eq!(world.store.key(&acme(), &another.key.key_id).await, Ok(None));

    assert_eq!(world.store.revoke_key(&acme(), &new.key.key_id, &taken).await, Err(Unavailable));
    assert_eq!(world.store.key(&acme(), &new.key.key_id).await, Ok(Some(new.key.clone())));
    let standing = world.store.standing(&new.digest).await.expect("the store answers").expect("known");
    assert!(!standing.revoked);

    assert_eq!(world.store.sealed_key(&acme(), &new.key.key_id, &taken).await, Err(Unavailable));
    assert_eq!(kinds(&world.store).await, [EventKind::Created]);
}
