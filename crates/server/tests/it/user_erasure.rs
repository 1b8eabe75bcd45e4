//! Erasing a user.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::eventually;

use crate::support::{BRAND, OTHER_BRAND, TestApp};

const MEMBER: &str = "/api/admin/brands/acme/members/ben";

async fn erase(app: &TestApp, user: &str) -> Value {
    let path = format!("/api/admin/users/{user}/erase");
    app.post(&path).bearer(&app.operator()).send().await.expect_status(202).body
}

/// Waits for the second search.
async fn wait_until_done(app: &TestApp, receipt: &Value) -> Value {
    let path = format!("/api/admin/erasures/{}", receipt["receipt_id"].as_str().unwrap());
    eventually("the second search", async || {
        app.clock.advance(Duration::from_secs(20));
        let receipt = app.get(&path).bearer(&app.operator()).send().await.expect_status(200).body;
        (receipt["status"] == "done").then_some(receipt)
    })
    .await
}

#[tokio::test]
async fn erased_user_has_no_access_and_the_history_has_a_pseudonym() {
    let app = TestApp::new().await;
    assert_eq!(MEMBER, format!("/api/admin/brands/{BRAND}/members/ben"));
    let member = json!({"role": "member", "name": "Ben Franklin", "email": "ben@mail.example"});
    app.put(MEMBER).bearer(&app.operator()).json(&member).await.expect_status(200);
    let key = app.create_key_as("ben", BRAND, json!({"label": "of ben", "scope": "write"})).await;
    let others = app.create_key(json!({"label": "of ada", "scope": "write"})).await;
    let post = json!({"text": "Hello", "channels": ["feed"], "mode": "schedule", "scheduled_at": "2027-01-01T00:00:00Z"});
    let post = app.call(&key.api_key, "create_post", post).await.result()["post"].clone();

    let receipt = erase(&app, "ben").await;
    assert_eq!((&receipt["kind"], &receipt["status"]), (&json!("user"), &json!("erasing")));
    let pseudonym = receipt["subject"].as_str().unwrap().to_owned();
    assert!(pseudonym.starts_with("erased_") && !receipt.to_string().contains("ben"), "{receipt}");
    app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    app.get(&keys).bearer(&app.token("ben")).send().await.expect_problem(404, "not_found");
    let path = format!("/api/brands/{BRAND}/posts/{}", post["post_id"].as_str().unwrap());
    let cancelled = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200).body;
    assert!(cancelled.to_string().contains("\"cancelled\""), "what the key had queued: {cancelled}");
    let again = erase(&app, "ben").await;
    assert_eq!(again["receipt_id"], receipt["receipt_id"], "the same receipt");

    let done = wait_until_done(&app, &receipt).await;
    assert!(done["deleted_rows"].as_u64().unwrap() >= 3, "{done}");
    let path = format!("{keys}?include_revoked=true");
    let listed = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200).body;
    let of_ben = listed["keys"].as_array().unwrap().iter().find(|listed| listed["key_id"] == *key.key_id);
    assert_eq!(of_ben.unwrap()["created_by"], pseudonym, "{listed}");
    let activity = format!("/api/brands/{BRAND}/mcp-activity?limit=100");
    let activity = app.get(&activity).bearer(&app.token("ada")).send().await.expect_status(200).text;
    assert!(activity.contains(&pseudonym) && !activity.contains("\"ben\""), "{activity}");
    let users =
        app.get("/api/admin/users?q=ben").bearer(&app.operator()).send().await.expect_status(200).body;
    assert_eq!(users["users"], json!([]));

    // The others have lost nothing, and the person can come back as a stranger.
    app.list_tools(&others.api_key).await.expect_status(200);
    app.put_member(BRAND, "ben", "member").await;
    let new = app.create_key_as("ben", BRAND, json!({"label": "new", "scope": "read"})).await;
    app.list_tools(&new.api_key).await.expect_status(200);
    app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    let receipt = erase(&app, "ben").await;
    assert_ne!(receipt["receipt_id"], done["receipt_id"], "a new erasure");
    assert_ne!(receipt["subject"], done["subject"], "a new pseudonym");
}

#[tokio::test]
async fn user_is_erased_in_all_brands_and_only_by_operators() {
    let app = TestApp::new().await;
    app.put_member(OTHER_BRAND, "ben", "admin").await;
    let path = "/api/admin/users/ben/erase";
    for token in [app.token("ada"), app.token("ben")] {
        app.post(path).bearer(&token).send().await.expect_problem(403, "not_operator");
    }
    let keys = [
        app.create_key_as("ben", BRAND, json!({"label": "one"})).await,
        app.create_key_as("ben", OTHER_BRAND, json!({"label": "two"})).await,
    ];
    for key in &keys {
        app.list_tools(&key.api_key).await.expect_status(200);
    }
    erase(&app, "ben").await;
    for key in &keys {
        app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    }
    let brands = app.get("/api/admin/users/ben/brands").bearer(&app.operator()).send().await;
    assert_eq!(brands.expect_status(200).body["brands"], json!([]));
    // Nobody knows this user, but the history may.
    let unknown = erase(&app, "auth0%7Cnobody%40mail.example").await;
    let done = wait_until_done(&app, &unknown).await;
    assert_eq!(done["deleted_rows"], json!(0), "{done}");
}
