//! A key state that was read before a change must not be cached after it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use svc_mcp_access::{
    decision::{KeySource, KeyState},
    key::{KeyDigest, NewKey},
};
use svc_mcp_store::{QueuedWork, Store};
use tokio::task::JoinSet;

use crate::{
    make::{self, acme, after, id},
    world::World,
};

on_both_engines! {
    no_lookup_after_a_revoke_finds_the_key_active,
    no_lookup_after_a_change_finds_the_old_state,
}

/// Tasks that look up these keys without a pause until they are stopped.
struct LookupLoad {
    stop: Arc<AtomicBool>,
    lookups: Arc<AtomicU64>,
    tasks: JoinSet<()>,
}

impl LookupLoad {
    fn start(store: &Store, digests: &[KeyDigest]) -> Self {
        let (stop, lookups) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let mut tasks = JoinSet::new();
        for first in 0..4 {
            let (store, digests) = (store.clone(), digests.to_vec());
            let (stop, lookups) = (Arc::clone(&stop), Arc::clone(&lookups));
            tasks.spawn(async move {
                for digest in digests.iter().cycle().skip(first * digests.len() / 4) {
                    if stop.load(Ordering::SeqCst) {
                        return;
                    }
                    let found = store.key_state(digest).await.expect("the store answers");
                    assert!(found.is_some());
                    lookups.fetch_add(1, Ordering::SeqCst);
                    // A cache hit does not yield, and a task that never yields would block the others.
                    tokio::task::yield_now().await;
                }
            });
        }
        Self { stop, lookups, tasks }
    }

    async fn stop(self) {
        self.stop.store(true, Ordering::SeqCst);
        self.tasks.join_all().await;
        assert!(self.lookups.load(Ordering::SeqCst) > 0);
    }
}

async fn look_up(store: &Store, key: &NewKey) -> Arc<KeyState> {
    store.key_state(&key.digest).await.expect("the store answers").expect("a known key")
}

async fn no_lookup_after_a_revoke_finds_the_key_active(world: &World) {
    for round in 0..4 {
        let mut keys = Vec::new();
        for _ in 0..25 {
            keys.push(world.key("acme").await);
        }
        let digests: Vec<_> = keys.iter().map(|key| key.digest).collect();
        let load = LookupLoad::start(&world.store, &digests);
        for (number, key) in keys.iter().enumerate() {
            let event = make::revoked(key, after(round));
            world
                .store
                .revoke_key(&acme(), &key.key.key_id, QueuedWork::Cancel, &event)
                .await
                .expect("the store answers");
            for earlier in &keys[..=number] {
                assert!(look_up(&world.store, earlier).await.revoked, "round {round}, key {number}");
            }
        }
        load.stop().await;
        for key in &keys {
            assert!(look_up(&world.store, key).await.revoked, "round {round}, at the end");
        }
    }
}

async fn no_lookup_after_a_change_finds_the_old_state(world: &World) {
    let mut keys = Vec::new();
    for _ in 0..8 {
        keys.push(world.key("acme").await);
    }
    let digests: Vec<_> = keys.iter().map(|key| key.digest).collect();
    let load = LookupLoad::start(&world.store, &digests);
    for round in 0..40 {
        let on = round % 2 == 1;
        world.store.put_plan(&make::plan("pro", on)).await.expect("the store answers");
        for key in &keys {
            assert_eq!(look_up(&world.store, key).await.mcp_enabled, on, "round {round}");
        }
        if on {
            world.store.put_member(&make::member("acme", "ada", "admin")).await.expect("the store answers");
        } else {
            world
                .store
                .remove_member(&acme(), &id("ada"), &make::removal())
                .await
                .expect("the store answers");
        }
        for key in &keys {
            assert_eq!(look_up(&world.store, key).await.owner_is_member, on, "round {round}");
        }
    }
    load.stop().await;
}
