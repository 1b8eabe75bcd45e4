//! Equal calls of the last minutes.

use std::time::Duration;

use serde_json::json;
use svc_mcp_access::{Timestamp, idempotency::Fingerprint};
use svc_mcp_tools::{
    Change, Records,
    recent_call::{REPEAT_WINDOW, RecentCall},
};

use crate::{
    make::{NOW, acme, after, umbrella},
    world::World,
};

on_both_engines! {
    newest_equal_call_is_found,
    old_calls_are_deleted,
}

fn call(text: &str, record_id: &str, at: Timestamp) -> RecentCall {
    let fingerprint = Fingerprint::of("create_post", &json!({ "text": text }));
    RecentCall { fingerprint, record_id: record_id.into(), at }
}

async fn commit(world: &World, call: &RecentCall) {
    let changes = [Change::RecentCall(call.clone())];
    world.records().commit(&acme(), &changes, None, call.at).await.expect("committed");
}

async fn newest_equal_call_is_found(world: &World) {
    let records = world.records();
    let (first, second) = (call("a", "post_1", NOW), call("a", "post_2", after(5)));
    assert_eq!(records.recent_call(&acme(), &first.fingerprint, NOW).await, Ok(None));
    commit(world, &first).await;
    commit(world, &call("b", "post_3", after(9))).await;
    assert_eq!(records.recent_call(&acme(), &first.fingerprint, NOW).await, Ok(Some(first.clone())));
    commit(world, &second).await;
    assert_eq!(records.recent_call(&acme(), &first.fingerprint, NOW).await, Ok(Some(second.clone())));
    assert_eq!(records.recent_call(&acme(), &first.fingerprint, after(5)).await, Ok(Some(second)));
    assert_eq!(records.recent_call(&acme(), &first.fingerprint, after(6)).await, Ok(None));
    assert_eq!(records.recent_call(&umbrella(), &first.fingerprint, NOW).await, Ok(None));
}

async fn old_calls_are_deleted(world: &World) {
    commit(world, &call("a", "post_1", NOW)).await;
    let end = NOW.plus(REPEAT_WINDOW);
    assert_eq!(world.store.prune(end).await, Ok(0));
    assert_eq!(world.store.prune(end.plus(Duration::from_millis(1))).await, Ok(1));
}
