//! Showing a secret again.

use serde_json::json;

use crate::support::{BRAND, TestApp, Wishes};

fn path(key_id: &str) -> String {
    format!("/api/brands/{BRAND}/mcp-keys/{key_id}/reveal")
}

#[tokio::test]
async fn the_creator_sees_the_same_secret_again_and_nobody_else_does() {
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
async fn a_key_that_was_not_to_be_revealed_never_is() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "hidden", "can_reveal": false})).await;
    let reply = app.post(&path(&key.key_id)).bearer(&app.token("ada")).send().await;
    let reply = reply.expect_problem(409, "key_not_revealable");
    assert!(reply.body["detail"].as_str().unwrap().contains("Revoke it and create a new one"));
}

#[tokio::test]
async fn a_revoked_key_is_not_shown_any_more() {
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
async fn where_revealing_is_off_no_key_can_be_revealed() {
    let app =
        TestApp::with(Wishes { arguments: vec!["--reveal-keys=off".into()], ..Wishes::default() }).await;
    let key = app.create_key(json!({"label": "wished", "can_reveal": true})).await;
    assert_eq!(key.body["can_reveal"], false);
    app.post(&path(&key.key_id))
        .bearer(&app.token("ada"))
        .send()
        .await
        .expect_problem(409, "key_not_revealable");
    app.list_tools(&key.api_key).await.expect_status(200);
}
