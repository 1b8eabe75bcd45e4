//! A store that was just opened: no connection is open and no key is cached.

use svc_mcp_access::decision::KeySource;
use svc_mcp_store::Store;
use svc_mcp_testkit::Redis;

use crate::{
    make,
    world::{World, at_once},
};

on_both_engines! {
    no_lookup_of_a_good_key_is_shed,
    no_lookup_of_a_good_key_is_shed_with_redis,
}

/// The keys are of several brands, because a brand may have fifty.
const BRANDS: usize = 4;
const KEYS_PER_BRAND: usize = 32;

/// Every client sends a key that no other client sends, and then the next one.
async fn look_up_concurrently(world: &World, store: Store) {
    let mut digests = Vec::new();
    for number in 0..BRANDS {
        let brand = format!("brand-{number}");
        world.store.put_brand(&make::brand(&brand, "pro")).await.expect("a brand");
        world.store.put_member(&make::member(&brand, "ada", "admin")).await.expect("a member");
        for _ in 0..KEYS_PER_BRAND {
            digests.push(world.key(&brand).await.digest);
        }
    }
    let clients = digests.chunks(2).map(|digests| {
        let (store, digests) = (store.clone(), digests.to_vec());
        async move {
            let mut found = Vec::new();
            for digest in digests {
                found.push(store.key_state(&digest).await.map(|key_state| key_state.is_some()));
            }
            found
        }
    });
    assert_eq!(clients.len(), 64);
    assert_eq!(at_once(clients).await.concat(), vec![Ok(true); digests.len()]);
}

async fn no_lookup_of_a_good_key_is_shed(world: &World) {
    look_up_concurrently(world, world.another_process().await).await;
}

async fn no_lookup_of_a_good_key_is_shed_with_redis(world: &World) {
    let url = tokio::task::spawn_blocking(|| Redis::shared().fresh_database()).await.expect("Redis");
    let redis = world.redis(url);
    look_up_concurrently(world, world.another_instance(Some(redis)).await).await;
}
