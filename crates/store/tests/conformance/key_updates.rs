//! Changes of a key's settings.

use svc_mcp_access::{
    ApprovalRule, BrandId, Scope,
    decision::KeySource,
    key::{ChangeRefused, Key, KeyChanges, NewKey},
};
use svc_mcp_store::{ActivityFilter, EventKind, NewEvent, QueuedWork, Store, UpdateKeyError};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    world::{World, at_once},
};

on_both_engines! {
    every_field_is_changed_in_one_transaction,
    restrictions_are_removed,
    next_lookup_sees_the_change,
    change_that_changes_nothing_is_not_recorded,
    refused_change_changes_nothing,
    failed_event_rolls_everything_back,
    widening_is_judged_by_the_key_as_it_is_now,
    expired_key_lives_again_only_within_the_quota,
}

fn no_changes() -> KeyChanges {
    KeyChanges::default()
}

async fn write_key(world: &World) -> NewKey {
    let mut new = make::key("acme", world.entropy.clone());
    new.key.scope = Scope::Write;
    world.keep(&new).await;
    new
}

async fn found(world: &World, new: &NewKey) -> Key {
    world.store.key(&acme(), &new.key.key_id).await.expect("the store answers").expect("a key")
}

async fn events(store: &Store) -> Vec<(EventKind, Option<String>)> {
    let filter = ActivityFilter { limit: 50, ..ActivityFilter::default() };
    let (events, _) = store.activity(&acme(), &filter).await.expect("the store answers");
    events.into_iter().rev().map(|event| (event.kind, event.reason)).collect()
}

fn every_field() -> KeyChanges {
    KeyChanges {
        label: Some("renamed".into()),
        scope: Some(Scope::Read),
        tools: Some(Some(vec!["get_post".into()])),
        expires_at: Some(Some(after(86_400_000))),
        approval: Some(ApprovalRule::All),
        allowed_networks: Some(Some(make::networks(&["203.0.113.0/24"]))),
        paused: Some(true),
    }
}

async fn every_field_is_changed_in_one_transaction(world: &World) {
    let new = write_key(world).await;
    let event = make::updated(&new);
    let updated = world
        .store
        .update_key(&acme(), &new.key.key_id, &every_field(), &event)
        .await
        .expect("it may be changed");
    assert_eq!(updated, found(world, &new).await);
    let pause = updated.pause.clone().expect("it is paused");
    assert_eq!((pause.at, pause.by), (after(2), id("ada")));
    let expected = Key {
        label: "renamed".into(),
        scope: Scope::Read,
        tools: Some(vec!["get_post".into()]),
        expires_at: Some(after(86_400_000)),
        approval: ApprovalRule::All,
        allowed_networks: Some(make::networks(&["203.0.113.0/24"])),
        pause: updated.pause.clone(),
        ..new.key.clone()
    };
    assert_eq!(updated, expected);
    let reason = "label, scope, tools, expires_at, approval, allowed_networks";
    let mut recorded = events(&world.store).await.split_off(1);
    recorded.sort_by_key(|(kind, _)| kind.as_str());
    assert_eq!(recorded, [(EventKind::Paused, None), (EventKind::Updated, Some(reason.to_owned()))]);
}

async fn restrictions_are_removed(world: &World) {
    let new = write_key(world).await;
    world
        .store
        .update_key(&acme(), &new.key.key_id, &every_field(), &make::updated(&new))
        .await
        .expect("changed");
    let removed = KeyChanges {
        tools: Some(None),
        expires_at: Some(None),
        allowed_networks: Some(None),
        approval: Some(ApprovalRule::None),
        paused: Some(false),
        ..no_changes()
    };
    let updated = world
        .store
        .update_key(&acme(), &new.key.key_id, &removed, &make::updated(&new))
        .await
        .expect("changed");
    assert_eq!(updated, Key { label: "renamed".into(), scope: Scope::Read, ..new.key.clone() });
}

async fn next_lookup_sees_the_change(world: &World) {
    let new = write_key(world).await;
    let look_up = async || {
        let found = world.store.key_state(&new.digest).await.expect("the store answers");
        found.expect("a known key")
    };
    assert_eq!(look_up().await.scope, Scope::Write);
    world
        .store
        .update_key(&acme(), &new.key.key_id, &every_field(), &make::updated(&new))
        .await
        .expect("changed");
    let key_state = look_up().await;
    assert_eq!((key_state.scope, key_state.paused), (Scope::Read, true));
    assert_eq!(key_state.expires_at, Some(after(86_400_000)));
    assert_eq!(key_state.approval, ApprovalRule::All);
    assert_eq!(key_state.allowed_networks, Some(make::networks(&["203.0.113.0/24"])));
    assert_eq!(key_state.tools, Some(["get_post"].into_iter().collect()));
}

