//! The operator holds all jobs and lets them go on.

use std::time::Duration;

use serde_json::{Value, json};

use super::start_with_hook;
use crate::support::{Receiver, TestApp, eventually};

const HOLD: &str = "/api/admin/jobs/hold";
const RESUME: &str = "/api/admin/jobs/resume";

/// The texts of the posts that the receiver has got, in the order of the alphabet.
fn sent(receiver: &Receiver) -> Vec<String> {
    let requests = receiver.requests();
    let texts = requests.iter().filter_map(|request| request.body["data"]["text"].as_str());
    let mut texts: Vec<String> = texts.map(str::to_owned).collect();
    texts.sort();
    texts
}

async fn target(app: &TestApp, key: &str, post: &Value) -> Value {
    let read = app.call(key, "get_post", json!({"post_id": post["post_id"]})).await;
    read.result()["targets"][0].clone()
}

async fn publish(app: &TestApp, key: &str, text: &str, more: Value) -> (Value, Value) {
    let mut post = json!({"text": text, "channels": ["hook"], "mode": "now"});
    post.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let reply = app.call(key, "create_post", post).await;
    (reply.result()["post"].clone(), reply.body["content"].clone())
}

async fn ready(app: &TestApp) -> String {
    app.get("/readyz").send().await.expect_status(200).text
}

#[tokio::test]
async fn nothing_is_sent_until_jobs_are_resumed() {
    let receiver = Receiver::start().await;
    let app = start_with_hook(&receiver).await;
    let key = app.key("write").await;
    let at = "2026-11-15T01:00:00Z";
    let (scheduled, content) =
        publish(&app, &key, "scheduled", json!({"mode": "schedule", "scheduled_at": at})).await;
    assert_eq!(content.as_array().unwrap().len(), 1, "{content}");
    assert_eq!(ready(&app).await, "ready\n");
    let listed = app.operator_get("/api/admin/jobs").await.expect_status(200);
    assert_eq!(listed.body["hold"], Value::Null, "{}", listed.text);

    let held = app.operator_post(HOLD).await.expect_status(200).body;
    assert_eq!((&held["hold"]["cause"], &held["begun"]), (&json!("operator"), &json!(0)), "{held}");
    let again = app.operator_post(HOLD).await.expect_status(200).body;
    assert_eq!(again, held);
    let listed = app.operator_get("/api/admin/jobs").await.expect_status(200);
    assert_eq!(listed.body["hold"], held["hold"]);
    assert!(ready(&app).await.contains("all jobs are held since 2026-11-15T00:00:00.000Z"));
    // A call does not wait for what it queues, and says why.
    let (now, content) = publish(&app, &key, "now", json!({})).await;
    assert!(content[1]["text"].as_str().unwrap().contains("waits until the operator resumes"), "{content}");
    let (draft, content) = publish(&app, &key, "draft", json!({"mode": "draft"})).await;
    assert_eq!(content.as_array().unwrap().len(), 1, "a draft queues nothing: {content}");
    app.clock.advance(Duration::from_hours(2));
    let audit = app.call(&key, "run_audit", json!({"wait_seconds": 25})).await;
    assert_eq!(audit.result()["status"], "queued", "{}", audit.text);
    assert_eq!(audit.body["content"].as_array().unwrap().len(), 2, "{}", audit.text);
    // The jobs are due, and the workers have looked for them: this one is cancelled, because nobody has it.
    let audits = app.operator_get("/api/admin/jobs?kind=audit").await.expect_status(200).body;
    let job = audits["jobs"][0]["job_id"].as_str().unwrap();
    app.operator_post(&format!("/api/admin/jobs/{job}/cancel")).await.expect_status(200);
    assert_eq!(sent(&receiver), [""; 0]);

    let resumed = app.operator_post(RESUME).await.expect_status(200).body;
    assert_eq!((&resumed["hold"], &resumed["cancelled"]), (&held["hold"], &json!(0)), "{resumed}");
    eventually("both posts", async || (sent(&receiver) == ["now", "scheduled"]).then_some(())).await;
    for post in [&scheduled, &now] {
        eventually("the published post", async || {
            (target(&app, &key, post).await["status"] == "published").then_some(())
        })
        .await;
    }
    assert_eq!(target(&app, &key, &draft).await["status"], "draft");
    assert_eq!(ready(&app).await, "ready\n");
    let again = app.operator_post(RESUME).await.expect_status(200).body;
    assert_eq!(again, json!({"hold": null, "cancelled": 0}));
    let (_, content) = publish(&app, &key, "after", json!({})).await;
    assert_eq!(content.as_array().unwrap().len(), 1, "{content}");
    assert_eq!(sent(&receiver), ["after", "now", "scheduled"]);
}

#[tokio::test]
async fn posts_that_are_too_late_are_cancelled_and_the_others_are_sent() {
    let receiver = Receiver::start().await;
    let app = start_with_hook(&receiver).await;
    let key = app.key("write").await;
    let day = |text: &'static str, at: &'static str| (text, json!({"mode": "schedule", "scheduled_at": at}));
    let mut posts = Vec::new();
    app.operator_post(HOLD).await.expect_status(200);
    for (text, when) in [day("late", "2026-11-15T01:00:00Z"), day("in time", "2026-11-16T12:00:00Z")] {
        posts.push(publish(&app, &key, text, when).await.0);
    }
    app.clock.advance(Duration::from_hours(38));
    let key = app.key("write").await;
    let resumed = app.operator_post(RESUME).await.expect_status(200).body;
    assert_eq!(resumed["cancelled"], 1, "{resumed}");
    eventually("the post in time", async || (sent(&receiver) == ["in time"]).then_some(())).await;
    let late = target(&app, &key, &posts[0]).await;
    assert_eq!(late["status"], "cancelled", "{late}");
    assert!(late["error"].as_str().unwrap().contains("too late"), "{late}");

    // All that was due before the hold, if asked for.
    app.operator_post(HOLD).await.expect_status(200);
    app.clock.advance(Duration::from_secs(1));
    let (after, _) = publish(&app, &key, "after the hold", json!({})).await;
    let body = json!({"cancel_due_before_hold": true});
    let resumed = app.post(RESUME).bearer(&app.operator()).json(&body).await.expect_status(200).body;
    assert_eq!(resumed["cancelled"], 0, "{resumed}");
    eventually("the post after the hold", async || {
        (target(&app, &key, &after).await["status"] == "published").then_some(())
    })
    .await;
}
