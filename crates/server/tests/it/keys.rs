//! Creates, lists, reads and revokes keys.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{BRAND, TestApp, eventually};

const KEYS: &str = "/api/brands/acme/mcp-keys";

#[tokio::test]
async fn new_key_is_returned_with_its_secret_once() {
    let app = TestApp::new().await;
    let reply = app
        .post(KEYS)
        .bearer(&app.token("ada"))
        .json(&json!({"label": "  CI agent "}))
        .await
        .expect_status(201);
    assert_eq!(reply.header("cache-control"), "no-store");
    let (key_id, secret) = (reply.body["key_id"].as_str().unwrap(), reply.body["api_key"].as_str().unwrap());
    assert_eq!(reply.header("location"), format!("{KEYS}/{key_id}"));
    assert!(secret.starts_with("svc_mcp_") && secret.len() == 57, "{secret}");
    assert_eq!(
        reply.body,
        json!({
            "key_id": key_id, "brand_id": "acme", "created_by": "ada", "label": "CI agent", "scope": "read",
            "prefix": &secret[..14], "can_reveal": true, "created_at": "2026-11-15T00:00:00.000Z", "last_used_at": null,
            "expires_at": null, "revoked_at": null, "tools": null, "status": "active", "api_key": secret,
            "paused": false, "paused_at": null, "paused_by": null, "paused_reason": null,
            "approval": "none",
            "rotating_until": null, "old_secret_last_used_at": null,
            "revoked_reason": null, "idle_since": null,
            "allowed_networks": null, "last_used_ip": null, "last_used_client": null,
        })
    );
    let mut shown = reply.body.clone();
    shown.as_object_mut().unwrap().remove("api_key");
    assert_eq!(app.get(&format!("{KEYS}/{key_id}")).bearer(&app.token("ben")).send().await.body, shown);
    assert_eq!(
        app.get(KEYS).bearer(&app.token("ben")).send().await.body,
        json!({"keys": [shown], "next_cursor": null})
    );
}

#[tokio::test]
async fn created_key_has_the_requested_fields() {
    let app = TestApp::new().await;
    let body = json!({"label": "full", "scope": "full", "can_reveal": false, "expires_at": "2027-01-01T00:00:00+01:00",
        "tools": ["list_posts", "get_brand", "list_posts"]});
    let key = app.create_key(body).await.body;
    assert_eq!((&key["scope"], &key["can_reveal"]), (&json!("full"), &json!(false)));
    assert_eq!(key["expires_at"], "2026-12-31T23:00:00.000Z");
    assert_eq!(key["tools"], json!(["get_brand", "list_posts"]));
}

#[tokio::test]
async fn all_errors_of_a_create_are_returned_at_once() {
    let app = TestApp::new().await;
    let body = json!({"label": " ", "scope": "admin", "can_reveal": "yes", "expires_at": "2020-01-01T00:00:00Z",
        "tools": ["fly"], "colour": "red"});
    let reply =
        app.post(KEYS).bearer(&app.token("ada")).json(&body).await.expect_problem(422, "invalid_request");
    assert_eq!(reply.faulty_fields(), ["can_reveal", "colour", "expires_at", "label", "scope", "tools[0]"]);
    for body in [
        json!({}),
        json!({"label": null}),
        json!({"label": 7}),
        json!({"label": "x".repeat(101)}),
        json!({"label": "line\nbreak"}),
        json!({"label": "x", "tools": []}),
        json!({"label": "x", "tools": "all"}),
        json!({"label": "x", "expires_at": "tomorrow"}),
        json!({"label": "x", "expires_at": "2027-01-01T00:00:00"}),
        json!([]),
        json!("label"),
    ] {
        app.post(KEYS).bearer(&app.token("ada")).json(&body).await.expect_problem(422, "invalid_request");
    }
    assert_eq!(app.get(KEYS).bearer(&app.token("ada")).send().await.body["keys"], json!([]));
    app.create_key(json!({"label": "x".repeat(100), "scope": null, "tools": null})).await;
}

