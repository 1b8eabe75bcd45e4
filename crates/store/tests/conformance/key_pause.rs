//! Pausing and resuming keys.

use svc_mcp_access::{
    decision::KeySource,
    key::{Key, NewKey, PauseReason},
};
use svc_mcp_store::{ActivityFilter, EventKind, QueuedWork};

use crate::{
    make::{self, NOW, acme, after, id, umbrella},
    world::World,
};

on_both_engines! {
    pause_and_resume_are_shown_and_recorded_once,
    another_brand_cannot_pause_or_resume_a_key,
    revoked_key_is_neither_paused_nor_resumed,
    removed_member_takes_the_keys_along,
}

async fn found(world: &World, new: &NewKey) -> Key {
    world.store.key(&acme(), &new.key.key_id).await.expect("the store answers").expect("it is kept")
}

async fn is_paused(world: &World, new: &NewKey) -> bool {
    world.store.key_state(&new.digest).await.expect("the store answers").expect("a known key").paused
}

async fn kinds(world: &World) -> Vec<(EventKind, Option<String>)> {
    let filter = ActivityFilter { limit: 50, ..ActivityFilter::default() };
    let (events, _) = world.store.activity(&acme(), &filter).await.expect("the store answers");
    events.into_iter().rev().map(|event| (event.kind, event.reason)).collect()
}

async fn pause_and_resume_are_shown_and_recorded_once(world: &World) {
    let new = world.key("acme").await;
    assert!(!is_paused(world, &new).await);
    for _ in 0..2 {
        world
            .store
            .pause_key(&acme(), &new.key.key_id, &make::paused(&new))
            .await
            .expect("the store answers");
        let pause = found(world, &new).await.pause.expect("it is paused");
        assert_eq!((pause.at, pause.by, pause.reason), (after(2), id("ada"), PauseReason::Requested));
        assert!(is_paused(world, &new).await);
    }
    for _ in 0..2 {
        let resumed = make::resumed(&new);
        world.store.resume_key(&acme(), &new.key.key_id, &resumed).await.expect("the store answers");
        assert_eq!(found(world, &new).await, new.key);
        assert!(!is_paused(world, &new).await);
    }
    let kinds: Vec<EventKind> = kinds(world).await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    assert!(kinds.contains(&EventKind::Paused) && kinds.contains(&EventKind::Resumed), "{kinds:?}");
}

async fn another_brand_cannot_pause_or_resume_a_key(world: &World) {
    let new = world.key("acme").await;
    world.store.pause_key(&umbrella(), &new.key.key_id, &make::paused(&new)).await.expect("no fault");
    assert!(!is_paused(world, &new).await);
    world.store.pause_key(&acme(), &new.key.key_id, &make::paused(&new)).await.expect("no fault");
    world.store.resume_key(&umbrella(), &new.key.key_id, &make::resumed(&new)).await.expect("no fault");
    assert!(is_paused(world, &new).await);
}

async fn revoked_key_is_neither_paused_nor_resumed(world: &World) {
    let new = world.key("acme").await;
    world
        .store
        .revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &make::revoked(&new, NOW))
        .await
        .expect("revoked");
    world.store.pause_key(&acme(), &new.key.key_id, &make::paused(&new)).await.expect("the store answers");
    assert_eq!(found(world, &new).await.pause, None);
}

async fn removed_member_takes_the_keys_along(world: &World) {
    let (mine, other) = (world.key("acme").await, world.key("umbrella").await);
    let paused_before = world.key("acme").await;
    let event = make::paused(&paused_before);
    world.store.pause_key(&acme(), &paused_before.key.key_id, &event).await.expect("the store answers");
    for _ in 0..2 {
        world.store.remove_member(&acme(), &id("ada"), &make::removal()).await.expect("the store answers");
    }
    let pause = found(world, &mine).await.pause.expect("it is paused");
    assert_eq!((pause.at, pause.by, pause.reason), (after(1), id("olga"), PauseReason::OwnerRemoved));
    let pause = found(world, &paused_before).await.pause.expect("it is paused");
    assert_eq!(pause.reason, PauseReason::Requested, "the first reason stays");
    assert!(!is_paused(world, &other).await);
    let by_removal = (EventKind::Paused, Some("owner_removed".to_owned()));
    assert_eq!(kinds(world).await.iter().filter(|event| **event == by_removal).count(), 1);
    world.store.put_member(&make::member("acme", "ada", "admin")).await.expect("the store answers");
    assert!(is_paused(world, &mine).await, "it does not wake by itself");
}
