//! CORS: pages of configured origins may call the API, also the two tool routes. Other pages may not read responses.

use serde_json::json;

use crate::support::{AppOptions, Reply, TestApp};

const ALLOWED: &str = "https://app.example";
const OTHER: &str = "https://evil.example";

async fn app_with_cors() -> TestApp {
    let arguments = vec![format!("--cors-origins={ALLOWED},https://two.example")];
    TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await
}

fn allowed_origin(reply: &Reply) -> &str {
    reply.header("access-control-allow-origin")
}

#[tokio::test]
async fn allowed_origin_may_list_and_call_tools() {
    let app = app_with_cors().await;
    let key = app.key("read").await;
    let list = app.get("/mcp/v1/tools").bearer(&key).header("origin", ALLOWED).send().await;
    let list = list.expect_status(200);
    assert_eq!(allowed_origin(&list), ALLOWED);
    assert!(list.header("access-control-expose-headers").contains("ratelimit"));
    assert_eq!(list.remaining(), 59);
    assert!(list.body["tools"].is_array());
    let body = json!({"name": "get_brand", "arguments": {}});
    let call = app.post("/mcp/v1/tools/call").bearer(&key).header("origin", ALLOWED).json(&body).await;
    let call = call.expect_status(200);
    assert_eq!(allowed_origin(&call), ALLOWED);
    assert_eq!(call.remaining(), 58);
    assert!(!call.header("x-request-id").is_empty());
}

#[tokio::test]
async fn allowed_origin_may_read_refusals() {
    let app = app_with_cors().await;
    for request in [app.get("/mcp/v1/tools"), app.post("/mcp/v1/tools/call"), app.get("/api/me")] {
        let reply = request.header("origin", ALLOWED).send().await;
        let reply = reply.expect_problem(401, "credential_missing");
        assert_eq!(allowed_origin(&reply), ALLOWED);
    }
}

#[tokio::test]
async fn other_origins_get_no_cors_headers() {
    let app = app_with_cors().await;
    let key = app.key("read").await;
    let list = app.get("/mcp/v1/tools").bearer(&key).header("origin", OTHER).send().await;
    assert_eq!(allowed_origin(&list.expect_status(200)), "");
    let body = json!({"name": "get_brand", "arguments": {}});
    let call = app.post("/mcp/v1/tools/call").bearer(&key).header("origin", OTHER).json(&body).await;
    assert_eq!(allowed_origin(&call.expect_status(200)), "");
}

#[tokio::test]
async fn preflight_is_answered_for_every_route() {
    let app = app_with_cors().await;
    for (path, method) in [("/mcp/v1/tools", "GET"), ("/mcp/v1/tools/call", "POST"), ("/api/me", "GET")] {
        let preflight = |origin: &str| {
            app.request("OPTIONS", path)
                .header("origin", origin)
                .header("access-control-request-method", method)
                .header("access-control-request-headers", "authorization,content-type")
                .send()
        };
        let allowed = preflight(ALLOWED).await.expect_status(200);
        assert_eq!(allowed_origin(&allowed), ALLOWED, "{path}");
        assert!(allowed.header("access-control-allow-methods").contains(method), "{path}");
        assert!(allowed.header("access-control-allow-headers").contains("authorization"), "{path}");
        assert_eq!(allowed_origin(&preflight(OTHER).await), "", "{path}");
    }
}

#[tokio::test]
async fn responses_are_the_same_with_and_without_cors() {
    let plain = TestApp::new().await;
    let with_cors = app_with_cors().await;
    let mut lists = Vec::new();
    for app in [&plain, &with_cors] {
        let key = app.key("write").await;
        let list = app.list_tools(&key).await.expect_status(200);
        let tag = list.header("etag").to_owned();
        let unchanged = app.get("/mcp/v1/tools").bearer(&key).header("if-none-match", &tag).send().await;
        unchanged.expect_status(304);
        let head = app.request("HEAD", "/mcp/v1/tools").bearer(&key).send().await.expect_status(200);
        assert_eq!((head.header("etag"), head.remaining()), (&*tag, 57));
        app.call(&key, "no_such_tool", json!({})).await.expect_problem(404, "unknown_tool");
        lists.push(list.body);
    }
    assert_eq!(lists[0], lists[1]);
}
