//! Rotation of sealing keys: revealable keys stay revealable, others never become so.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::support::{Sandbox, Service};

fn sealing_key(id: &str, byte: u8) -> String {
    format!("{id}:{}", BASE64_STANDARD.encode([byte; 32]))
}

async fn create(service: &Service, sandbox: &Sandbox, body: Value) -> Value {
    service.api(&sandbox.token("ada")).create_key("acme", &body).await
}

/// Each of these keys can be revealed.
async fn assert_all_reveal(service: &Service, sandbox: &Sandbox, keys: &[Value]) {
    let api = service.api(&sandbox.token("ada"));
    for key in keys {
        let revealed = api.reveal("acme", key["key_id"].as_str().expect("an id")).await.expect_status(200);
        assert_eq!(revealed.header("cache-control"), "no-store");
        assert_eq!(revealed.json()["api_key"], key["api_key"]);
    }
}

/// This key cannot be revealed, and the response says what to do.
async fn assert_not_revealable(service: &Service, sandbox: &Sandbox, key: &Value) {
    let api = service.api(&sandbox.token("ada"));
    let response = api.reveal("acme", key["key_id"].as_str().expect("an id")).await.expect_status(409);
    assert_eq!(response.code(), "key_not_revealable");
    let detail = response.json()["detail"].as_str().expect("a string").to_owned();
    assert!(detail.contains("evoke it and create a new one"), "{detail}");
}

async fn rewrap_reseals_everything(sandbox: Sandbox) {
    let (a, b) = (sealing_key("a", 1), sealing_key("b", 2));
    let mut sandbox = sandbox.with("SVC_REVEAL_KEYS", &a);
    sandbox.add_brand("acme", "ada");
    let service = sandbox.serve(&[]);
    let mut keys = Vec::new();
    for number in 0..5 {
        keys.push(create(&service, &sandbox, json!({"label": format!("key {number}")})).await);
    }
    let channel = json!({"kind": "webhook", "settings": {"url": "https://hooks.acme.example/posts"}});
    service
        .api(&sandbox.token("ada"))
        .put("/api/brands/acme/channels/hook", &channel)
        .await
        .expect_status(200);
    let endpoint = json!({"url": "https://hooks.acme.example/events"});
    service
        .api(&sandbox.token("ada"))
        .put("/api/brands/acme/event-endpoints/crm", &endpoint)
        .await
        .expect_status(200);
    let hidden = create(&service, &sandbox, json!({"label": "hidden", "can_reveal": false})).await;
    assert_eq!(hidden["can_reveal"], false);
    service.stop();

    sandbox.set("SVC_REVEAL_KEYS", &b);
    let service = sandbox.serve(&[]);
    assert_not_revealable(&service, &sandbox, &keys[0]).await;
    service.stop();
    let output = sandbox.run(&["admin", "reveal-keys", "rewrap", "--json"]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(
        output.stderr.contains("5 keys, 1 channels and 1 event endpoints")
            && output.stderr.contains("SVC_REVEAL_KEYS"),
        "{output:?}"
    );

    sandbox.set("SVC_REVEAL_KEYS", &format!("{b},{a}"));
    let service = sandbox.serve(&[]);
    keys.push(create(&service, &sandbox, json!({"label": "sealed by b"})).await);
    assert_all_reveal(&service, &sandbox, &keys).await;
    // The service is running meanwhile.
    let response = sandbox.json(&["admin", "reveal-keys", "rewrap"]);
    assert_eq!(
        response,
        json!({"resealed": 5, "unopened": 0, "channels_resealed": 1, "channels_unopened": 0, "endpoints_resealed": 1,
            "endpoints_unopened": 0, "sealing_key": "b"})
    );
    assert_all_reveal(&service, &sandbox, &keys).await;
    assert_eq!(
        sandbox.run_ok(&["admin", "reveal-keys", "rewrap"]),
        "0 keys, 0 channels and 0 event endpoints are now sealed with b."
    );
    service.stop();

    sandbox.set("SVC_REVEAL_KEYS", &b);
    let service = sandbox.serve(&[]);
    assert_all_reveal(&service, &sandbox, &keys).await;
    assert_not_revealable(&service, &sandbox, &hidden).await;
    for key in &keys {
        service.api(key["api_key"].as_str().expect("a key")).list_tools().await.expect_status(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_sealing_key_is_not_needed_after_rewrap_on_sqlite() {
    rewrap_reseals_everything(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_sealing_key_is_not_needed_after_rewrap_on_postgresql() {
    rewrap_reseals_everything(Sandbox::postgres()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn key_created_while_revealing_is_off_is_never_revealed() {
    let on = sealing_key("a", 1);
    let mut sandbox = Sandbox::sqlite().with("SVC_REVEAL_KEYS", "off");
    sandbox.add_brand("acme", "ada");
    let service = sandbox.serve(&[]);
    let key = create(&service, &sandbox, json!({"label": "created while off", "can_reveal": true})).await;
    assert_eq!(key["can_reveal"], false, "{key}");
    assert_not_revealable(&service, &sandbox, &key).await;
    service.stop();
    assert!(!sandbox.data_dir().join("reveal.keys").exists(), "no sealing key is created");
    let message = sandbox.expect_failure(&["admin", "reveal-keys", "rewrap"]);
    assert!(message.contains("set SVC_REVEAL_KEYS"), "{message}");

    sandbox.set("SVC_REVEAL_KEYS", &on);
    assert_eq!(sandbox.json(&["admin", "reveal-keys", "rewrap"])["resealed"], 0);
    let service = sandbox.serve(&[]);
    let path = format!("/api/brands/acme/mcp-keys/{}", key["key_id"].as_str().expect("an id"));
    let shown = service.api(&sandbox.token("ada")).get(&path).await.expect_status(200).json();
    assert_eq!(shown["can_reveal"], false, "{shown}");
    assert_not_revealable(&service, &sandbox, &key).await;
    service.api(key["api_key"].as_str().expect("a key")).list_tools().await.expect_status(200);
}

/// On PostgreSQL no sealing key is generated.
#[tokio::test(flavor = "multi_thread")]
async fn revealing_is_off_on_postgresql_by_default() {
    let sandbox = Sandbox::postgres().without("SVC_REVEAL_KEYS");
    sandbox.add_brand("acme", "ada");
    let service = sandbox.serve(&[]);
    assert_eq!(create(&service, &sandbox, json!({"label": "agent"})).await["can_reveal"], false);
    service.stop();
    assert!(!sandbox.data_dir().join("reveal.keys").exists());
}
