//! A suspended brand. What becomes of its queued work is in the table of stops.

use serde_json::json;

use super::column;
use crate::support::{BRAND, OTHER_BRAND, TestApp};

async fn publish(app: &TestApp) -> String {
    let post = json!({"text": "hello", "channels": ["feed"], "mode": "now"});
    let post = app.call(&app.key("write").await, "create_post", post).await;
    post.result()["post"]["post_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn suspended_brand_is_refused_until_it_is_resumed() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let others = app.create_key_as("eve", OTHER_BRAND, json!({"label": "other"})).await;
    let post_id = publish(&app).await;
    let suspend = format!("/api/admin/brands/{BRAND}/suspend");
    let body = json!({"reason": " Unpaid since October "});
    let brand = app.post(&suspend).bearer(&app.operator()).json(&body).await.expect_status(200).body;
    assert_eq!((&brand["status"], &brand["suspended_by"]), (&json!("suspended"), &json!("olga")));
    assert_eq!(brand["suspension_reason"], "Unpaid since October");

    // Agents.
    let refused = app.list_tools(&key).await.expect_problem(403, "brand_suspended");
    assert_eq!(refused.remaining(), 60, "the limit is stated, and a refused request is not counted");
    app.call(&key, "list_posts", json!({})).await.expect_problem(403, "brand_suspended");
    app.list_tools(&others.api_key).await.expect_status(200);
    // The public.
    for path in ["atom.xml", "feed.json", &format!("posts/{post_id}")] {
        app.get(&format!("/feeds/{BRAND}/{path}")).send().await.expect_problem(404, "not_found");
    }
    // People read, and create no keys.
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    let create = app.post(&keys).bearer(&app.token("ada")).json(&json!({"label": "new"})).await;
    create.expect_problem(403, "brand_suspended");
    for path in [
        &*keys,
        "/api/me",
        &format!("/api/brands/{BRAND}/posts"),
        &format!("/api/brands/{BRAND}/mcp-activity"),
    ] {
        app.get(path).bearer(&app.token("ada")).send().await.expect_status(200);
    }
    let own =
        app.get(&format!("/api/brands/{BRAND}")).bearer(&app.token("ben")).send().await.expect_status(200);
    assert_eq!((&own.body["status"], own.body.get("suspension_reason")), (&json!("suspended"), None));

    // A second suspension changes nothing.
    let again = app.operator_post(&suspend).await.expect_status(200).body;
    assert_eq!(again, brand);
    let list = app.operator_get("/api/admin/brands?status=suspended").await.expect_status(200);
    assert_eq!(column(&list, "brands", "brand_id"), [BRAND]);
    let list = app.operator_get("/api/admin/brands?status=active").await.expect_status(200);
    assert_eq!(column(&list, "brands", "brand_id"), [OTHER_BRAND]);

    let resume = format!("/api/admin/brands/{BRAND}/resume");
    for _ in 0..2 {
        let brand = app.operator_post(&resume).await.expect_status(200).body;
        assert_eq!((&brand["status"], brand.get("suspended_at")), (&json!("active"), None));
        app.list_tools(&key).await.expect_status(200);
    }
    app.get(&format!("/feeds/{BRAND}/feed.json")).send().await.expect_status(200);
    app.post(&keys).bearer(&app.token("ada")).json(&json!({"label": "new"})).await.expect_status(201);
}

#[tokio::test]
async fn suspension_is_recorded_as_the_reason_of_a_denial() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "a"})).await;
    app.operator_post(&format!("/api/admin/brands/{BRAND}/suspend")).await.expect_status(200);
    app.list_tools(&key.api_key).await.expect_problem(403, "brand_suspended");
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}/activity?outcome=denied", key.key_id);
    let reason = crate::support::eventually("the denial in the activity", async || {
        let page = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200).body;
        page["events"][0]["reason"].as_str().map(str::to_owned)
    })
    .await;
    assert_eq!(reason, "brand_suspended");
}

#[tokio::test]
async fn approval_of_a_suspended_brand_stays_pending() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "asks", "scope": "write", "approval": "outward"})).await;
    let post = json!({"text": "x", "channels": ["feed"], "mode": "now"});
    let held = app.call(&key.api_key, "create_post", post).await;
    let path = format!("/api/brands/{BRAND}/approvals/{}", held.result()["approval_id"].as_str().unwrap());
    let digest =
        app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200).body["digest"].clone();
    app.operator_post(&format!("/api/admin/brands/{BRAND}/suspend")).await.expect_status(200);
    let approve = async || {
        let body = json!({"digest": digest});
        app.post(&format!("{path}/approve")).bearer(&app.token("ada")).json(&body).await
    };
    approve().await.expect_problem(403, "brand_suspended");
    app.operator_post(&format!("/api/admin/brands/{BRAND}/resume")).await.expect_status(200);
    approve().await.expect_status(200);
}

#[tokio::test]
async fn wrong_brands_and_bodies_are_refused() {
    let app = TestApp::new().await;
    for action in ["suspend", "resume"] {
        app.operator_post(&format!("/api/admin/brands/none/{action}")).await.expect_problem(404, "not_found");
    }
    let path = format!("/api/admin/brands/{BRAND}/suspend");
    for wrong in [json!({"reason": ""}), json!({"reason": "x".repeat(501)}), json!({"why": "x"})] {
        let reply = app.post(&path).bearer(&app.operator()).json(&wrong).await;
        reply.expect_problem(422, "invalid_request");
    }
    app.list_tools(&app.key("read").await).await.expect_status(200);
}
