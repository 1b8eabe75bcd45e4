//! Times of posts: with a zone, or in the brand's time zone.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{BRAND, TestApp};

/// Schedules a post for this time, and returns the time as it is stored.
async fn schedule(app: &TestApp, key: &str, text: &str, at: &str) -> Value {
    let post = json!({"text": text, "channels": ["feed"], "mode": "schedule", "scheduled_at": at});
    app.call(key, "create_post", post).await.result()["post"].clone()
}

/// The texts of the posts that the filter finds, newest first.
async fn texts(app: &TestApp, key: &str, filter: Value) -> Vec<Value> {
    let found = app.call(key, "list_posts", filter).await;
    found.result()["items"].as_array().unwrap().iter().map(|post| post["text"].clone()).collect()
}

#[tokio::test]
async fn posts_are_listed_by_the_time_they_go_out() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    schedule(&app, &key, "Monday", "2026-11-16T09:00:00Z").await;
    // Posts of the same moment have no order.
    app.clock.advance(Duration::from_secs(1));
    schedule(&app, &key, "Tuesday", "2026-11-17T09:00:00Z").await;
    app.call(&key, "create_post", json!({"text": "draft", "channels": ["feed"]})).await.result();
    let week = json!({"scheduled_from": "2026-11-16T00:00", "scheduled_to": "2026-11-23T00:00"});
    assert_eq!(texts(&app, &key, week).await, ["Tuesday", "Monday"]);
    let monday = json!({"scheduled_from": "2026-11-16T09:00:00Z", "scheduled_to": "2026-11-17T09:00:00Z"});
    assert_eq!(texts(&app, &key, monday).await, ["Monday"]);
    assert_eq!(texts(&app, &key, json!({"scheduled_from": "2026-11-17T00:00"})).await, ["Tuesday"]);
    assert_eq!(texts(&app, &key, json!({"scheduled_to": "2026-11-17T00:00"})).await, ["Monday"]);
    for field in ["from", "to", "scheduled_from", "scheduled_to"] {
        let refused = app.call(&key, "list_posts", json!({field: "next week"})).await;
        assert_eq!(refused.expect_problem(422, "invalid_arguments").faulty_fields(), [field]);
    }
}

#[tokio::test]
async fn time_without_zone_is_taken_in_the_time_zone_of_the_brand() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    assert_eq!(
        schedule(&app, &key, "UTC", "2026-11-20T09:00").await["scheduled_at"],
        "2026-11-20T09:00:00.000Z"
    );
    let body = json!({
        "name": "Acme", "website": "https://acme.example", "plan_id": "business", "time_zone": "Europe/Berlin",
    });
    let brand = format!("/api/admin/brands/{BRAND}");
    app.put(&brand).bearer(&app.operator()).json(&body).await.expect_status(200);
    let post = schedule(&app, &key, "Berlin", "2026-11-20T09:00").await;
    assert_eq!(post["scheduled_at"], "2026-11-20T08:00:00.000Z");
    let with_zone = schedule(&app, &key, "zone", "2026-11-20T09:00:00-05:00").await;
    assert_eq!(with_zone["scheduled_at"], "2026-11-20T14:00:00.000Z");
    let change = json!({"post_id": post["post_id"], "scheduled_at": "2026-11-21T10:30"});
    let changed = app.call(&key, "update_post", change).await;
    assert_eq!(changed.result()["post"]["scheduled_at"], "2026-11-21T09:30:00.000Z");
    let draft = app.call(&key, "create_post", json!({"text": "draft", "channels": ["feed"]})).await;
    let publish = json!({"post_id": draft.result()["post"]["post_id"], "scheduled_at": "2026-11-22T00:30"});
    let published = app.call(&key, "publish_post", publish).await;
    assert_eq!(published.result()["post"]["scheduled_at"], "2026-11-21T23:30:00.000Z");
    let day = json!({"scheduled_from": "2026-11-22T00:00", "scheduled_to": "2026-11-23T00:00"});
    assert_eq!(texts(&app, &key, day).await, ["draft"]);
}
