//! Where a key may be used from, and where it was used from and by which client.

use serde_json::{Value, json};

use crate::support::{AppOptions, BRAND, CreatedKey, Reply, TestApp, eventually};

/// A service behind a proxy on this machine.
async fn behind_a_proxy() -> TestApp {
    let arguments = vec!["--trusted-proxies=127.0.0.1, 10.0.0.0/8".to_owned()];
    TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await
}

async fn list_from(app: &TestApp, key: &CreatedKey, forwarded_for: &str) -> Reply {
    app.get("/mcp/v1/tools").bearer(&key.api_key).header("x-forwarded-for", forwarded_for).send().await
}

async fn shown(app: &TestApp, key: &CreatedKey) -> Value {
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200).body
}

/// Waits until the last use of the key is this one.
async fn expect_last_use(app: &TestApp, key: &CreatedKey, ip: &str, client: Value) {
    eventually("the last use of the key", async || {
        let shown = shown(app, key).await;
        (shown["last_used_ip"] == ip && shown["last_used_client"] == client).then_some(())
    })
    .await;
}

#[tokio::test]
async fn key_works_only_from_its_networks() {
    let app = behind_a_proxy().await;
    let networks = json!([" 203.0.113.0/24", "2001:DB8::/32", "198.51.100.9", "203.0.113.0/24"]);
    let key = app.create_key(json!({"label": "office", "allowed_networks": networks})).await;
    assert_eq!(
        key.body["allowed_networks"],
        json!(["203.0.113.0/24", "2001:db8::/32", "198.51.100.9/32"]),
        "without spaces and duplicates"
    );
    for (address, is_allowed) in [
        ("203.0.113.0", true),
        ("203.0.113.255", true),
        ("203.0.112.255", false),
        ("198.51.100.9", true),
        ("198.51.100.10", false),
        ("2001:db8:1::1", true),
        ("2001:db9::1", false),
        ("::ffff:203.0.113.7", true),
        ("1.1.1.1, 203.0.113.7", true),
        ("203.0.113.7, 1.1.1.1", false),
        ("203.0.113.7, 10.1.1.1", true),
    ] {
        let reply = list_from(&app, &key, address).await;
        assert_eq!(reply.status == 200, is_allowed, "{address}: {}", reply.text);
        if !is_allowed {
            reply.expect_problem(403, "address_not_allowed");
        }
    }
    let refused = list_from(&app, &key, "1.1.1.1").await.expect_problem(403, "address_not_allowed");
    assert!(refused.body["detail"].as_str().unwrap().contains("came from 1.1.1.1"), "{}", refused.text);
    // A call is refused like a list. Without the header, the address is that of the connection.
    let call = app.call(&key.api_key, "get_brand", json!({})).await;
    call.expect_problem(403, "address_not_allowed");
    let free = app.create_key(json!({"label": "anywhere"})).await;
    list_from(&app, &free, "1.1.1.1").await.expect_status(200);
}

#[tokio::test]
async fn headers_of_an_untrusted_sender_are_ignored() {
    for arguments in [vec![], vec!["--trusted-proxies=10.0.0.0/8,127.0.0.2".to_owned()]] {
        let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
        let office = json!({"label": "office", "allowed_networks": ["203.0.113.0/24"]});
        let office = app.create_key(office).await;
        let here = app.create_key(json!({"label": "here", "allowed_networks": ["127.0.0.1"]})).await;
        for (name, value) in [("x-forwarded-for", "203.0.113.7"), ("forwarded", "for=203.0.113.7")] {
            let list = async |key: &CreatedKey| {
                app.get("/mcp/v1/tools").bearer(&key.api_key).header(name, value).send().await
            };
            let refused = list(&office).await.expect_problem(403, "address_not_allowed");
            assert!(refused.text.contains("127.0.0.1"), "{}", refused.text);
            list(&here).await.expect_status(200);
        }
        expect_last_use(&app, &here, "127.0.0.1", json!(null)).await;
    }
}

#[tokio::test]
async fn forwarded_counts_and_must_agree_with_the_other_header() {
    let app = behind_a_proxy().await;
    let key = app.create_key(json!({"label": "office", "allowed_networks": ["203.0.113.0/24"]})).await;
    for (forwarded, x_forwarded_for, status) in [
        (Some("for=203.0.113.7;proto=https"), None, 200),
        (Some("for=\"[2001:db8::1]\""), None, 403),
        (Some("for=203.0.113.7"), Some("203.0.113.7"), 200),
        (Some("for=203.0.113.7"), Some("1.1.1.1"), 403),
        (Some("for=1.1.1.1"), Some("203.0.113.7"), 403),
        (Some("for=203.0.113.7, for=unknown"), None, 403),
    ] {
        let mut request = app.get("/mcp/v1/tools").bearer(&key.api_key);
        for (name, value) in [("forwarded", forwarded), ("x-forwarded-for", x_forwarded_for)] {
            request = value.into_iter().fold(request, |request, value| request.header(name, value));
        }
        let reply = request.send().await;
        assert_eq!(reply.status, status, "{forwarded:?} {x_forwarded_for:?}: {}", reply.text);
    }
}

