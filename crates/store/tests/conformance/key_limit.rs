//! Fifty active keys a brand, however many ask at once.

use svc_mcp_access::key::ACTIVE_KEYS_PER_BRAND;
use svc_mcp_store::{KeyFilter, KeyLimitReached, Store};

use crate::{
    make::{self, NOW, acme, after},
    world::{World, at_once},
};

on_both_engines! {
    sixty_creates_at_once_make_fifty_keys,
    two_processes_share_the_fifty,
    expired_and_revoked_keys_leave_room,
}

const LIMIT: i64 = 50;

/// Creates so many keys at once, in turn on each of these stores, and gives how many were refused.
async fn crowd(world: &World, stores: &[Store], number: usize) -> usize {
    let creates = stores.iter().cycle().take(number).map(|store| {
        let (store, new) = (store.clone(), make::key("acme", world.entropy.clone()));
        async move { store.create_key(&acme(), &new, &make::created(&new)).await.expect("the store answers") }
    });
    let results = at_once(creates).await;
    results.into_iter().filter(|result| *result == Err(KeyLimitReached)).count()
}

async fn sixty_creates_at_once_make_fifty_keys(world: &World) {
    assert_eq!(ACTIVE_KEYS_PER_BRAND, usize::try_from(LIMIT).expect("small"));
    assert_eq!(crowd(world, std::slice::from_ref(&world.store), 60).await, 10);
    let filter = KeyFilter { limit: 100, ..KeyFilter::default() };
    let (keys, _) = world.store.keys(&acme(), &filter).await.expect("the store answers");
    assert_eq!(keys.len(), ACTIVE_KEYS_PER_BRAND);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM activity WHERE kind = 'created'").await, LIMIT);
    // The limit is each brand's own.
    world.key("umbrella").await;
}

async fn two_processes_share_the_fifty(world: &World) {
    let stores = [world.store.clone(), world.another_process().await];
    assert_eq!(crowd(world, &stores, 60).await, 10);
    assert_eq!(world.raw.number("SELECT COUNT(*) FROM keys").await, LIMIT);
}

async fn expired_and_revoked_keys_leave_room(world: &World) {
    let mut made = Vec::new();
    for number in 0..LIMIT {
        let mut new = make::key("acme", world.entropy.clone());
        // One ends when the next one is asked for, one a moment later.
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
        world.store.create_key(&acme(), &new, &make::created(&new)).await.expect("the store answers")
    };
    assert_eq!(create(after(9)).await, Err(KeyLimitReached));
    assert_eq!(create(after(10)).await, Ok(()));
    assert_eq!(create(after(10)).await, Err(KeyLimitReached));
    assert_eq!(create(after(11)).await, Ok(()));
    assert_eq!(create(after(11)).await, Err(KeyLimitReached));

    let last = made.last().expect("fifty");
    world.store.revoke_key(&acme(), &last.key.key_id, &make::revoked(last, NOW)).await.expect("revoked");
    assert_eq!(create(after(11)).await, Ok(()));
    assert_eq!(create(after(11)).await, Err(KeyLimitReached));
}
