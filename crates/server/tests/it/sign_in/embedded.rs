//! The page inside a frame of the host application: a session without a cookie.

use serde_json::json;

use super::Browser;
use crate::support::{AppOptions, BRAND, Reply, TestApp, TestRequest};

const ORIGIN: &str = "https://app.example";

async fn embeddable() -> TestApp {
    let arguments = vec![format!("--frame-ancestors={ORIGIN}")];
    TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await
}

async fn exchange(app: &TestApp, user: &str) -> Reply {
    let code = app.code(&app.token(user)).await;
    app.exchange_code(&code, None, json!({"embedded": true})).await
}

fn token_of(reply: &Reply) -> String {
    let token = reply.body["session_token"].as_str().unwrap_or_else(|| panic!("{}", reply.text));
    assert!(token.starts_with("svc_session_"), "{token}");
    token.to_owned()
}

/// A request of the page inside the frame.
fn request(app: &TestApp, method: &str, path: &str, token: &str) -> TestRequest {
    app.request(method, path).bearer(token).header("sec-fetch-site", "same-origin")
}

#[tokio::test]
async fn frame_gets_a_token_and_no_cookie() {
    let app = embeddable().await;
    let started = exchange(&app, "ada").await.expect_status(201);
    assert_eq!(started.headers.get("set-cookie"), None);
    assert_eq!(started.body["user_id"], "ada");
    let token = token_of(&started);
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    request(&app, "GET", &keys, &token).send().await.expect_status(200);
    let created = request(&app, "POST", &keys, &token).json(&json!({"label": "from the frame"})).await;
    assert_eq!(created.expect_status(201).body["created_by"], "ada");
    let session = request(&app, "GET", "/api/session", &token).send().await.expect_status(200);
    assert_eq!((&session.body["user_id"], session.body.get("session_token")), (&json!("ada"), None));
    // Signing out ends the session of the frame. The cookie of the browser stays.
    let ended = request(&app, "DELETE", "/api/session", &token).send().await.expect_status(204);
    assert_eq!(ended.headers.get("set-cookie"), None);
    request(&app, "GET", "/api/session", &token).send().await.expect_problem(401, "session_ended");
}

#[tokio::test]
async fn frame_ignores_the_session_of_the_browser() {
    let app = embeddable().await;
    let browser = Browser::signed_in(&app, "ben").await;
    // The browser sends the cookie of another person, because the frame is on the same site. It does not count.
    let code = app.code(&app.token("ada")).await;
    let started = app.exchange_code(&code, Some(&browser), json!({"embedded": true})).await;
    let token = token_of(&started.expect_status(201));
    assert_eq!(browser.user(&app).await.as_deref(), Some("ben"));
    let both = request(&app, "GET", "/api/session", &token).header("cookie", &browser.cookie);
    assert_eq!(both.send().await.expect_status(200).body["user_id"], "ada");
    // A code works once, in a frame too.
    let again = app.exchange_code(&code, None, json!({"embedded": true})).await;
    again.expect_problem(401, "sign_in_code_invalid");
}

#[tokio::test]
async fn token_of_a_frame_opens_only_what_a_session_opens() {
    let app = embeddable().await;
    let token = token_of(&exchange(&app, "ada").await.expect_status(201));
    app.get("/mcp/v1/tools").bearer(&token).send().await.expect_problem(401, "key_invalid");
    let call = app.post("/mcp/v1/tools/call").bearer(&token).json(&json!({"name": "get_brand"})).await;
    call.expect_problem(401, "key_invalid");
    // It is no application token: it starts no session and no code, and gives no operator role.
    request(&app, "POST", "/api/sign-in-codes", &token).send().await.expect_problem(401, "token_invalid");
    let session = request(&app, "POST", "/api/session", &token).json(&json!({})).await;
    session.expect_problem(401, "token_invalid");
    let operator = token_of(&{
        let code = app.code(&app.operator()).await;
        app.exchange_code(&code, None, json!({"embedded": true})).await.expect_status(201)
    });
    request(&app, "GET", "/api/admin/brands", &operator).send().await.expect_problem(403, "not_operator");
    let me = request(&app, "GET", "/api/me", &operator).send().await.expect_status(200);
    assert_ne!(me.body["operator"], true, "{}", me.text);
    // Only the page itself uses it.
    for site in ["cross-site", "same-site", "none"] {
        let other = app.get("/api/me").bearer(&token).header("sec-fetch-site", site).send().await;
        other.expect_problem(403, "cross_origin");
    }
    app.get("/api/me").bearer(&token).send().await.expect_problem(403, "cross_origin");
    for broken in [format!("{token}x"), "svc_session_".to_owned()] {
        request(&app, "GET", "/api/me", &broken).send().await.expect_problem(401, "session_ended");
    }
}

#[tokio::test]
async fn frames_are_refused_unless_an_origin_is_named() {
    let app = TestApp::new().await;
    let refused = exchange(&app, "ada").await;
    assert_eq!(refused.expect_problem(422, "invalid_request").faulty_fields(), ["embedded"]);
    // The secret of a session in the header is not accepted either.
    let browser = Browser::signed_in(&app, "ada").await;
    let secret = browser.cookie.split_once('=').unwrap().1;
    request(&app, "GET", "/api/me", secret).send().await.expect_problem(401, "token_invalid");
    // A frame needs a code: the application's token is not for browsers.
    let app = embeddable().await;
    let by_token = app.exchange_token(&app.token("ada"), None, json!({"embedded": true})).await;
    assert_eq!(by_token.expect_problem(422, "invalid_request").faulty_fields(), ["code"]);
    let from_elsewhere = app.post("/api/session").header("sec-fetch-site", "cross-site");
    let code = app.code(&app.token("ada")).await;
    let body = json!({"code": code, "embedded": true});
    from_elsewhere.json(&body).await.expect_problem(403, "cross_origin");
}