#[tokio::test]
async fn address_is_checked_after_the_pause_and_before_the_plan() {
    let app = behind_a_proxy().await;
    let key = app.create_key(json!({"label": "office", "allowed_networks": ["203.0.113.0/24"]})).await;
    app.put_brand(BRAND, "starter").await;
    list_from(&app, &key, "1.1.1.1").await.expect_problem(403, "address_not_allowed");
    list_from(&app, &key, "203.0.113.7").await.expect_problem(403, "mcp_inactive");
    app.set_paused("ada", &key.key_id, true).await.expect_status(200);
    list_from(&app, &key, "1.1.1.1").await.expect_problem(403, "key_paused");
    app.revoke(&key.key_id).await;
    list_from(&app, &key, "1.1.1.1").await.expect_problem(401, "key_invalid");
}

#[tokio::test]
async fn refused_address_uses_nothing_of_the_limit_and_is_recorded() {
    let app = behind_a_proxy().await;
    let key = app.create_key(json!({"label": "office", "allowed_networks": ["203.0.113.0/24"]})).await;
    for _ in 0..70 {
        list_from(&app, &key, "1.1.1.1").await.expect_problem(403, "address_not_allowed");
    }
    let admitted = list_from(&app, &key, "203.0.113.7").await.expect_status(200);
    assert!(admitted.header("ratelimit").contains("r=59"), "{}", admitted.header("ratelimit"));
    eventually("the event of the refusals", async || {
        let path = format!("/api/brands/{BRAND}/mcp-keys/{}/activity?outcome=denied", key.key_id);
        let page = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
        let event = &page.body["events"][0];
        (event["reason"] == "address_not_allowed" && event["count"] == 70).then_some(())
    })
    .await;
    expect_last_use(&app, &key, "203.0.113.7", json!(null)).await;
}

#[tokio::test]
async fn queued_work_comes_from_no_network() {
    let app = behind_a_proxy().await;
    let key = app.create_key(json!({"label": "office", "scope": "write"})).await;
    let post = json!({"text": "Hello", "channels": ["feed"], "mode": "schedule", "scheduled_at": "2026-11-15T00:10:00Z"});
    let created = app.call(&key.api_key, "create_post", post).await;
    let post_id = created.result()["post"]["post_id"].as_str().unwrap().to_owned();
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    let networks = json!({"allowed_networks": ["203.0.113.0/24"]});
    app.request("PATCH", &path).bearer(&app.token("ada")).json(&networks).await.expect_status(200);
    app.clock.advance(std::time::Duration::from_mins(11));
    let path = format!("/api/brands/{BRAND}/posts/{post_id}");
    eventually("the post is published", async || {
        let post = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
        (post.body["targets"][0]["status"] == "published").then_some(())
    })
    .await;
}

#[tokio::test]
async fn last_use_tells_the_address_and_the_client() {
    let app = behind_a_proxy().await;
    let key = app.create_key(json!({"label": "agent"})).await;
    let unused = shown(&app, &key).await;
    assert_eq!((&unused["last_used_ip"], &unused["last_used_client"]), (&json!(null), &json!(null)));
    let long = "x".repeat(300);
    let secret = format!("curl {}", key.api_key);
    for (number, (client, agent, expected)) in [
        (Some("claude-desktop/1.2"), Some("bridge/0.1"), json!("claude-desktop/1.2")),
        (None, Some("bridge/0.1 (Linux)"), json!("bridge/0.1 (Linux)")),
        (Some("  "), Some("bridge/0.2"), json!("bridge/0.2")),
        (Some("my\t agent"), None, json!("my agent")),
        (Some(long.as_str()), None, json!("x".repeat(100))),
        (Some(secret.as_str()), None, json!(null)),
        (None, None, json!(null)),
    ]
    .into_iter()
    .enumerate()
    {
        app.clock.advance(std::time::Duration::from_secs(1));
        let address = format!("203.0.113.{number}");
        let mut request = app.get("/mcp/v1/tools").bearer(&key.api_key).header("x-forwarded-for", &address);
        for (name, value) in [("x-mcp-client", client), ("user-agent", agent)] {
            request = value.into_iter().fold(request, |request, value| request.header(name, value));
        }
        request.send().await.expect_status(200);
        expect_last_use(&app, &key, &address, expected).await;
        // A refused request changes nothing.
        let wrong = app.call(&key.api_key, "create_post", json!({"text": "x", "channels": ["feed"]})).await;
        wrong.expect_problem(403, "insufficient_scope");
    }
    let list = app.get(&format!("/api/brands/{BRAND}/mcp-keys")).bearer(&app.token("ben")).send().await;
    assert_eq!(list.body["keys"][0]["last_used_ip"], "203.0.113.6");
}
