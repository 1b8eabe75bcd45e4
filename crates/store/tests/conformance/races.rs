//! A standing that was read before a change must not be kept after it, however reads and changes fall.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use svc_mcp_access::{
    decision::{Standing, Standings},
    key::{KeyDigest, NewKey},
};
use svc_mcp_store::Store;
use tokio::task::JoinSet;

use crate::{
    make::{self, acme, after, id},
    world::World,
};

on_both_engines! {
    no_look_after_a_revoke_finds_the_key_unrevoked,
    no_look_after_a_change_finds_what_was_before,
}

/// Tasks that look these keys up without a pause, until they are told to stop.
struct Lookers {
    stop: Arc<AtomicBool>,
    looks: Arc<AtomicU64>,
    tasks: JoinSet<()>,
}

impl Lookers {
    fn start(store: &Store, digests: &[KeyDigest]) -> Self {
        let (stop, looks) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let mut tasks = JoinSet::new();
        for first in 0..4 {
            let (store, digests) = (store.clone(), digests.to_vec());
            let (stop, looks) = (Arc::clone(&stop), Arc::clone(&looks));
            tasks.spawn(async move {
                for digest in digests.iter().cycle().skip(first * digests.len() / 4) {
                    if stop.load(Ordering::SeqCst) {
                        return;
                    }
                    let found = store.standing(digest).await.expect("the store answers");
                    assert!(found.is_some());
                    looks.fetch_add(1, Ordering::SeqCst);
                    // A hit does not suspend, and a task that never does would keep the others from running.
                    tokio::task::yield_now().await;
                }
            });
        }
        Self { stop, looks, tasks }
    }

    async fn stop(self) {
        self.stop.store(true, Ordering::SeqCst);
        self.tasks.join_all().await;
        assert!(self.looks.load(Ordering::SeqCst) > 0);
    }
}

async fn look(store: &Store, key: &NewKey) -> Arc<Standing> {
    store.standing(&key.digest).await.expect("the store answers").expect("a known key")
}

async fn no_look_after_a_revoke_finds_the_key_unrevoked(world: &World) {
    for round in 0..4 {
        let mut keys = Vec::new();
        for _ in 0..25 {
            keys.push(world.key("acme").await);
        }
        let digests: Vec<_> = keys.iter().map(|key| key.digest).collect();
        let lookers = Lookers::start(&world.store, &digests);
        for (number, key) in keys.iter().enumerate() {
            let event = make::revoked(key, after(round));
            world.store.revoke_key(&acme(), &key.key.key_id, &event).await.expect("the store answers");
            for earlier in &keys[..=number] {
                assert!(look(&world.store, earlier).await.revoked, "round {round}, key {number}");
            }
        }
        lookers.stop().await;
        for key in &keys {
            assert!(look(&world.store, key).await.revoked, "round {round}, at the end");
        }
    }
}

async fn no_look_after_a_change_finds_what_was_before(world: &World) {
    let mut keys = Vec::new();
    for _ in 0..8 {
        keys.push(world.key("acme").await);
    }
    let digests: Vec<_> = keys.iter().map(|key| key.digest).collect();
    let lookers = Lookers::start(&world.store, &digests);
    for round in 0..40 {
        let on = round % 2 == 1;
        world.store.put_plan(&make::plan("pro", on)).await.expect("the store answers");
        for key in &keys {
            assert_eq!(look(&world.store, key).await.mcp_enabled, on, "round {round}");
        }
        if on {
            world.store.put_member(&make::member("acme", "ada", "admin")).await.expect("the store answers");
        } else {
            world.store.remove_member(&acme(), &id("ada")).await.expect("the store answers");
        }
        for key in &keys {
            assert_eq!(look(&world.store, key).await.owner_is_member, on, "round {round}");
        }
    }
    lookers.stop().await;
}
