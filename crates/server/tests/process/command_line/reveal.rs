//! Sealing keys come and go; what may be revealed stays so, and what may not never may.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::support::{Place, Running};

fn sealing_key(id: &str, byte: u8) -> String {
    format!("{id}:{}", BASE64_STANDARD.encode([byte; 32]))
}

async fn create(running: &Running, place: &Place, wish: Value) -> Value {
    running.api(&place.token("ada")).create_key("acme", &wish).await
}

/// Every one of these is revealed, and is what it was.
async fn all_reveal(running: &Running, place: &Place, keys: &[Value]) {
    let api = running.api(&place.token("ada"));
    for key in keys {
        let revealed = api.reveal("acme", key["key_id"].as_str().expect("an id")).await.expect(200);
        assert_eq!(revealed.header("cache-control"), "no-store");
        assert_eq!(revealed.json()["api_key"], key["api_key"]);
    }
}

/// This one is not, and the answer says what to do instead.
async fn does_not_reveal(running: &Running, place: &Place, key: &Value) {
    let api = running.api(&place.token("ada"));
    let answer = api.reveal("acme", key["key_id"].as_str().expect("an id")).await.expect(409);
    assert_eq!(answer.code(), "key_not_revealable");
    let detail = answer.json()["detail"].as_str().expect("words").to_owned();
    assert!(detail.contains("evoke it and create a new one"), "{detail}");
}

async fn rewrap_moves_everything(place: Place) {
    let (a, b) = (sealing_key("a", 1), sealing_key("b", 2));
    let mut place = place.with("SVC_REVEAL_KEYS", &a);
    place.add_brand("acme", "ada");
    let running = place.serve(&[]);
    let mut keys = Vec::new();
    for number in 0..5 {
        keys.push(create(&running, &place, json!({"label": format!("key {number}")})).await);
    }
    let channel = json!({"kind": "webhook", "settings": {"url": "https://hooks.acme.example/posts"}});
    running.api(&place.token("ada")).put("/api/brands/acme/channels/hook", &channel).await.expect(200);
    let hidden = create(&running, &place, json!({"label": "hidden", "can_reveal": false})).await;
    assert_eq!(hidden["can_reveal"], false);
    running.stop();

    place.set("SVC_REVEAL_KEYS", &b);
    let running = place.serve(&[]);
    does_not_reveal(&running, &place, &keys[0]).await;
    running.stop();
    let ran = place.run(&["admin", "reveal-keys", "rewrap", "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("5 keys and 1 channels") && ran.stderr.contains("SVC_REVEAL_KEYS"),
        "{ran:?}"
    );

    place.set("SVC_REVEAL_KEYS", &format!("{b},{a}"));
    let running = place.serve(&[]);
    keys.push(create(&running, &place, json!({"label": "sealed by b"})).await);
    all_reveal(&running, &place, &keys).await;
    // While the service runs.
    let answer = place.json(&["admin", "reveal-keys", "rewrap"]);
    assert_eq!(
        answer,
        json!({"resealed": 5, "unopened": 0, "channels_resealed": 1, "channels_unopened": 0, "sealing_key": "b"})
    );
    all_reveal(&running, &place, &keys).await;
    assert_eq!(place.ok(&["admin", "reveal-keys", "rewrap"]), "0 keys and 0 channels are now sealed with b.");
    running.stop();

    place.set("SVC_REVEAL_KEYS", &b);
    let running = place.serve(&[]);
    all_reveal(&running, &place, &keys).await;
    does_not_reveal(&running, &place, &hidden).await;
    for key in &keys {
        running.api(key["api_key"].as_str().expect("a key")).tools().await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rewrapping_lets_the_old_sealing_key_go_on_sqlite() {
    rewrap_moves_everything(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rewrapping_lets_the_old_sealing_key_go_on_postgresql() {
    rewrap_moves_everything(Place::postgres()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_made_while_revealing_is_off_is_never_revealed() {
    let on = sealing_key("a", 1);
    let mut place = Place::sqlite().with("SVC_REVEAL_KEYS", "off");
    place.add_brand("acme", "ada");
    let running = place.serve(&[]);
    let key = create(&running, &place, json!({"label": "made while off", "can_reveal": true})).await;
    assert_eq!(key["can_reveal"], false, "{key}");
    does_not_reveal(&running, &place, &key).await;
    running.stop();
    assert!(!place.data_dir().join("reveal.keys").exists(), "no sealing key is made while it is off");
    let said = place.fails(&["admin", "reveal-keys", "rewrap"]);
    assert!(said.contains("set SVC_REVEAL_KEYS"), "{said}");

    place.set("SVC_REVEAL_KEYS", &on);
    assert_eq!(place.json(&["admin", "reveal-keys", "rewrap"])["resealed"], 0);
    let running = place.serve(&[]);
    let path = format!("/api/brands/acme/mcp-keys/{}", key["key_id"].as_str().expect("an id"));
    let shown = running.api(&place.token("ada")).get(&path).await.expect(200).json();
    assert_eq!(shown["can_reveal"], false, "{shown}");
    does_not_reveal(&running, &place, &key).await;
    running.api(key["api_key"].as_str().expect("a key")).tools().await.expect(200);
}

/// PostgreSQL makes no sealing key up: unset is off.
#[tokio::test(flavor = "multi_thread")]
async fn revealing_is_off_on_postgresql_unless_it_is_set() {
    let place = Place::postgres().without("SVC_REVEAL_KEYS");
    place.add_brand("acme", "ada");
    let running = place.serve(&[]);
    assert_eq!(create(&running, &place, json!({"label": "agent"})).await["can_reveal"], false);
    running.stop();
    assert!(!place.data_dir().join("reveal.keys").exists());
}
