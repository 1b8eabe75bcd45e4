//! Reveals secrets of keys.

use serde_json::json;

use crate::support::{AppOptions, BRAND, TestApp};

fn path(key_id: &str) -> String {
    format!("/api/brands/{BRAND}/mcp-keys/{key_id}/reveal")
}

#[tokio::test]
async fn only_the_creator_can_reveal_the_secret() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "shown"})).await;
    let reply = app.post(&path(&key.key_id)).bearer(&app.token("ada")).send().await.expect_status(200);
    assert_eq!(reply.body, json!({"key_id": key.key_id, "api_key": key.api_key}));
    assert_eq!(reply.header("cache-control"), "no-store");
    app.post(&path(&key.key_id))
        .bearer(&app.token("ben"))
        .send()
        .await
        .expect_problem(403, "not_key_creator");
    let bens = app.create_key_as("ben", BRAND, json!({"label": "ben's"})).await;
    app.post(&path(&bens.key_id))
        .bearer(&app.token("ada"))
        .send()
        .await
        .expect_problem(403, "not_key_creator");
}

#[tokio::test]
async fn revealing_is_recorded() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "shown"})).await;
    app.post(&path(&key.key_id)).bearer(&app.token("ada")).send().await.expect_status(200);
    app.post(&path(&key.key_id))
        .bearer(&app.token("ben"))
        .send()
        .await
        .expect_problem(403, "not_key_creator");
    let activity = format!("/api/brands/{BRAND}/mcp-keys/{}/activity?kind=revealed", key.key_id);
    let events = app.get(&activity).bearer(&app.token("ben")).send().await.expect_status(200).body;
    assert_eq!(events["events"].as_array().unwrap().len(), 1);
    assert_eq!(events["events"][0]["actor"], "ada");
}

#[tokio::test]
async fn key_without_can_reveal_is_never_revealed() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "hidden", "can_reveal": false})).await;
    let reply = app.post(&path(&key.key_id)).bearer(&app.token("ada")).send().await;
    let reply = reply.expect_problem(409, "key_not_revealable");
    assert!(reply.body["detail"].as_str().unwrap().contains("Revoke it and create a new one"));
}

#[tokio::test]
async fn revoked_key_is_not_revealed() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "gone"})).await;
    app.revoke(&key.key_id).await;
    app.post(&path(&key.key_id))
        .bearer(&app.token("ada"))
        .send()
        .await
        .expect_problem(409, "key_not_revealable");
}

#[tokio::test]
async fn no_key_is_revealed_while_revealing_is_off() {
    let app =
        TestApp::with(AppOptions { arguments: vec!["--reveal-keys=off".into()], ..AppOptions::default() })
            .await;
    let key = app.create_key(json!({"label": "requested", "can_reveal": true})).await;
    assert_eq!(key.body["can_reveal"], false);
    app.post(&path(&key.key_id))
        .bearer(&app.token("ada"))
        .send()
        .await
        .expect_problem(409, "key_not_revealable");
    app.list_tools(&key.api_key).await.expect_status(200);
}
