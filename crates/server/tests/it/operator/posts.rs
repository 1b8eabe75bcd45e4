//! Posts of any brand, by the rules of the brand's own people.

use serde_json::json;

use super::{all_pages, column};
use crate::support::{BRAND, TestApp};

#[tokio::test]
async fn operator_lists_changes_and_stops_posts_of_any_brand() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "a", "scope": "write"})).await;
    let create = async |text: &str| {
        let draft = json!({"text": text, "channels": ["feed"], "mode": "draft"});
        let post = app.call(&key.api_key, "create_post", draft).await;
        post.result()["post"]["post_id"].as_str().unwrap().to_owned()
    };
    let ids = [create("one").await, create("two").await, create("three").await];
    assert_eq!(all_pages(&app, "/api/admin/posts?brand=acme", "posts").await.len(), 3);
    let path = |id: &str, action: &str| format!("/api/admin/brands/{BRAND}/posts/{id}{action}");

    let changed = app.request("PATCH", &path(&ids[0], "")).bearer(&app.operator());
    let changed = changed.json(&json!({"text": "changed"})).await.expect_status(200);
    assert_eq!(changed.body["post"]["text"], "changed");
    app.operator_post(&path(&ids[0], "/publish")).await.expect_status(200);
    let published = app.operator_get("/api/admin/posts?brand=acme&status=published").await.expect_status(200);
    assert_eq!(column(&published, "posts", "post_id"), [&*ids[0]]);
    app.operator_post(&path(&ids[0], "/withdraw")).await.expect_status(200);
    app.operator_post(&path(&ids[1], "/cancel")).await.expect_status(200);
    app.delete(&path(&ids[2], "")).bearer(&app.operator()).send().await.expect_status(204);
    app.operator_post(&path(&ids[0], "/retry")).await.expect_problem(409, "post_state");
    let left = app.operator_get("/api/admin/posts?brand=acme").await.expect_status(200);
    assert_eq!(column(&left, "posts", "post_id"), [&*ids[0]]);

    let events = format!("/api/brands/{BRAND}/mcp-activity?kind=post");
    let events = app.get(&events).bearer(&app.token("ada")).send().await.expect_status(200);
    assert_eq!(column(&events, "events", "actor"), ["olga"; 5]);
    app.operator_get("/api/admin/posts").await.expect_problem(422, "invalid_request");
    app.operator_get("/api/admin/posts?brand=none").await.expect_problem(404, "not_found");
    let elsewhere = format!("/api/admin/brands/umbrella/posts/{}", ids[0]);
    app.operator_get(&elsewhere).await.expect_problem(404, "not_found");
}
