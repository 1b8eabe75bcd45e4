//! A brand has at most fifty active keys, also with concurrent requests.

use svc_mcp_access::{Quota, QuotaReached};
use svc_mcp_store::{CreateKeyError, KeyFilter, QueuedWork, Store};

use crate::{
    make::{self, NOW, acme, after},
    world::{World, at_once, retried},
};

on_both_engines! {
    sixty_concurrent_creates_make_fifty_keys,
    limit_holds_across_two_processes,
    expired_and_revoked_keys_do_not_count,
}

const LIMIT: i64 = 50;

/// Creates keys concurrently, alternating between these stores. Returns how many were refused.
async fn create_concurrently(world: &World, stores: &[Store], number: usize) -> usize {
    let creates = stores.iter().cycle().take(number).map(|store| {
        let (store, new) = (store.clone(), make::key("acme", world.entropy.clone()));
        retried(move || {
            let (store, new) = (store.clone(), new.clone());
            async move { store.create_key(&acme(), &new, &make::created(&new)).await }
        })
    });
    let results = at_once(creates).await;
    assert!(!results.iter().any(|result| matches!(result, Err(CreateKeyError::Store(_)))));
    results.into_iter().filter(|result| matches!(result, Err(CreateKeyError::QuotaReached(_)))).count()
}

async fn sixty_concurrent_creates_make_fifty_keys(world: &World) {
    assert_eq!(create_concurrently(world, std::slice::from_ref(&world.store), 60).await, 10);
    let filter = KeyFilter { limit: 100, ..KeyFilter::default() };
    let (keys, _) = world.store.keys(&acme(), &filter).await.expect("the store answers");
    assert_eq!(keys.len(), 50);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity WHERE kind = 'created'").await, LIMIT);
    // Another brand is not affected.
    world.key("umbrella").await;
}

async fn limit_holds_across_two_processes(world: &World) {
    let stores = [world.store.clone(), world.another_process().await];
    assert_eq!(create_concurrently(world, &stores, 60).await, 10);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM keys").await, LIMIT);
}

async fn expired_and_revoked_keys_do_not_count(world: &World) {
    let mut made = Vec::new();
    for number in 0..LIMIT {
        let mut new = make::key("acme", world.entropy.clone());
        // The first two keys expire at 10 and 11 ms.
        new.key.expires_at = [Some(after(10)), Some(after(11))]
            .get(usize::try_from(number).expect("small"))
            .copied()
            .flatten();
        world.keep(&new).await;
        made.push(new);
    }
    let create = async |at| {
        let mut new = make::key("acme", world.entropy.clone());
        new.key.created_at = at;
        world.store.create_key(&acme(), &new, &make::created(&new)).await
    };
    let refused = |frees_at| {
        let quota = Quota::Keys;
        Err(CreateKeyError::QuotaReached(QuotaReached { quota, limit: 50, used: 50, frees_at }))
    };
    assert_eq!(create(after(9)).await, refused(Some(after(10))));
    assert_eq!(create(after(10)).await, Ok(()));
    assert_eq!(create(after(10)).await, refused(Some(after(11))));
    assert_eq!(create(after(11)).await, Ok(()));
    assert_eq!(create(after(11)).await, refused(None));

    let last = made.last().expect("fifty");
    world
        .store
        .revoke_key(&acme(), &last.key.key_id, QueuedWork::Cancel, &make::revoked(last, NOW))
        .await
        .expect("revoked");
    assert_eq!(create(after(11)).await, Ok(()));
    assert_eq!(create(after(11)).await, refused(None));
}
