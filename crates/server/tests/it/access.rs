//! Scope, plan and membership. A change is effective for the next request.

use std::time::Duration;

use serde_json::json;

use crate::support::{BRAND, OTHER_BRAND, TestApp, WRITE_TOOLS};

#[tokio::test]
async fn read_key_neither_lists_nor_calls_write_tools() {
    let app = TestApp::new().await;
    let names = |list: &serde_json::Value| -> Vec<String> {
        list["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let (read, write, full) = (app.key("read").await, app.key("write").await, app.key("full").await);
    let reading = names(&app.list_tools(&read).await.body);
    let writing = names(&app.list_tools(&write).await.body);
    let (write_tools, read_tools): (Vec<_>, Vec<_>) =
        writing.iter().cloned().partition(|name| WRITE_TOOLS.contains(&name.as_str()));
    assert_eq!((reading, write_tools.len()), (read_tools, WRITE_TOOLS.len()));
    assert_eq!(names(&app.list_tools(&full).await.body), writing);
    let post = json!({"text": "hello", "channels": ["feed"]});
    let refused =
        app.call(&read, "create_post", post.clone()).await.expect_problem(403, "insufficient_scope");
    assert!(refused.header("www-authenticate").contains(r#"error="insufficient_scope", scope="write""#));
    app.call(&write, "create_post", post.clone()).await.expect_status(200);
    app.call(&full, "create_post", post).await.expect_status(200);
}

#[tokio::test]
async fn list_of_tools_restricts_the_scope() {
    let app = TestApp::new().await;
    let narrow = json!({"label": "narrow", "scope": "write", "tools": ["create_post", "get_brand"]});
    let key = app.create_key(narrow).await;
    assert_eq!(key.body["tools"], json!(["create_post", "get_brand"]));
    let list = app.list_tools(&key.api_key).await;
    assert_eq!(list.body["tools"].as_array().unwrap().len(), 2);
    app.call(&key.api_key, "list_posts", json!({})).await.expect_problem(403, "insufficient_scope");
    app.call(&key.api_key, "create_post", json!({"text": "x", "channels": ["feed"]}))
        .await
        .expect_status(200);
    let wide = app.create_key(json!({"label": "wide", "scope": "read", "tools": ["create_post"]})).await;
    assert_eq!(app.list_tools(&wide.api_key).await.body["tools"], json!([]));
    app.call(&wide.api_key, "create_post", json!({"text": "x", "channels": ["feed"]}))
        .await
        .expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn inactive_plan_is_answered_403_and_never_429() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    for _ in 0..60 {
        app.list_tools(&key).await.expect_status(200);
    }
    app.list_tools(&key).await.expect_problem(429, "rate_limited");
    app.put_plan("business", false).await;
    for _ in 0..70 {
        let reply = app.list_tools(&key).await.expect_problem(403, "mcp_inactive");
        assert_eq!(reply.remaining(), 0);
    }
    app.call(&key, "no_such_tool", json!({})).await.expect_problem(403, "mcp_inactive");
    app.put_plan("business", true).await;
    app.list_tools(&key).await.expect_problem(429, "rate_limited");
}

#[tokio::test]
async fn refusals_of_an_inactive_plan_are_not_counted() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    app.put_plan("business", false).await;
    for _ in 0..70 {
        assert_eq!(app.list_tools(&key).await.expect_problem(403, "mcp_inactive").remaining(), 60);
    }
    app.put_plan("business", true).await;
    assert_eq!(app.list_tools(&key).await.expect_status(200).remaining(), 59);
}

#[tokio::test]
async fn plan_change_of_a_brand_is_effective_for_the_next_request() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "kept"})).await;
    for _ in 0..3 {
        app.list_tools(&key.api_key).await.expect_status(200);
        app.put_brand(BRAND, "starter").await;
        app.list_tools(&key.api_key).await.expect_problem(403, "mcp_inactive");
        app.put_brand(BRAND, "business").await;
    }
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    assert_eq!(app.get(&path).bearer(&app.token("ada")).send().await.body["status"], "active");
}

