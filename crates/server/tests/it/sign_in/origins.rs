//! A session works only for the service's own pages, and only for the management API.

use serde_json::json;

use super::Browser;
use crate::support::{AppOptions, BRAND, TestApp};

#[tokio::test]
async fn requests_of_other_pages_are_refused_also_when_they_only_read() {
    let app = TestApp::new().await;
    let browser = Browser::signed_in(&app, "ada").await;
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    for site in ["cross-site", "same-site", "none"] {
        let read = browser.request_from(&app, "GET", &keys, site).send().await;
        read.expect_problem(403, "cross_origin");
        let create = browser.request_from(&app, "POST", &keys, site).header("origin", &app.url);
        create.json(&json!({"label": "x"})).await.expect_problem(403, "cross_origin");
        let sign_out = browser.request_from(&app, "DELETE", "/api/session", site).send().await;
        sign_out.expect_problem(403, "cross_origin");
        let sign_in = app.post("/api/session").header("sec-fetch-site", site).bearer(&app.token("eve"));
        let sign_in = sign_in.send().await.expect_problem(403, "cross_origin");
        assert_eq!(sign_in.header("set-cookie"), "");
    }
    let list = browser.request(&app, "GET", &keys).send().await.expect_status(200);
    assert_eq!(list.body["keys"], json!([]), "nothing was created");
}

#[tokio::test]
async fn without_fetch_metadata_the_origin_decides() {
    let app = TestApp::new().await;
    let browser = Browser::signed_in(&app, "ada").await;
    let me = || app.get("/api/me").header("cookie", &browser.cookie);
    me().header("origin", &app.url).send().await.expect_status(200);
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"] {
        me().header("origin", origin).send().await.expect_problem(403, "cross_origin");
    }
    me().send().await.expect_problem(403, "cross_origin");
    let code = app.code(&app.token("ada")).await;
    let body = json!({"code": code});
    let exchange = |origin: &str| app.post("/api/session").header("origin", origin).json(&body);
    exchange("https://evil.example").await.expect_problem(403, "cross_origin");
    exchange(&app.url).await.expect_status(201);
}

#[tokio::test]
async fn an_origin_that_may_use_the_api_gets_no_session() {
    let arguments = vec!["--cors-origins=https://app.example".to_owned()];
    let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
    let browser = Browser::signed_in(&app, "ada").await;
    let request = browser.request_from(&app, "GET", "/api/me", "cross-site");
    let refused = request.header("origin", "https://app.example").send().await;
    let refused = refused.expect_problem(403, "cross_origin");
    assert_eq!(refused.header("access-control-allow-credentials"), "");
}

#[tokio::test]
async fn no_session_opens_the_tools() {
    let app = TestApp::new().await;
    for token in [app.token("ada"), app.operator()] {
        let browser = Browser::of(&app.exchange_token(&token, None, json!({})).await.expect_status(201));
        for (method, path) in [("GET", "/mcp/v1/tools"), ("POST", "/mcp/v1/tools/call")] {
            let refused = browser.request(&app, method, path).json(&json!({"name": "get_brand"})).await;
            refused.expect_problem(401, "credential_missing");
        }
    }
}

#[tokio::test]
async fn a_bearer_token_beside_the_cookie_decides_alone() {
    let app = TestApp::new().await;
    let browser = Browser::signed_in(&app, "ada").await;
    let with =
        |bearer: &str| browser.request_from(&app, "GET", "/api/me", "cross-site").bearer(bearer).send();
    let eve = with(&app.token("eve")).await.expect_status(200);
    assert_eq!(eve.body["user_id"], "eve");
    with("x").await.expect_problem(401, "token_invalid");
    with(&app.key("full").await).await.expect_problem(401, "token_invalid");
    let basic = browser.request(&app, "GET", "/api/me").header("authorization", "Basic YTpi").send().await;
    basic.expect_problem(401, "token_invalid");
    // A key in the URL is reported also to a browser.
    let path = format!("/api/me?key={}", app.key("read").await);
    browser.request(&app, "GET", &path).send().await.expect_problem(401, "key_in_url");
}

#[tokio::test]
async fn two_session_cookies_are_refused() {
    let app = TestApp::new().await;
    let (one, other) = (Browser::signed_in(&app, "ada").await, Browser::signed_in(&app, "eve").await);
    let both = Browser { cookie: format!("{}; {}", one.cookie, other.cookie) };
    assert_eq!(both.user(&app).await, None);
}
