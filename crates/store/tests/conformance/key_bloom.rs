//! The bloom filter of keys: an unknown key costs no lookup, and a new key is always found.

use svc_mcp_access::{StoreError, decision::KeySource, key::KeyDigest};
use svc_mcp_store::{RedisState, Store};
use svc_mcp_testkit::Redis;

use crate::{
    make,
    world::{World, at_once},
};

on_both_engines! {
    unknown_key_is_ruled_out_without_a_lookup,
    new_key_is_found_at_once_by_every_instance,
    keys_of_other_processes_are_added_without_redis,
    keys_created_during_the_build_are_found,
    keys_created_during_lookups_are_found,
    no_key_is_ruled_out_while_the_database_is_away,
}

pub(crate) async fn redis(world: &World) -> RedisState {
    let url = tokio::task::spawn_blocking(|| Redis::shared().fresh_database()).await.expect("Redis");
    world.redis(url)
}

fn unknown_key(world: &World) -> KeyDigest {
    make::key("acme", world.entropy.clone()).digest
}

/// Builds the filter of a store. The lookup of an unknown key requests it.
pub(crate) async fn with_filter(world: &World, store: Store) -> Store {
    store.notice_changes().await.expect("the store answers");
    assert_eq!(store.key_state(&unknown_key(world)).await, Ok(None));
    store.maintain_key_filter().await.expect("the store answers");
    store
}

async fn unknown_key_is_ruled_out_without_a_lookup(world: &World) {
    let before = world.key("acme").await;
    let alone = with_filter(world, world.another_process().await).await;
    let instance = with_filter(world, world.another_instance(Some(redis(world).await)).await).await;
    let after = world.key("acme").await;
    // Without this table every lookup fails, so a result shows that there was none.
    world.raw.execute("ALTER TABLE plans RENAME TO hidden").await;
    for _ in 0..20 {
        assert_eq!(alone.key_state(&unknown_key(world)).await, Ok(None));
        assert_eq!(instance.key_state(&unknown_key(world)).await, Ok(None));
    }
    assert_eq!(alone.key_state(&before.digest).await, Err(StoreError::Internal));
    for existing in [&before, &after] {
        assert_eq!(instance.key_state(&existing.digest).await, Err(StoreError::Internal));
    }
    world.raw.execute("ALTER TABLE hidden RENAME TO plans").await;
    for existing in [&before, &after] {
        assert!(instance.key_state(&existing.digest).await.expect("the store answers").is_some());
    }
}

async fn new_key_is_found_at_once_by_every_instance(world: &World) {
    let redis = redis(world).await;
    let here = with_filter(world, world.another_instance(Some(redis.clone())).await).await;
    let there = with_filter(world, world.another_instance(Some(redis)).await).await;
    for _ in 0..10 {
        let new = make::key("acme", world.entropy.clone());
        let created = here.create_key(&new.key.brand_id, &new, &make::created(&new)).await;
        created.expect("the key is created");
        for store in [&there, &here] {
            let found = store.key_state(&new.digest).await.expect("the store answers");
            assert_eq!(found.expect("a key that was just created").key_id, new.key.key_id);
        }
    }
}

async fn keys_of_other_processes_are_added_without_redis(world: &World) {
    let (here, there) = (world.store.clone(), world.another_process().await);
    let (here, there) = (with_filter(world, here).await, with_filter(world, there).await);
    for _ in 0..3 {
        let new = world.key("acme").await;
        assert!(here.key_state(&new.digest).await.expect("the store answers").is_some(), "its own key");
        there.maintain_key_filter().await.expect("the store answers");
        assert!(there.key_state(&new.digest).await.expect("the store answers").is_some());
    }
}

async fn keys_created_during_the_build_are_found(world: &World) {
    assert_eq!(world.store.key_state(&unknown_key(world)).await, Ok(None));
    let building = world.store.maintain_key_filter();
    let creating = async {
        let mut all = Vec::new();
        for _ in 0..10 {
            let new = world.key("acme").await;
            assert!(world.store.key_state(&new.digest).await.expect("the store answers").is_some());
            all.push(new);
        }
        all
    };
    let (built, created) = tokio::join!(building, creating);
    built.expect("the store answers");
    for new in created {
        world.store.reload(&new.digest).await.expect("the store answers");
        assert!(world.store.key_state(&new.digest).await.expect("the store answers").is_some());
    }
}

async fn keys_created_during_lookups_are_found(world: &World) {
    let store = with_filter(world, world.another_instance(Some(redis(world).await)).await).await;
    let work = (0..20).map(|_| {
        let (store, creator) = (store.clone(), world.store.clone());
        let (new, other) = (make::key("acme", world.entropy.clone()), unknown_key(world));
        async move {
            let created = creator.create_key(&new.key.brand_id, &new, &make::created(&new)).await;
            created.expect("the key is created");
            let (found, other) = tokio::join!(store.key_state(&new.digest), store.key_state(&other));
            (found.expect("the store answers").is_some(), other.expect("the store answers").is_some())
        }
    });
    assert_eq!(at_once(work).await, [(true, false); 20]);
}

async fn no_key_is_ruled_out_while_the_database_is_away(world: &World) {
    let store = with_filter(world, world.another_instance(Some(redis(world).await)).await).await;
    store.close().await;
    assert_eq!(
        store.key_state(&unknown_key(world)).await,
        Err(StoreError::Unavailable),
        "another instance may have created it"
    );
}
