//! A running service notices what another process changes.

use std::time::Duration;

use serde_json::json;

use crate::support::{Place, Running, eventually};

/// Waits until this key is answered so, asking slowly enough for its 60 requests a minute.
async fn until(running: &Running, key: &str, status: u16, code: &str) {
    let agent = running.api(key);
    eventually(&format!("{status} {code}"), async || {
        tokio::time::sleep(Duration::from_millis(80)).await;
        let answer = agent.tools().await;
        let fits = answer.status == status && (code.is_empty() || answer.code() == code);
        fits.then_some(())
    })
    .await;
}

async fn notices(place: Place) {
    place.add_brand("acme", "ada");
    let running = place.serve(&[]);
    let api = running.api(&place.token("ada"));
    let mut keys = Vec::new();
    for label in ["plan", "member", "revoked"] {
        let key = api.create_key("acme", &json!({"label": label})).await;
        let text = |field: &str| key[field].as_str().expect("a text").to_owned();
        // From now on the service knows the key by heart.
        running.api(&text("api_key")).tools().await.expect(200);
        keys.push((text("key_id"), text("api_key")));
    }
    let plan = |mcp| place.ok(&["admin", "plan", "set", "business", "--name", "Business", "--mcp", mcp]);
    plan("off");
    until(&running, &keys[0].1, 403, "mcp_inactive").await;
    plan("on");
    until(&running, &keys[0].1, 200, "").await;

    place.ok(&["admin", "member", "remove", "acme", "ada"]);
    until(&running, &keys[1].1, 403, "key_owner_removed").await;
    place.ok(&["admin", "member", "set", "acme", "ada", "--role", "member"]);
    until(&running, &keys[1].1, 200, "").await;

    place.ok(&["admin", "keys", "revoke", "acme", &keys[2].0]);
    until(&running, &keys[2].1, 401, "key_invalid").await;
    until(&running, &keys[1].1, 200, "").await;
    running.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    notices(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_and_redis() {
    notices(Place::postgres()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_alone() {
    notices(Place::postgres().without("SVC_REDIS_URL")).await;
}

/// The shell of the operator may not know of Redis; the database is enough.
#[tokio::test(flavor = "multi_thread")]
async fn on_redis_when_the_other_process_does_not_use_it() {
    let mut place = Place::postgres();
    place.add_brand("acme", "ada");
    let running = place.serve(&[]);
    let key = running.api(&place.token("ada")).create_key("acme", &json!({"label": "agent"})).await;
    let (key_id, key) = (key["key_id"].as_str().expect("an id"), key["api_key"].as_str().expect("a key"));
    running.api(key).tools().await.expect(200);
    place = place.without("SVC_REDIS_URL");
    place.ok(&["admin", "keys", "revoke", "acme", key_id]);
    until(&running, key, 401, "key_invalid").await;
}
