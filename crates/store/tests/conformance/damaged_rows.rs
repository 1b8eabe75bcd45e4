//! Rows that cannot be read: the error is internal, and everything else still works.

use svc_mcp_access::{StoreError, decision::KeySource};
use svc_mcp_store::KeyFilter;
use svc_mcp_tools::{Change, Records, posts::PostRecords};

use crate::{
    make::{self, NOW, acme, umbrella},
    world::World,
};

on_both_engines! {
    key_with_an_unreadable_scope_fails_alone,
    key_with_an_unreadable_list_of_tools_fails_alone,
    brand_with_unreadable_competitors_fails_alone,
    post_with_an_unreadable_status_fails_alone,
}

/// Writes a value into a column of one key, and checks that only this key fails.
async fn damage_key(world: &World, column: &str, value: &str) {
    let (damaged, good) = (world.key("acme").await, world.key("acme").await);
    let key_id = &damaged.key.key_id;
    let sql = format!("UPDATE keys SET {column} = '{value}' WHERE key_id = '{key_id}'");
    assert_eq!(world.raw.execute(&sql).await, 1);
    for _ in 0..2 {
        assert_eq!(world.store.key_state(&damaged.digest).await, Err(StoreError::Internal));
        assert_eq!(world.store.key(&acme(), key_id).await, Err(StoreError::Internal));
    }
    let filter = KeyFilter { limit: 10, ..KeyFilter::default() };
    assert_eq!(world.store.keys(&acme(), &filter).await.err(), Some(StoreError::Internal));

    assert!(world.store.key_state(&good.digest).await.expect("the store answers").is_some());
    assert_eq!(world.store.key(&acme(), &good.key.key_id).await, Ok(Some(good.key)));
    world.store.notice_changes().await.expect("the store answers");
    assert!(world.store.answers());
}

async fn key_with_an_unreadable_scope_fails_alone(world: &World) {
    damage_key(world, "scope", "everything").await;
}

async fn key_with_an_unreadable_list_of_tools_fails_alone(world: &World) {
    damage_key(world, "tools", "[not JSON").await;
}

async fn brand_with_unreadable_competitors_fails_alone(world: &World) {
    world.raw.execute("UPDATE brands SET competitors = '{' WHERE brand_id = 'acme'").await;
    assert_eq!(world.store.brand(&acme()).await, Err(StoreError::Internal));
    assert_eq!(world.records().profile(&acme()).await.err(), Some(StoreError::Internal));
    assert!(world.store.brand(&umbrella()).await.expect("the store answers").is_some());
    assert!(world.records().profile(&umbrella()).await.is_ok());
}

async fn post_with_an_unreadable_status_fails_alone(world: &World) {
    let posts = ["post_1", "post_2"].map(|post_id| Change::AddPost(make::post(post_id, NOW)));
    world.records().commit(&acme(), &posts, None, NOW).await.expect("committed");
    world.raw.execute("UPDATE post_targets SET status = 'lost' WHERE post_id = 'post_1'").await;
    assert_eq!(world.records().post(&acme(), "post_1").await, Err(StoreError::Internal));
    assert!(world.records().post(&acme(), "post_2").await.expect("the store answers").is_some());
}