async fn change_that_changes_nothing_is_not_recorded(world: &World) {
    let new = write_key(world).await;
    let same = KeyChanges {
        label: Some(new.key.label.clone()),
        scope: Some(new.key.scope),
        tools: Some(None),
        expires_at: Some(None),
        approval: Some(ApprovalRule::None),
        allowed_networks: Some(None),
        paused: Some(false),
    };
    for changes in [no_changes(), same] {
        let updated = world.store.update_key(&acme(), &new.key.key_id, &changes, &make::updated(&new)).await;
        assert_eq!(updated, Ok(new.key.clone()));
    }
    assert_eq!(events(&world.store).await.len(), 1, "only that it was created");
}

async fn refused_change_changes_nothing(world: &World) {
    let new = write_key(world).await;
    world
        .store
        .update_key(&acme(), &new.key.key_id, &every_field(), &make::updated(&new))
        .await
        .expect("changed");
    let (before, recorded) = (found(world, &new).await, events(&world.store).await);
    let update = async |brand: &BrandId, changes: &KeyChanges, event: &NewEvent| {
        world.store.update_key(brand, &new.key.key_id, changes, event).await
    };
    let refused = |reason| Err(UpdateKeyError::Refused(reason));
    let widen = KeyChanges { label: Some("x".into()), scope: Some(Scope::Full), ..no_changes() };
    assert_eq!(update(&acme(), &widen, &make::updated(&new)).await, refused(ChangeRefused::ScopeWidened));
    let looser = KeyChanges { label: Some("x".into()), tools: Some(None), ..no_changes() };
    let by_bob = NewEvent { actor: id("bob"), ..make::updated(&new) };
    assert_eq!(update(&acme(), &looser, &by_bob).await, refused(ChangeRefused::NotCreator("tools")));
    assert_eq!(update(&umbrella(), &looser, &make::updated(&new)).await, Err(UpdateKeyError::NotFound));
    assert_eq!(found(world, &new).await, before);
    assert_eq!(events(&world.store).await, recorded);
    let event = make::revoked(&new, NOW);
    world.store.revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &event).await.expect("revoked");
    assert_eq!(update(&acme(), &no_changes(), &make::updated(&new)).await, refused(ChangeRefused::Revoked));
}

async fn failed_event_rolls_everything_back(world: &World) {
    let new = write_key(world).await;
    let taken = NewEvent { kind: EventKind::Updated, ..make::created(&new) };
    let result = world.store.update_key(&acme(), &new.key.key_id, &every_field(), &taken).await;
    assert!(matches!(result, Err(UpdateKeyError::Store(_))), "{result:?}");
    assert_eq!(found(world, &new).await, new.key);
}

/// The creator narrows a key while an administrator changes it: the administrator never gets a wider key than the creator
/// has left.
async fn widening_is_judged_by_the_key_as_it_is_now(world: &World) {
    let only = |tool: &str| KeyChanges { tools: Some(Some(vec![tool.to_owned()])), ..no_changes() };
    for _ in 0..10 {
        let new = write_key(world).await;
        let by_bob = NewEvent { actor: id("bob"), ..make::updated(&new) };
        let changes = [(only("get_post"), make::updated(&new)), (only("create_post"), by_bob)];
        let results = at_once(changes.map(|(changes, event)| {
            let store = world.store.clone();
            async move { store.update_key(&acme(), &event.key_id, &changes, &event).await }
        }))
        .await;
        let refused = Err(UpdateKeyError::Refused(ChangeRefused::NotCreator("tools")));
        assert!(results[0].is_ok(), "{results:?}");
        assert!(results[1].is_ok() || results[1] == refused, "{results:?}");
        assert_eq!(found(world, &new).await.tools, Some(vec!["get_post".to_owned()]));
        let event = make::revoked(&new, NOW);
        world.store.revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &event).await.expect("revoked");
    }
}

async fn expired_key_lives_again_only_within_the_quota(world: &World) {
    let mut expired = make::key("acme", world.entropy.clone());
    expired.key.expires_at = Some(after(1));
    world.keep(&expired).await;
    let mut others = Vec::new();
    for _ in 0..50 {
        let mut new = make::key("acme", world.entropy.clone());
        new.key.created_at = after(2);
        world.keep(&new).await;
        others.push(new);
    }
    let longer = KeyChanges { expires_at: Some(None), ..no_changes() };
    let update = async || {
        world.store.update_key(&acme(), &expired.key.key_id, &longer, &make::updated(&expired)).await
    };
    assert!(matches!(update().await, Err(UpdateKeyError::QuotaReached(_))));
    let renamed = KeyChanges { label: Some("old".into()), ..no_changes() };
    let event = make::updated(&expired);
    world.store.update_key(&acme(), &expired.key.key_id, &renamed, &event).await.expect("it stays expired");
    let event = make::revoked(&others[0], after(3));
    let other = &others[0].key.key_id;
    world.store.revoke_key(&acme(), other, QueuedWork::Cancel, &event).await.expect("revoked");
    assert_eq!(update().await.expect("there is room").expires_at, None);
}
