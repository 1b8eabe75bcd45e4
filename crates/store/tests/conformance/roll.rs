//! The roll of keys: a key that does not exist costs no look-up, and one that was just created is always found.

use svc_mcp_access::{
    Secret,
    decision::{Standings, Unavailable},
    key::KeyDigest,
};
use svc_mcp_store::{Shared, Store};
use svc_mcp_testkit::Redis;

use crate::{
    make,
    world::{World, at_once},
};

on_both_engines! {
    a_stranger_is_ruled_out_without_a_look_up,
    a_new_key_is_found_at_once_by_every_instance,
    without_redis_other_processes_are_looked_after,
    keys_created_while_the_roll_is_made_are_found,
    keys_created_while_others_ask_are_found,
    without_the_database_no_instance_rules_anybody_out,
}

async fn redis(world: &World) -> Shared {
    let url = tokio::task::spawn_blocking(|| Redis::shared().fresh_database()).await.expect("Redis");
    Shared::open(&Secret::new(url), world.entropy.clone()).expect("an address of Redis")
}

fn stranger(world: &World) -> KeyDigest {
    make::key("acme", world.entropy.clone()).digest
}

/// Has its roll, since it was asked for a stranger before.
async fn with_roll(world: &World, store: Store) -> Store {
    store.notice_changes().await.expect("the store answers");
    assert_eq!(store.standing(&stranger(world)).await, Ok(None));
    store.keep_roll().await.expect("the store answers");
    store
}

async fn a_stranger_is_ruled_out_without_a_look_up(world: &World) {
    let before = world.key("acme").await;
    let alone = with_roll(world, world.another_process().await).await;
    let instance = with_roll(world, world.another_instance(Some(redis(world).await)).await).await;
    let after = world.key("acme").await;
    // What a look-up reads is not there any more: only who is on the roll is looked up, and fails.
    world.raw.execute("ALTER TABLE plans RENAME TO hidden").await;
    for _ in 0..20 {
        assert_eq!(alone.standing(&stranger(world)).await, Ok(None));
        assert_eq!(instance.standing(&stranger(world)).await, Ok(None));
    }
    assert_eq!(alone.standing(&before.digest).await, Err(Unavailable));
    for known in [&before, &after] {
        assert_eq!(instance.standing(&known.digest).await, Err(Unavailable));
    }
    world.raw.execute("ALTER TABLE hidden RENAME TO plans").await;
    for known in [&before, &after] {
        assert!(instance.standing(&known.digest).await.expect("the store answers").is_some());
    }
}

async fn a_new_key_is_found_at_once_by_every_instance(world: &World) {
    let shared = redis(world).await;
    let here = with_roll(world, world.another_instance(Some(shared.clone())).await).await;
    let there = with_roll(world, world.another_instance(Some(shared)).await).await;
    for _ in 0..10 {
        let new = make::key("acme", world.entropy.clone());
        let created = here.create_key(&new.key.brand_id, &new, &make::created(&new)).await;
        created.expect("the store answers").expect("there is room");
        for store in [&there, &here] {
            let found = store.standing(&new.digest).await.expect("the store answers");
            assert_eq!(found.expect("a key that was just created").key_id, new.key.key_id);
        }
    }
}

async fn without_redis_other_processes_are_looked_after(world: &World) {
    let (here, there) = (world.store.clone(), world.another_process().await);
    let (here, there) = (with_roll(world, here).await, with_roll(world, there).await);
    for _ in 0..3 {
        let new = world.key("acme").await;
        assert!(here.standing(&new.digest).await.expect("the store answers").is_some(), "its own, at once");
        there.keep_roll().await.expect("the store answers");
        assert!(there.standing(&new.digest).await.expect("the store answers").is_some());
    }
}

async fn keys_created_while_the_roll_is_made_are_found(world: &World) {
    assert_eq!(world.store.standing(&stranger(world)).await, Ok(None));
    let making = world.store.keep_roll();
    let creating = async {
        let mut all = Vec::new();
        for _ in 0..10 {
            let new = world.key("acme").await;
            assert!(world.store.standing(&new.digest).await.expect("the store answers").is_some());
            all.push(new);
        }
        all
    };
    let (made, created) = tokio::join!(making, creating);
    made.expect("the store answers");
    for new in created {
        world.store.refreshed(&new.digest).await.expect("the store answers");
        assert!(world.store.standing(&new.digest).await.expect("the store answers").is_some());
    }
}

async fn keys_created_while_others_ask_are_found(world: &World) {
    let store = with_roll(world, world.another_instance(Some(redis(world).await)).await).await;
    let work = (0..20).map(|_| {
        let (store, creator) = (store.clone(), world.store.clone());
        let (new, other) = (make::key("acme", world.entropy.clone()), stranger(world));
        async move {
            let created = creator.create_key(&new.key.brand_id, &new, &make::created(&new)).await;
            created.expect("the store answers").expect("there is room");
            let (found, other) = tokio::join!(store.standing(&new.digest), store.standing(&other));
            (found.expect("the store answers").is_some(), other.expect("the store answers").is_some())
        }
    });
    assert_eq!(at_once(work).await, [(true, false); 20]);
}

async fn without_the_database_no_instance_rules_anybody_out(world: &World) {
    let store = with_roll(world, world.another_instance(Some(redis(world).await)).await).await;
    store.close().await;
    assert_eq!(store.standing(&stranger(world)).await, Err(Unavailable), "it may have been created since");
}