#[tokio::test]
async fn list_is_newest_first_and_paged() {
    let app = TestApp::new().await;
    let mut created = Vec::new();
    for number in 0..7 {
        created.push(app.create_key(json!({"label": format!("key {number}")})).await.key_id);
        app.clock.advance(Duration::from_millis(u64::from(number % 2 == 0)));
    }
    let mut listed: Vec<(String, String)> = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = app
            .get(&format!("{KEYS}?limit=3{cursor}"))
            .bearer(&app.token("ada"))
            .send()
            .await
            .expect_status(200);
        let keys = page.body["keys"].as_array().unwrap();
        assert!(!keys.is_empty() && keys.len() <= 3);
        let text = |key: &Value, name: &str| key[name].as_str().unwrap().to_owned();
        listed.extend(keys.iter().map(|key| (text(key, "key_id"), text(key, "created_at"))));
        match page.body["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert!(listed.is_sorted_by(|one, next| one.1 >= next.1), "{listed:?}");
    created.sort();
    let mut ids: Vec<String> = listed.into_iter().map(|(key_id, _)| key_id).collect();
    ids.sort();
    assert_eq!(ids, created);
}

#[tokio::test]
async fn invalid_query_parameters_are_named() {
    let app = TestApp::new().await;
    let query = "limit=0&cursor=%25&include_revoked=maybe&colour=red";
    let reply = app.get(&format!("{KEYS}?{query}")).bearer(&app.token("ada")).send().await;
    let reply = reply.expect_problem(422, "invalid_request");
    let mut fields = reply.faulty_fields();
    fields.sort_unstable();
    assert_eq!(fields, ["colour", "cursor", "include_revoked", "limit"]);
    app.get(&format!("{KEYS}?limit=1&limit=2"))
        .bearer(&app.token("ada"))
        .send()
        .await
        .expect_problem(422, "invalid_request");
}

#[tokio::test]
async fn revoke_can_be_repeated_and_hides_the_key_from_the_list() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "old"})).await;
    app.revoke(&key.key_id).await;
    app.clock.advance(Duration::from_mins(1));
    app.revoke(&key.key_id).await;
    assert_eq!(app.get(KEYS).bearer(&app.token("ada")).send().await.body["keys"], json!([]));
    let all = app.get(&format!("{KEYS}?include_revoked=true")).bearer(&app.token("ada")).send().await;
    assert_eq!(all.body["keys"][0]["status"], "revoked");
    assert_eq!(all.body["keys"][0]["revoked_at"], "2026-11-15T00:00:00.000Z");
}

#[tokio::test]
async fn key_is_revoked_by_its_creator_or_an_administrator() {
    let app = TestApp::new().await;
    let adas = app.create_key(json!({"label": "ada's"})).await;
    let path = format!("{KEYS}/{}", adas.key_id);
    app.delete(&path).bearer(&app.token("ben")).send().await.expect_problem(403, "not_key_creator");
    app.list_tools(&adas.api_key).await.expect_status(200);
    for (user, by) in [("ben", "ben"), ("ben", "ada")] {
        let key = app.create_key_as(user, BRAND, json!({"label": "ben's"})).await;
        let path = format!("{KEYS}/{}", key.key_id);
        app.delete(&path).bearer(&app.token(by)).send().await.expect_status(204);
        app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    }
}

#[tokio::test]
async fn brand_has_at_most_fifty_active_keys() {
    let app = TestApp::new().await;
    let mut last = String::new();
    for number in 0..50 {
        last = app.create_key(json!({"label": format!("{number}")})).await.key_id;
    }
    let one_more = || async {
        let token = app.token("ben");
        app.post(KEYS).bearer(&token).json(&json!({"label": "one more"})).await
    };
    one_more().await.expect_problem(409, "key_limit_reached");
    app.revoke(&last).await;
    one_more().await.expect_status(201);
    one_more().await.expect_problem(409, "key_limit_reached");
}

#[tokio::test]
async fn last_use_is_recorded() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "used"})).await;
    app.clock.advance(Duration::from_secs(5));
    app.list_tools(&key.api_key).await.expect_status(200);
    let path = format!("{KEYS}/{}", key.key_id);
    let last_used = eventually("the time of the last use", async || {
        let key = app.get(&path).bearer(&app.token("ada")).send().await.body;
        (!key["last_used_at"].is_null()).then(|| key["last_used_at"].clone())
    })
    .await;
    assert_eq!(last_used, "2026-11-15T00:00:05.000Z");
}
