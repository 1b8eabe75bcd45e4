//! The format of errors. Invalid input changes nothing.

use serde_json::json;

use crate::support::{BRAND, TestApp};

const KEYS: &str = "/api/brands/acme/mcp-keys";

#[tokio::test]
async fn invalid_large_or_non_json_bodies_are_refused() {
    let app = TestApp::new().await;
    let (token, key) = (app.token("ada"), app.key("write").await);
    for (path, credential, max_bytes) in
        [(KEYS, &token, 64 * 1024), ("/mcp/v1/tools/call", &key, 1024 * 1024)]
    {
        let reply = |kind: &'static str, body: String| {
            let app = &app;
            async move { app.post(path).bearer(credential).header("content-type", kind).body(body).await }
        };
        reply("application/json", "{".into()).await.expect_problem(400, "invalid_json");
        reply("application/json", String::new()).await.expect_problem(400, "invalid_json");
        reply("text/plain", "{}".into()).await.expect_problem(415, "unsupported_media_type");
        reply("application/x-www-form-urlencoded", "a=b".into())
            .await
            .expect_problem(415, "unsupported_media_type");
        reply("application/json", format!("\"{}\"", "x".repeat(max_bytes)))
            .await
            .expect_problem(413, "too_large");
        reply("application/json; charset=utf-8", "{}".into()).await.expect_problem(422, "invalid_request");
    }
    let listed = app.get(KEYS).bearer(&token).send().await.body;
    assert_eq!(listed["keys"].as_array().unwrap().len(), 1, "no key was created");
}

#[tokio::test]
async fn unknown_paths_and_methods_are_refused() {
    let app = TestApp::new().await;
    app.get("/nowhere").send().await.expect_problem(404, "not_found");
    app.get("/mcp/v1/tools/call/x").send().await.expect_problem(404, "not_found");
    let reply = app.delete("/mcp/v1/tools").send().await.expect_problem(405, "method_not_allowed");
    assert_eq!(reply.header("allow"), "GET,HEAD");
    let reply = app.request("PATCH", KEYS).send().await.expect_problem(405, "method_not_allowed");
    assert_eq!(reply.header("allow"), "GET,HEAD,POST");
}

#[tokio::test]
async fn key_in_the_url_is_refused() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    for query in [
        format!("key={key}"),
        format!("api_key={key}"),
        format!("q={key}"),
        format!("{key}=1"),
        "token=abc".into(),
    ] {
        let path = format!("/mcp/v1/tools?{query}");
        app.get(&path).send().await.expect_problem(401, "key_in_url");
        let both = app.get(&path).bearer(&key).send().await.expect_problem(400, "key_in_url");
        assert!(both.body["detail"].as_str().unwrap().contains("Revoke it"));
    }
    let path = format!("{KEYS}?key={key}");
    app.get(&path).send().await.expect_problem(401, "key_in_url");
    app.get(&path).bearer(&app.token("ada")).send().await.expect_problem(400, "key_in_url");
    assert_eq!(app.list_tools(&key).await.expect_status(200).remaining(), 59, "none of these were counted");
}

#[tokio::test]
async fn keys_and_tokens_are_not_interchangeable() {
    let app = TestApp::new().await;
    let key = app.key("full").await;
    app.get(KEYS).bearer(&key).send().await.expect_problem(401, "token_invalid");
    app.post(KEYS).bearer(&key).json(&json!({"label": "x"})).await.expect_problem(401, "token_invalid");
    app.list_tools(&app.token("ada")).await.expect_problem(401, "key_invalid");
    app.list_tools(&app.operator()).await.expect_problem(401, "key_invalid");
}

#[tokio::test]
async fn malformed_authorization_headers_are_refused() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    let list = |header: String| {
        let app = &app;
        async move { app.get("/mcp/v1/tools").header("authorization", &header).send().await }
    };
    list(format!("bearer {key}")).await.expect_status(200);
    list(format!("BEARER   {key} ")).await.expect_status(200);
    list(format!("Token {key}")).await.expect_problem(401, "key_invalid");
    list(key.clone()).await.expect_problem(401, "key_invalid");
    list("Bearer".into()).await.expect_problem(401, "key_invalid");
    list(format!("Bearer {key} x")).await.expect_problem(401, "key_invalid");
    let twice = app.get("/mcp/v1/tools").bearer(&key).header("authorization", "Bearer x").send().await;
    twice.expect_problem(401, "key_invalid");
}

#[tokio::test]
async fn request_id_of_the_client_is_returned() {
    let app = TestApp::new().await;
    let named = app.get("/healthz").header("x-request-id", "trace-42").send().await;
    assert_eq!(named.header("x-request-id"), "trace-42");
    let key = app.key("read").await;
    for odd in ["two words", "<script>", &"x".repeat(65), &key] {
        let reply = app.get("/healthz").header("x-request-id", odd).send().await;
        assert!(reply.header("x-request-id").starts_with("req_"), "{odd}");
    }
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    let api = ["/healthz", "/nowhere", "/mcp/v1/tools", "/api/me", "/feeds/acme/feed.json", "/openapi.json"];
    let pages = ["/settings/mcp", "/docs", "/feeds/acme/atom.xml"];
    let post = json!({"text": "x", "channels": ["feed"], "mode": "now"});
    app.call(&app.key("write").await, "create_post", post).await.result();
    for path in api.into_iter().chain(pages) {
        let mut reply = app.get(path).send().await;
        if path == "/mcp/v1/tools" {
            assert_eq!(reply.header("x-frame-options"), "");
            reply = app.list_tools(&key).await.expect_status(200);
        }
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert!(!reply.header("cache-control").is_empty(), "{path}");
        assert!(!reply.header("x-request-id").is_empty(), "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), "", "{path}: no CORS unless it is set");
        assert_eq!(reply.header("server"), "", "{path}");
        let page_headers = ["referrer-policy", "x-frame-options", "cross-origin-opener-policy"];
        let page_headers = page_headers.map(|name| reply.header(name));
        let policy = reply.header("content-security-policy");
        if pages.contains(&path) {
            assert_eq!(page_headers, ["no-referrer", "DENY", "same-origin"], "{path}");
            assert!(policy.contains("default-src 'none'"), "{path}");
        } else {
            assert_eq!(page_headers, ["", "", ""], "{path}: only pages need them");
            assert_eq!(policy, "", "{path}");
        }
    }
}

#[tokio::test]
async fn brand_of_others_is_answered_like_an_unknown_one() {
    let app = TestApp::new().await;
    let mut answers = Vec::new();
    for brand in [BRAND, "no-such-brand"] {
        let path = format!("/api/brands/{brand}/mcp-keys");
        let mut reply =
            app.get(&path).bearer(&app.token("eve")).send().await.expect_problem(404, "not_found");
        reply.body["request_id"] = json!(null);
        answers.push(reply.body);
    }
    assert_eq!(answers[0], answers[1]);
}
