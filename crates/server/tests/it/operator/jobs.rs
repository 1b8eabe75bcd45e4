//! Jobs over all brands: listed, tried again and cancelled.

use serde_json::{Value, json};

use super::{all_pages, column, start_with_hook};
use crate::support::{BRAND, Receiver, TestApp, eventually};

/// The newest job with this status.
async fn newest(app: &TestApp, status: &str) -> Value {
    let path = format!("/api/admin/jobs?status={status}&brand={BRAND}&kind=publish");
    eventually("the job", async || {
        let jobs = app.operator_get(&path).await.expect_status(200).body;
        jobs["jobs"].get(0).cloned()
    })
    .await
}

async fn change(app: &TestApp, job: &Value, action: &str) -> crate::support::Reply {
    app.operator_post(&format!("/api/admin/jobs/{}/{action}", job["job_id"].as_str().unwrap())).await
}

#[tokio::test]
async fn failed_post_is_listed_with_its_reason_and_tried_again_once() {
    let receiver = Receiver::start().await;
    let app = start_with_hook(&receiver).await;
    let key = app.key("write").await;
    receiver.respond_with([(410, None)]);
    let post = json!({"text": "hello", "channels": ["hook"], "mode": "now"});
    let post = app.call(&key, "create_post", post).await;
    assert_eq!(post.result()["post"]["targets"][0]["status"], "failed", "{}", post.text);
    let failed = newest(&app, "failed").await;
    assert!(failed["reason"].as_str().unwrap().contains("410"), "{failed}");
    assert!(failed["subject"].as_str().unwrap().ends_with("/hook"), "{failed}");
    let before = receiver.requests().len();

    let retried = change(&app, &failed, "retry").await.expect_status(200).body;
    assert_eq!((&retried["job_id"], &retried["ended_at"]), (&failed["job_id"], &Value::Null));
    let done = newest(&app, "done").await;
    assert_eq!(done["job_id"], failed["job_id"]);
    assert_eq!(receiver.requests().len(), before + 1);
    let post_id = post.result()["post"]["post_id"].as_str().unwrap();
    let read =
        app.operator_get(&format!("/api/admin/brands/{BRAND}/posts/{post_id}")).await.expect_status(200);
    assert_eq!(read.body["targets"][0]["status"], "published", "{}", read.text);
    change(&app, &failed, "retry").await.expect_problem(409, "job_state");
    change(&app, &failed, "cancel").await.expect_problem(409, "job_state");
    assert_eq!(receiver.requests().len(), before + 1, "nothing is sent twice");
    let events = format!("/api/brands/{BRAND}/mcp-activity?kind=post");
    let events = app.get(&events).bearer(&app.token("ada")).send().await.expect_status(200).body;
    let event = &events["events"][0];
    assert_eq!((&event["actor"], &event["tool"]), (&json!("olga"), &json!("retry_post")), "{events}");
}

#[tokio::test]
async fn retry_after_a_revoke_sends_nothing() {
    let receiver = Receiver::start().await;
    let app = start_with_hook(&receiver).await;
    let key = app.create_key(json!({"label": "a", "scope": "write"})).await;
    receiver.respond_with([(410, None)]);
    let post = json!({"text": "hello", "channels": ["hook"], "mode": "now"});
    app.call(&key.api_key, "create_post", post).await.result();
    let failed = newest(&app, "failed").await;
    let before = receiver.requests().len();
    app.revoke(&key.key_id).await;
    change(&app, &failed, "retry").await.expect_status(200);
    let cancelled = newest(&app, "cancelled").await;
    assert_eq!(cancelled["job_id"], failed["job_id"]);
    assert_eq!(receiver.requests().len(), before);
}

#[tokio::test]
async fn waiting_job_is_cancelled_with_its_post() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "a", "scope": "write"})).await;
    let at = "2027-01-01T00:00:00Z";
    let post = json!({"text": "x", "channels": ["feed"], "mode": "schedule", "scheduled_at": at});
    let post = app.call(&key.api_key, "create_post", post).await;
    let waiting = newest(&app, "waiting").await;
    assert_eq!((&waiting["key_id"], &waiting["held"]), (&json!(key.key_id), &json!(false)));
    let cancelled = change(&app, &waiting, "cancel").await.expect_status(200).body;
    assert_eq!(cancelled["status"], "cancelled");
    let post_id = post.result()["post"]["post_id"].clone();
    let read = app.call(&key.api_key, "get_post", json!({"post_id": post_id})).await;
    let target = &read.result()["targets"][0];
    assert_eq!(target["status"], "cancelled", "{target}");
    assert!(target["error"].as_str().unwrap().contains("operator"), "{target}");
    change(&app, &waiting, "retry").await.expect_problem(409, "job_state");
    assert!(app.event_kinds(&key.key_id).await.contains(&"cancelled".to_owned()));
}

#[tokio::test]
async fn jobs_are_listed_in_pages_and_wrong_filters_are_refused() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for number in 0..3 {
        let at = format!("2027-01-0{}T00:00:00Z", number + 1);
        let post = json!({"text": "x", "channels": ["feed"], "mode": "schedule", "scheduled_at": at});
        app.call(&key, "create_post", post).await.result();
    }
    assert_eq!(all_pages(&app, "/api/admin/jobs", "jobs").await.len(), 3);
    let none = app.operator_get("/api/admin/jobs?brand=umbrella").await.expect_status(200);
    assert_eq!(column(&none, "jobs", "job_id"), [""; 0]);
    for wrong in ["status=lost", "kind=email", "brand=a%20b"] {
        let reply = app.operator_get(&format!("/api/admin/jobs?{wrong}")).await;
        reply.expect_problem(422, "invalid_request");
    }
    for job in ["job_none", "a%20b"] {
        for action in ["retry", "cancel"] {
            let reply = app.operator_post(&format!("/api/admin/jobs/{job}/{action}")).await;
            reply.expect_problem(404, "not_found");
        }
    }
}
