//! What can be in the way of an approval: the key, the plan, or what the call needs. The call waits on.

use std::time::Duration;

use serde_json::{Value, json};

use super::{ApprovalsTest, now};
use crate::support::BRAND;

/// A post for the channel `hook`, at this time.
fn at(time: &str) -> Value {
    json!({"text": "hello", "channels": ["hook"], "mode": "schedule", "scheduled_at": time})
}

#[tokio::test]
async fn call_of_a_paused_key_waits_until_it_is_resumed() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    let body = json!({"digest": test.digest(&approval_id).await});
    test.app.set_paused("ada", &test.key.key_id, true).await.expect_status(200);
    test.approve("ada", &approval_id, body.clone()).await.expect_problem(403, "key_paused");
    test.assert_still_waits(&approval_id).await;
    test.app.set_paused("ada", &test.key.key_id, false).await.expect_status(200);
    assert_eq!(test.approve("ada", &approval_id, body).await.expect_status(200).body["status"], "done");
    assert_eq!(test.feed().await, ["hello"]);
}

#[tokio::test]
async fn call_waits_while_the_plan_is_off() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    let body = json!({"digest": test.digest(&approval_id).await});
    test.app.put_brand(BRAND, "starter").await;
    test.approve("ada", &approval_id, body.clone()).await.expect_problem(403, "mcp_inactive");
    test.assert_still_waits(&approval_id).await;
    test.app.put_brand(BRAND, "business").await;
    assert_eq!(test.approve("ada", &approval_id, body).await.expect_status(200).body["status"], "done");
    assert_eq!(test.feed().await, ["hello"]);
}

#[tokio::test]
async fn call_can_be_rejected_while_its_key_is_paused() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    test.app.set_paused("ada", &test.key.key_id, true).await.expect_status(200);
    let rejected = test.reject("ada", &approval_id, "no").await.expect_status(200).body;
    assert_eq!(rejected["status"], "rejected");
}

#[tokio::test]
async fn call_for_a_deleted_channel_does_not_run() {
    let test = ApprovalsTest::new().await;
    let post = json!({"text": "hello", "channels": ["hook", "feed"], "mode": "now"});
    let approval_id = test.hold("create_post", post).await;
    let body = json!({"digest": test.digest(&approval_id).await});
    let channel = format!("/api/brands/{BRAND}/channels/hook");
    test.app.delete(&channel).bearer(&test.app.token("ada")).send().await.expect_status(204);
    let problem = test.view("ada", &approval_id).await["problem"].clone();
    assert_eq!(problem["code"], "post_invalid", "{problem}");
    assert!(problem["message"].as_str().unwrap().contains("has no channel"), "{problem}");
    let refused = test.approve("ada", &approval_id, body).await.expect_problem(409, "approval_changed");
    assert!(refused.body["detail"].as_str().unwrap().contains("has no channel"), "{}", refused.text);
    test.assert_still_waits(&approval_id).await;
    assert_eq!(test.post_count().await, 0);
}

#[tokio::test]
async fn call_whose_time_has_passed_needs_another_time() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", at("2026-11-15T01:00:00Z")).await;
    let seen = test.digest(&approval_id).await;
    test.app.clock.advance(Duration::from_hours(2));
    let view = test.view("ada", &approval_id).await;
    assert!(view["problem"]["message"].is_string(), "{view}");
    let body = json!({"digest": seen});
    let refused = test.approve("ada", &approval_id, body).await.expect_problem(409, "approval_changed");
    assert!(refused.body["detail"].as_str().unwrap().contains("scheduled_at"), "{}", refused.text);
    test.assert_still_waits(&approval_id).await;

    let digest = if view["digest"].is_null() { seen } else { view["digest"].clone() };
    let body = json!({"digest": digest, "arguments": at("2026-11-15T05:00:00Z")});
    let done = test.approve("ada", &approval_id, body).await.expect_status(200).body;
    assert_eq!(done["result"]["post"]["targets"][0]["status"], "scheduled", "{done}");
    assert_eq!(done["result"]["post"]["scheduled_at"], "2026-11-15T05:00:00.000Z");
    assert_eq!(done["changes"][0]["field"], "scheduled_at");
}

#[tokio::test]
async fn post_that_a_person_published_meanwhile_is_not_published_again() {
    let test = ApprovalsTest::new().await;
    let draft = json!({"text": "hello", "channels": ["feed"]});
    let draft = test.call(&test.key.api_key, "create_post", draft).await.result()["post"].clone();
    let post_id = draft["post_id"].as_str().unwrap();
    let approval_id = test.hold("publish_post", json!({"post_id": post_id})).await;
    let body = json!({"digest": test.digest(&approval_id).await});
    let publish = format!("/api/brands/{BRAND}/posts/{post_id}/publish");
    test.app.post(&publish).bearer(&test.app.token("ada")).send().await.expect_status(200);
    assert_eq!(test.view("ada", &approval_id).await["problem"]["code"], "post_state");
    test.approve("ada", &approval_id, body).await.expect_problem(409, "approval_changed");
    assert_eq!(test.view("ada", &approval_id).await["status"], "pending");
    assert_eq!(test.feed().await, ["hello"]);
}

#[tokio::test]
async fn key_that_has_expired_still_has_its_call_approved() {
    let test = ApprovalsTest::new().await;
    let key = json!({
        "label": "short", "scope": "write", "approval": "outward", "expires_at": "2026-11-15T01:00:00Z",
    });
    let key = test.app.create_key(key).await;
    let approval_id = test.hold_with(&key, "create_post", now("hello")).await;
    test.app.clock.advance(Duration::from_hours(2));
    let done = test.look_and_approve("ada", &approval_id).await.expect_status(200).body;
    assert_eq!(done["status"], "done", "{done}");
    assert_eq!(test.feed().await, ["hello"]);
}
