//! A running service applies changes that another process makes.

use reqwest::Method;
use serde_json::json;
use svc_mcp_testkit::send;

use crate::support::{Sandbox, Service, eventually_with_key};

/// Waits until a request with this key gets this status and code.
async fn wait_for(service: &Service, key: &str, status: u16, code: &str) {
    let agent = service.api(key);
    eventually_with_key(&format!("{status} {code}"), async || {
        let response = agent.list_tools().await;
        (response.status == status && response.code() == code).then_some(())
    })
    .await;
}

async fn changes_are_noticed(sandbox: Sandbox) {
    sandbox.add_brand("acme", "ada");
    let service = sandbox.serve(&[]);
    let api = service.api(&sandbox.token("ada"));
    let mut keys = Vec::new();
    for label in ["plan", "member", "revoked"] {
        let key = api.create_key("acme", &json!({"label": label})).await;
        let text = |field: &str| key[field].as_str().expect("a string").to_owned();
        // The service caches the key.
        service.api(&text("api_key")).list_tools().await.expect_status(200);
        keys.push((text("key_id"), text("api_key")));
    }
    let plan =
        |mcp| sandbox.run_ok(&["admin", "plan", "set", "business", "--name", "Business", "--mcp", mcp]);
    plan("off");
    wait_for(&service, &keys[0].1, 403, "mcp_inactive").await;
    plan("on");
    wait_for(&service, &keys[0].1, 200, "").await;

    sandbox.run_ok(&["admin", "member", "remove", "acme", "ada"]);
    wait_for(&service, &keys[1].1, 403, "key_owner_removed").await;
    sandbox.run_ok(&["admin", "member", "set", "acme", "ada", "--role", "member"]);
    wait_for(&service, &keys[1].1, 403, "key_paused").await;
    let path = format!("/api/brands/acme/mcp-keys/{}", keys[1].0);
    let resume = api.request(Method::PATCH, &path).json(&json!({"paused": false}));
    send(resume).await.expect_status(200);
    wait_for(&service, &keys[1].1, 200, "").await;

    sandbox.run_ok(&["admin", "keys", "revoke", "acme", &keys[2].0]);
    wait_for(&service, &keys[2].1, 401, "key_invalid").await;
    wait_for(&service, &keys[1].1, 200, "").await;
    service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_noticed_on_sqlite() {
    changes_are_noticed(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_noticed_on_postgresql_and_redis() {
    changes_are_noticed(Sandbox::postgres()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_noticed_on_postgresql_without_redis() {
    changes_are_noticed(Sandbox::postgres().without("SVC_REDIS_URL")).await;
}

/// The operator's shell may have no Redis URL. The database is enough.
#[tokio::test(flavor = "multi_thread")]
async fn changes_are_noticed_when_only_the_service_uses_redis() {
    let mut sandbox = Sandbox::postgres();
    sandbox.add_brand("acme", "ada");
    let service = sandbox.serve(&[]);
    let key = service.api(&sandbox.token("ada")).create_key("acme", &json!({"label": "agent"})).await;
    let (key_id, key) = (key["key_id"].as_str().expect("an id"), key["api_key"].as_str().expect("a key"));
    service.api(key).list_tools().await.expect_status(200);
    sandbox = sandbox.without("SVC_REDIS_URL");
    sandbox.run_ok(&["admin", "keys", "revoke", "acme", key_id]);
    wait_for(&service, key, 401, "key_invalid").await;
}
