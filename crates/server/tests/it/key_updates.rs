//! Changes of a key: who may make which, and that they are effective for the next request.

use serde_json::{Value, json};

use crate::support::{BRAND, CreatedKey, Reply, TestApp};

async fn patch(app: &TestApp, user: &str, key: &CreatedKey, body: &Value) -> Reply {
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    app.request("PATCH", &path).bearer(&app.token(user)).json(body).await
}

/// A key of `ben`, who is no administrator, with every restriction.
async fn restricted_key(app: &TestApp) -> CreatedKey {
    let body = json!({
        "label": "agent", "scope": "write", "expires_at": "2026-12-01T00:00:00Z",
        "tools": ["create_post", "get_brand"], "approval": "outward",
        "allowed_networks": ["127.0.0.0/8", "203.0.113.0/24"],
    });
    app.create_key_as("ben", BRAND, body).await
}

/// Each field, a narrower value and wider ones.
fn fields() -> Vec<(&'static str, Value, Vec<Value>)> {
    vec![
        ("label", json!("renamed"), vec![]),
        ("tools", json!(["get_brand"]), vec![json!(null), json!(["create_post", "get_brand", "list_posts"])]),
        ("expires_at", json!("2026-11-20T00:00:00.000Z"), vec![json!(null), json!("2026-12-02T00:00:00Z")]),
        ("approval", json!("all"), vec![json!("none")]),
        (
            "allowed_networks",
            json!(["127.0.0.1/32"]),
            vec![json!(null), json!(["0.0.0.0/0"]), json!(["127.0.0.0/8", "198.51.100.1"])],
        ),
        ("scope", json!("read"), vec![]),
    ]
}

#[tokio::test]
async fn administrator_narrows_the_key_of_another_person_but_never_widens_it() {
    let app = TestApp::new().await;
    for (field, narrower, wider) in fields() {
        let key = restricted_key(&app).await;
        for value in &wider {
            let refused = patch(&app, "ada", &key, &json!({field: value, "label": "x"})).await;
            refused.expect_problem(403, "not_key_creator");
        }
        let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
        let unchanged = app.get(&path).bearer(&app.token("ben")).send().await.body;
        assert_eq!((&unchanged[field], &unchanged["label"]), (&key.body[field], &json!("agent")), "{field}");
        let changed = patch(&app, "ada", &key, &json!({field: narrower})).await.expect_status(200);
        assert_eq!(changed.body[field], narrower);
        // The same value again widens nothing, and the creator may do everything but widen the scope.
        patch(&app, "ada", &key, &json!({field: narrower})).await.expect_status(200);
        for value in &wider {
            patch(&app, "ben", &key, &json!({field: value})).await.expect_status(200);
        }
        for (user, status, code) in [("eve", 404, "not_found"), ("olga", 404, "not_found")] {
            patch(&app, user, &key, &json!({field: narrower})).await.expect_problem(status, code);
        }
        app.revoke(&key.key_id).await;
        patch(&app, "ben", &key, &json!({field: narrower})).await.expect_problem(409, "key_revoked");
    }
}

#[tokio::test]
async fn member_changes_only_keys_of_their_own() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "ada's", "scope": "write"})).await;
    for (field, narrower, _) in fields() {
        patch(&app, "ben", &key, &json!({field: narrower})).await.expect_problem(403, "not_key_creator");
    }
    let bens = restricted_key(&app).await;
    for (field, narrower, _) in fields() {
        patch(&app, "ben", &bens, &json!({field: narrower})).await.expect_status(200);
    }
}

#[tokio::test]
async fn scope_becomes_only_narrower_for_everybody() {
    let app = TestApp::new().await;
    for (from, to, is_allowed) in [
        ("read", "read", true),
        ("read", "write", false),
        ("read", "full", false),
        ("write", "read", true),
        ("write", "full", false),
        ("full", "write", true),
        ("full", "read", true),
    ] {
        let key = app.create_key(json!({"label": "x", "scope": from})).await;
        let reply = patch(&app, "ada", &key, &json!({"scope": to, "label": "y"})).await;
        if is_allowed {
            assert_eq!(reply.expect_status(200).body["scope"], to);
        } else {
            reply.expect_problem(409, "scope_cannot_widen");
            let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
            assert_eq!(app.get(&path).bearer(&app.token("ada")).send().await.body["label"], "x");
        }
    }
}

