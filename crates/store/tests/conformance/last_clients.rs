//! Where a key was last used from, and by which client.

use svc_mcp_access::key::NewKey;
use svc_mcp_store::{EventOutcome, KeyUse};

use crate::{
    activity::{used, write},
    make::{CLIENT, NOW, acme, after},
    world::World,
};

on_both_engines! {
    address_and_client_are_written_with_the_time,
    later_use_counts_across_processes,
}

async fn last_use(world: &World, new: &NewKey) -> (Option<i64>, Option<String>, Option<String>) {
    let key = world.store.key(&acme(), &new.key.key_id).await.expect("the store answers").expect("a key");
    let at = key.last_used_at.map(|at| at.millis() - NOW.millis());
    (at, key.last_used_ip.map(|address| address.to_string()), key.last_used_client)
}

fn expected(at: i64, address: &str, client: Option<&str>) -> (Option<i64>, Option<String>, Option<String>) {
    (Some(at), Some(address.to_owned()), client.map(str::to_owned))
}

async fn address_and_client_are_written_with_the_time(world: &World) {
    let (key, other) = (world.key("acme").await, world.key("acme").await);
    assert_eq!(last_use(world, &key).await, (None, None, None));
    let first = used(world, &key, after(10)).await;
    first.key_state.usage.set_client(CLIENT, b"claude/1.0");
    write(world, [first.clone()]).await;
    assert_eq!(last_use(world, &key).await, expected(10, "203.0.113.7", Some("claude/1.0")));
    assert_eq!(last_use(world, &other).await, (None, None, None));
    // A denied request changes nothing.
    let denied = KeyUse { outcome: EventOutcome::Denied, reason: Some("rate_limited"), ..first.clone() };
    write(world, [KeyUse { at: after(20), ..denied }]).await;
    assert_eq!(last_use(world, &key).await, expected(10, "203.0.113.7", Some("claude/1.0")));
    first.key_state.usage.set_client("2001:db8::1".parse().expect("an address"), b"");
    write(world, [KeyUse { at: after(30), ..first }]).await;
    assert_eq!(last_use(world, &key).await, expected(30, "2001:db8::1", None), "it sent no name");
    // A use without a client keeps what is known.
    let mut unknown = used(world, &key, after(40)).await;
    unknown.key_state = std::sync::Arc::new((*unknown.key_state).clone());
    write(world, [unknown]).await;
    assert_eq!(last_use(world, &key).await, expected(40, "2001:db8::1", None));
}

/// Each process remembers its own last client. The row has the client of the latest use.
async fn later_use_counts_across_processes(world: &World) {
    let key = world.key("acme").await;
    let here = used(world, &key, after(10)).await;
    here.key_state.usage.set_client(CLIENT, b"here");
    let mut there = here.clone();
    there.key_state = std::sync::Arc::new((*here.key_state).clone());
    there.key_state.usage.set_client("198.51.100.1".parse().expect("an address"), b"there");
    write(world, [here.clone()]).await;
    write(world, [KeyUse { at: after(20), ..there.clone() }]).await;
    assert_eq!(last_use(world, &key).await, expected(20, "198.51.100.1", Some("there")));
    write(world, [KeyUse { at: after(30), ..here.clone() }]).await;
    assert_eq!(last_use(world, &key).await, expected(30, "203.0.113.7", Some("here")), "it is not new here");
    // An older use that is written later changes nothing, also in the same batch.
    write(world, [KeyUse { at: after(25), ..there.clone() }]).await;
    assert_eq!(last_use(world, &key).await, expected(30, "203.0.113.7", Some("here")));
    write(world, [KeyUse { at: after(50), ..there }, KeyUse { at: after(40), ..here }]).await;
    assert_eq!(last_use(world, &key).await, expected(50, "198.51.100.1", Some("there")));
}