#[tokio::test]
async fn key_created_with_an_inactive_plan_works_after_activation() {
    let app = TestApp::new().await;
    app.put_plan("business", false).await;
    let key = app.key("read").await;
    app.list_tools(&key).await.expect_problem(403, "mcp_inactive");
    app.put_plan("business", true).await;
    app.list_tools(&key).await.expect_status(200);
}

#[tokio::test]
async fn key_is_refused_while_its_creator_is_not_a_member() {
    let app = TestApp::new().await;
    let key = app.create_key_as("ben", BRAND, json!({"label": "ben's"})).await.api_key;
    app.list_tools(&key).await.expect_status(200);
    app.remove_member(BRAND, "ben").await;
    app.list_tools(&key).await.expect_problem(403, "key_owner_removed");
    app.put_plan("business", false).await;
    app.list_tools(&key).await.expect_problem(403, "key_owner_removed");
    app.put_plan("business", true).await;
    app.put_member(BRAND, "ben", "member").await;
    app.list_tools(&key).await.expect_problem(403, "key_paused");
}

#[tokio::test]
async fn paused_key_is_refused_until_it_is_resumed() {
    let app = TestApp::new().await;
    let key = app.create_key_as("ben", BRAND, json!({"label": "ben's", "scope": "write"})).await;
    assert_eq!((&key.body["paused"], &key.body["paused_reason"]), (&json!(false), &json!(null)));
    for (who, paused_by) in [("ben", "ben"), ("ada", "ada")] {
        let paused = app.set_paused(who, &key.key_id, true).await.expect_status(200).body;
        assert_eq!((&paused["paused"], &paused["paused_reason"]), (&json!(true), &json!("requested")));
        assert_eq!((&paused["paused_by"], &paused["status"]), (&json!(paused_by), &json!("active")));
        app.list_tools(&key.api_key).await.expect_problem(403, "key_paused");
        app.call(&key.api_key, "get_brand", json!({})).await.expect_problem(403, "key_paused");
        // A pause comes before the plan in the order of decisions.
        app.put_plan("business", false).await;
        app.list_tools(&key.api_key).await.expect_problem(403, "key_paused");
        app.put_plan("business", true).await;
        app.set_paused("ada", &key.key_id, true).await.expect_status(200);
        let resumed = app.set_paused(who, &key.key_id, false).await.expect_status(200).body;
        assert_eq!((&resumed["paused"], &resumed["paused_at"]), (&json!(false), &json!(null)));
        app.list_tools(&key.api_key).await.expect_status(200);
    }
    let kinds = app.event_kinds(&key.key_id).await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "paused").count(), 2, "{kinds:?}");
    assert_eq!(kinds.iter().filter(|kind| *kind == "resumed").count(), 2, "{kinds:?}");
}

#[tokio::test]
async fn keys_of_a_removed_member_stay_paused_until_they_are_resumed() {
    let app = TestApp::new().await;
    let (adas, bens) = (app.key("read").await, app.create_key_as("ben", BRAND, json!({"label": "b"})).await);
    app.remove_member(BRAND, "ben").await;
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", bens.key_id);
    let shown = app.get(&path).bearer(&app.token("ada")).send().await.body;
    assert_eq!((&shown["paused_reason"], &shown["paused_by"]), (&json!("owner_removed"), &json!("olga")));
    app.list_tools(&adas).await.expect_status(200);
    app.put_member(BRAND, "ben", "member").await;
    app.list_tools(&bens.api_key).await.expect_problem(403, "key_paused");
    app.set_paused("ben", &bens.key_id, false).await.expect_status(200);
    app.list_tools(&bens.api_key).await.expect_status(200);
}

