//! How much can wait.

use std::time::Duration;

use serde_json::{Value, json};

use super::{ApprovalsTest, is_held, new_key, now};

async fn set_quota(test: &ApprovalsTest, limit: u32) {
    let body = json!({"name": "Business", "mcp_enabled": true, "quotas": {"pending_approvals": limit}});
    let plan = "/api/admin/plans/business";
    test.app.put(plan).bearer(&test.app.operator()).json(&body).await.expect_status(200);
}

/// The failure of a call that must not be held.
async fn refusal(test: &ApprovalsTest, key: &str, tool: &str, arguments: Value) -> Value {
    let reply = test.call(key, tool, arguments).await;
    assert_eq!((reply.status, &reply.body["isError"]), (200, &json!(true)), "{}", reply.text);
    reply.body["structuredContent"].clone()
}

#[tokio::test]
async fn hundred_calls_of_a_key_can_wait() {
    let test = ApprovalsTest::new().await;
    for number in 0..100 {
        test.hold("create_post", now(&number.to_string())).await;
    }
    let failure = refusal(&test, &test.key.api_key, "create_post", now("one more")).await;
    assert_eq!(
        (&failure["code"], &failure["quota"], &failure["limit"], &failure["used"]),
        (&json!("quota_reached"), &json!("pending_approvals"), &json!(100), &json!(100))
    );
    assert_eq!(test.list("ada", "?status=pending").await.body["total"], 100);
    // Another key of the same person has its own hundred.
    let other = new_key(&test.app, "ada", "outward").await;
    assert!(is_held(&test.call(&other.api_key, "create_post", now("other")).await));
    // A draft does not wait.
    let draft = json!({"text": "draft", "channels": ["feed"]});
    assert!(!is_held(&test.call(&test.key.api_key, "create_post", draft).await));
}

#[tokio::test]
async fn decided_call_makes_room_for_another() {
    let test = ApprovalsTest::new().await;
    set_quota(&test, 1).await;
    let first = test.hold("create_post", now("first")).await;
    let full = async || refusal(&test, &test.key.api_key, "create_post", now("more")).await["code"].clone();
    assert_eq!(full().await, "quota_reached");
    test.reject("ada", &first, "no").await.expect_status(200);
    let second = test.hold("create_post", now("second")).await;
    assert_eq!(full().await, "quota_reached");
    test.look_and_approve("ada", &second).await.expect_status(200);
    test.hold("create_post", now("third")).await;
    // One that has expired does not count any more.
    assert_eq!(full().await, "quota_reached");
    test.app.clock.advance(Duration::from_hours(73));
    test.hold("create_post", now("fourth")).await;
}

#[tokio::test]
async fn concurrent_calls_do_not_exceed_the_quota() {
    let test = ApprovalsTest::new().await;
    set_quota(&test, 5).await;
    let calls = (0..20).map(|_| test.app.call(&test.key.api_key, "create_post", now("many")));
    let replies = futures_util::future::join_all(calls).await;
    let refused = replies.iter().filter(|reply| reply.expect_ok()["isError"] == true).count();
    assert_eq!(refused, 15);
    assert_eq!(test.list("ada", "").await.body["total"], 5);
}

#[tokio::test]
async fn large_arguments_do_not_wait() {
    let test = ApprovalsTest::new().await;
    let key = new_key(&test.app, "ada", "all").await;
    let text = |bytes: usize| json!({"kind": "content", "text": "x".repeat(bytes)});
    let failure = refusal(&test, &key.api_key, "run_analysis", text(100 * 1024 + 1)).await;
    assert_eq!(failure["code"], "approval_too_large");
    assert_eq!(test.list("ada", "").await.body["total"], 0);
    assert_eq!(test.call(&test.free_key, "list_analyses", json!({})).await.result()["total"], 0);
    assert!(is_held(&test.call(&key.api_key, "run_analysis", text(90 * 1024)).await));
    // The call of a key that need not ask may be larger.
    test.call(&test.free_key, "run_analysis", text(100 * 1024 + 1)).await.result();
}
