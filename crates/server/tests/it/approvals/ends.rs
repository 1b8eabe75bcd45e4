//! Approvals that end without a run: rejected, expired, cancelled.

use std::time::Duration;

use serde_json::{Value, json};

use super::{ApprovalsTest, new_key, now};
use crate::support::{BRAND, CreatedKey};

async fn revoke(test: &ApprovalsTest, key: &CreatedKey, query: &str) -> Value {
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}{query}", key.key_id);
    let request = test.app.delete(&path).bearer(&test.app.token("ada"));
    request.header("prefer", "return=representation").send().await.expect_status(200).body
}

#[tokio::test]
async fn agent_learns_why_its_call_was_rejected() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    let rejected = test.reject("ada", &approval_id, "Wrong price.").await.expect_status(200).body;
    let seen = test.view_of_agent(&test.key, &approval_id).await;
    for view in [&rejected, &seen] {
        assert_eq!(
            (&view["status"], &view["reason"], &view["result"]),
            (&json!("rejected"), &json!("Wrong price."), &Value::Null)
        );
    }
    assert_eq!(rejected["decided_by"], "ada");
    assert!(rejected["decided_at"].is_string(), "{rejected}");
    let event = test.event("rejected").await;
    assert_eq!(
        (&event["actor"], &event["tool"], &event["key_id"]),
        (&json!("ada"), &json!("create_post"), &json!(test.key.key_id))
    );
    test.assert_ended(&approval_id, "rejected").await;
    test.reject("ada", &approval_id, "again").await.expect_problem(409, "already_decided");
    assert_eq!(test.post_count().await, 0);
}

#[tokio::test]
async fn rejection_needs_a_reason() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    for body in [json!({}), json!({"reason": ""}), json!({"reason": 7}), json!({"because": "no"})] {
        let request = test.app.post(&super::path(&approval_id, "/reject")).bearer(&test.app.token("ada"));
        request.json(&body).await.expect_problem(422, "invalid_request");
    }
    test.assert_still_waits(&approval_id).await;
}

#[tokio::test]
async fn approval_expires_after_72_hours() {
    let test = ApprovalsTest::new().await;
    let (early, late) =
        (test.hold("create_post", now("early")).await, test.hold("create_post", now("late")).await);
    test.app.clock.advance(Duration::from_hours(71));
    test.assert_still_waits(&late).await;
    test.look_and_approve("ada", &early).await.expect_status(200);
    assert_eq!(test.feed().await, ["early"]);
    let digest = test.digest(&late).await;
    test.app.clock.advance(Duration::from_mins(61));
    assert_eq!(test.view_of_agent(&test.key, &late).await["status"], "expired");
    let view = test.view("ada", &late).await;
    assert_eq!((&view["status"], &view["decided_by"]), (&json!("expired"), &Value::Null));
    let refused = test.approve("ada", &late, json!({"digest": digest})).await;
    let refused = refused.expect_problem(409, "already_decided").body;
    assert!(refused["detail"].as_str().unwrap().contains("expired"), "{refused}");
    test.reject("ada", &late, "no").await.expect_problem(409, "already_decided");
    assert_eq!(test.list("ada", "?status=pending").await.body["total"], 0);
    assert_eq!(test.list("ada", "?status=expired").await.body["approvals"][0]["approval_id"], late);
    assert_eq!(test.feed().await, ["early"]);
}

#[tokio::test]
async fn revoke_cancels_and_counts_waiting_calls() {
    for query in ["", "?queued=keep"] {
        let test = ApprovalsTest::new().await;
        let others = new_key(&test.app, "ben", "outward").await;
        let kept = test.hold_with(&others, "create_post", now("ben's")).await;
        let mut held = Vec::new();
        for number in 0..3 {
            held.push(test.hold("create_post", now(&number.to_string())).await);
        }
        // One that is decided already is not cancelled.
        test.reject("ada", &held[0], "no").await.expect_status(200);
        let answer = revoke(&test, &test.key, query).await;
        assert_eq!(answer["cancelled"]["approvals"], 2, "{answer}");
        test.assert_ended(&held[0], "rejected").await;
        for approval_id in &held[1..] {
            let view = test.view("ada", approval_id).await;
            assert!(view["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{view}");
            test.assert_ended(approval_id, "cancelled").await;
        }
        assert_eq!(revoke(&test, &test.key, query).await["cancelled"]["approvals"], 0);
        test.assert_still_waits(&kept).await;
        assert_eq!(test.post_count().await, 0);
    }
}

#[tokio::test]
async fn removal_of_the_owner_cancels_waiting_calls() {
    let test = ApprovalsTest::new().await;
    let his = new_key(&test.app, "ben", "outward").await;
    let (his_call, her_call) =
        (test.hold_with(&his, "create_post", now("his")).await, test.hold("create_post", now("hers")).await);
    test.app.remove_member(BRAND, "ben").await;
    test.assert_ended(&his_call, "cancelled").await;
    test.assert_still_waits(&her_call).await;
    // Coming back does not wake it.
    test.app.put_member(BRAND, "ben", "member").await;
    test.assert_ended(&his_call, "cancelled").await;
}