#[tokio::test]
async fn key_is_paused_and_resumed_only_by_its_creator_or_an_administrator() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "ada's"})).await;
    for paused in [true, false] {
        app.set_paused("ben", &key.key_id, paused).await.expect_problem(403, "not_key_creator");
        app.set_paused("eve", &key.key_id, paused).await.expect_problem(404, "not_found");
    }
    app.list_tools(&key.api_key).await.expect_status(200);
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    let patch = async |body: serde_json::Value| {
        app.request("PATCH", &path).bearer(&app.token("ada")).json(&body).await
    };
    for body in [json!({"paused": "yes"}), json!({"label": ""}), json!([])] {
        patch(body).await.expect_problem(422, "invalid_request");
    }
    for body in [json!({}), json!({"paused": null})] {
        assert_eq!(patch(body).await.expect_status(200).body["paused"], false);
    }
    app.revoke(&key.key_id).await;
    patch(json!({"paused": false})).await.expect_problem(409, "key_revoked");
}

#[tokio::test]
async fn revoked_key_is_refused_for_the_next_request() {
    let app = TestApp::new().await;
    for _ in 0..20 {
        let key = app.create_key(json!({"label": "short-lived"})).await;
        app.list_tools(&key.api_key).await.expect_status(200);
        app.revoke(&key.key_id).await;
        app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    }
}

#[tokio::test]
async fn key_is_refused_from_its_expiry_on() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "brief", "expires_at": "2026-11-15T00:00:10Z"})).await;
    app.list_tools(&key.api_key).await.expect_status(200);
    app.clock.advance(Duration::from_millis(9_999));
    app.list_tools(&key.api_key).await.expect_status(200);
    app.clock.advance(Duration::from_millis(1));
    app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    assert_eq!(app.get(&path).bearer(&app.token("ada")).send().await.body["status"], "expired");
}

#[tokio::test]
async fn unknown_malformed_revoked_and_expired_keys_get_the_same_response() {
    let app = TestApp::new().await;
    let revoked = app.create_key(json!({"label": "revoked"})).await;
    app.revoke(&revoked.key_id).await;
    let expired = app.create_key(json!({"label": "expired", "expires_at": "2026-11-15T00:00:01Z"})).await;
    app.clock.advance(Duration::from_secs(2));
    let mut mistyped = app.key("read").await;
    mistyped.replace_range(20..21, if &mistyped[20..21] == "a" { "b" } else { "a" });
    let unknown = svc_mcp_access::key::KeyToken::generate(&mut svc_mcp_testkit::seeded(99));
    let mut answers = Vec::new();
    for key in [revoked.api_key.as_str(), &expired.api_key, &mistyped, unknown.expose(), "svc_mcp_", "x"] {
        let mut reply = app.list_tools(key).await.expect_problem(401, "key_invalid");
        assert_eq!(reply.header("www-authenticate"), r#"Bearer realm="svc-mcp", error="invalid_token""#);
        assert_eq!(reply.header("ratelimit"), "");
        reply.body["request_id"] = json!(null);
        answers.push(reply.body);
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[tokio::test]
async fn brand_cannot_access_another_brand() {
    let app = TestApp::new().await;
    let mine = app.key("write").await;
    let theirs = app.create_key_as("eve", OTHER_BRAND, json!({"label": "theirs", "scope": "write"})).await;
    let post = app.call(&mine, "create_post", json!({"text": "ours", "channels": ["feed"]})).await;
    let post_id = post.result()["post"]["post_id"].clone();
    let seen = app.call(&theirs.api_key, "get_post", json!({"post_id": post_id})).await;
    assert_eq!(seen.body["structuredContent"]["code"], "post_not_found");
    assert_eq!(app.call(&theirs.api_key, "list_posts", json!({})).await.result()["total"], 0);
    for path in ["", "/activity", "/reveal"] {
        let method = if path == "/reveal" { "POST" } else { "GET" };
        let path = format!("/api/brands/{BRAND}/mcp-keys/{}{path}", theirs.key_id);
        app.request(method, &path).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");
    }
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", theirs.key_id);
    app.delete(&path).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");
    app.list_tools(&theirs.api_key).await.expect_status(200);
}