#[tokio::test]
async fn change_is_effective_for_the_next_request() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "agent", "scope": "write"})).await;
    let post = json!({"text": "Hello", "channels": ["feed"], "dry_run": true});
    let create = async || app.call(&key.api_key, "create_post", post.clone()).await;
    let change = async |body: Value| patch(&app, "ada", &key, &body).await.expect_status(200);
    create().await.expect_status(200);
    change(json!({"tools": ["get_brand"]})).await;
    create().await.expect_problem(403, "insufficient_scope");
    assert_eq!(app.list_tools(&key.api_key).await.body["tools"].as_array().unwrap().len(), 1);
    change(json!({"tools": null})).await;
    create().await.expect_status(200);
    change(json!({"allowed_networks": ["198.51.100.0/24"]})).await;
    create().await.expect_problem(403, "address_not_allowed");
    change(json!({"allowed_networks": null})).await;
    create().await.expect_status(200);
    change(json!({"expires_at": "2026-11-15T00:01:00Z"})).await;
    app.clock.advance(std::time::Duration::from_mins(2));
    create().await.expect_problem(401, "key_invalid");
    change(json!({"expires_at": null})).await;
    create().await.expect_status(200);
    change(json!({"scope": "read"})).await;
    create().await.expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn absent_fields_stay_and_null_removes_only_restrictions() {
    let app = TestApp::new().await;
    let key = restricted_key(&app).await;
    let shown = |body: &Value| {
        let fields = ["label", "scope", "tools", "expires_at", "approval", "allowed_networks", "paused"];
        fields.map(|field| body[field].clone())
    };
    let unchanged = patch(&app, "ben", &key, &json!({})).await.expect_status(200);
    assert_eq!(shown(&unchanged.body), shown(&key.body));
    let nothing = json!({"label": null, "scope": null, "approval": null, "paused": null});
    let unchanged = patch(&app, "ben", &key, &nothing).await.expect_status(200);
    assert_eq!(shown(&unchanged.body), shown(&key.body));
    let removed = json!({"tools": null, "expires_at": null, "allowed_networks": null});
    let changed = patch(&app, "ben", &key, &removed).await.expect_status(200);
    let expected = [
        json!("agent"),
        json!("write"),
        json!(null),
        json!(null),
        json!("outward"),
        json!(null),
        json!(false),
    ];
    assert_eq!(shown(&changed.body), expected);
    let kinds = app.event_kinds(&key.key_id).await;
    assert_eq!(kinds, ["updated", "created"], "a change that changes nothing is not recorded");
}

#[tokio::test]
async fn all_changes_of_a_request_are_one_event() {
    let app = TestApp::new().await;
    let key = restricted_key(&app).await;
    let body = json!({
        "label": " renamed ", "scope": "read", "tools": ["get_brand"], "expires_at": "2026-11-20T00:00:00Z",
        "approval": "all", "allowed_networks": ["127.0.0.1"], "paused": true,
    });
    let changed = patch(&app, "ada", &key, &body).await.expect_status(200);
    assert_eq!((&changed.body["label"], &changed.body["paused_by"]), (&json!("renamed"), &json!("ada")));
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}/activity", key.key_id);
    let page = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
    let events = page.body["events"].as_array().unwrap();
    let of_kind = |kind: &str| {
        let found = events.iter().filter(|event| event["kind"] == kind);
        found.map(|event| (event["actor"].clone(), event["reason"].clone())).collect::<Vec<_>>()
    };
    let reason = "label, scope, tools, expires_at, approval, allowed_networks";
    assert_eq!(of_kind("updated"), [(json!("ada"), json!(reason))]);
    assert_eq!(of_kind("paused"), [(json!("ada"), json!(null))]);
    assert_eq!(events.len(), 3);
}

#[tokio::test]
async fn fields_are_checked_like_those_of_a_new_key() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "agent"})).await;
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    for (field, value) in [
        ("label", json!("")),
        ("label", json!("x".repeat(101))),
        ("label", json!("a\u{7}b")),
        ("label", json!(key.api_key)),
        ("scope", json!("admin")),
        ("tools", json!([])),
        ("tools", json!(["no_such_tool"])),
        ("expires_at", json!("2026-11-15T00:00:00Z")),
        ("expires_at", json!("tomorrow")),
        ("approval", json!("some")),
        ("allowed_networks", json!([])),
        ("allowed_networks", json!(vec!["203.0.113.7"; 21])),
        ("allowed_networks", json!(["acme.example"])),
        ("allowed_networks", json!(["203.0.113.7/24"])),
        ("allowed_networks", json!("203.0.113.0/24")),
    ] {
        let mut body = json!({"label": "agent"});
        body[field] = value;
        let created = app.post(&keys).bearer(&app.token("ada")).json(&body).await;
        let changed = patch(&app, "ada", &key, &body).await;
        for reply in [&created, &changed] {
            assert_eq!((reply.status, reply.code()), (422, "invalid_request"), "{}", reply.text);
        }
        assert_eq!(created.body["errors"], changed.body["errors"], "{field}");
        assert!(created.faulty_fields()[0].starts_with(field), "{}", created.text);
    }
    patch(&app, "ada", &key, &json!({"can_reveal": true})).await.expect_problem(422, "invalid_request");
    let refused = patch(&app, "ada", &key, &json!({"allowed_networks": ["203.0.113.7/24"]})).await;
    assert!(refused.text.contains("203.0.113.0/24"), "{}", refused.text);
}

#[tokio::test]
async fn expired_key_can_be_prolonged_only_within_the_quota() {
    let app = TestApp::new().await;
    let soon = json!({"label": "old", "expires_at": "2026-11-15T00:01:00Z"});
    let key = app.create_key(soon).await;
    app.clock.advance(std::time::Duration::from_mins(2));
    let mut last = String::new();
    for _ in 0..50 {
        last = app.create_key(json!({"label": "new"})).await.key_id;
    }
    let longer = json!({"expires_at": "2026-11-16T00:00:00Z"});
    let refused = patch(&app, "ada", &key, &longer).await.expect_problem(409, "key_limit_reached");
    assert_eq!((&refused.body["limit"], &refused.body["used"]), (&json!(50), &json!(50)));
    app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
    app.revoke(&last).await;
    assert_eq!(patch(&app, "ada", &key, &longer).await.expect_status(200).body["status"], "active");
    app.list_tools(&key.api_key).await.expect_status(200);
}
