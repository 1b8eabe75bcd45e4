//! Codes: one use, 60 seconds, for their user only.

use std::time::Duration;

use serde_json::json;

use super::Browser;
use crate::support::{BRAND, TestApp};

#[tokio::test]
async fn a_code_signs_its_user_in_once() {
    let app = TestApp::new().await;
    let made = app.post("/api/sign-in-codes").bearer(&app.token("ben")).send().await.expect_status(201);
    let code = made.body["code"].as_str().unwrap();
    assert_eq!(made.body["expires_at"], "2026-11-15T00:01:00.000Z");
    assert_eq!(made.body["url"], format!("{}/settings/mcp#code={code}", app.url));
    let reply = app.exchange_code(code, None, json!({})).await.expect_status(201);
    let session = json!({"user_id": "ben", "operator": false, "expires_at": "2026-11-15T01:00:00.000Z", "expires_in": 3600});
    assert_eq!(reply.body, session);
    let browser = Browser::of(&reply);
    assert_eq!(browser.request(&app, "GET", "/api/session").send().await.expect_status(200).body, session);

    // Ben is a member and no administrator, in the browser as with his token.
    let path = format!("/api/brands/{BRAND}/mcp-keys");
    let key = browser.request(&app, "POST", &path).json(&json!({"label": "by session"})).await;
    assert_eq!(key.expect_status(201).body["created_by"], "ben");
    let path = format!("/api/brands/{BRAND}/channels");
    browser.request(&app, "GET", &path).send().await.expect_problem(403, "not_admin");
    browser.request(&app, "GET", "/api/brands/umbrella").send().await.expect_problem(404, "not_found");
    let me = browser.request(&app, "GET", "/api/me").send().await.expect_status(200);
    assert_eq!((&me.body["user_id"], &me.body["operator"]), (&json!("ben"), &json!(false)));

    let again = app.exchange_code(code, None, json!({})).await.expect_problem(401, "sign_in_code_invalid");
    assert_eq!(again.header("set-cookie"), "");
    assert_eq!(browser.user(&app).await.as_deref(), Some("ben"), "a second use does not end the session");
}

#[tokio::test]
async fn a_code_ends_after_a_minute_and_with_its_token() {
    let app = TestApp::new().await;
    let mut token = String::new();
    for (token_lasts, code_lasts) in [(3_600, 60), (20, 20)] {
        token = app.sign("ada", false, Duration::from_secs(token_lasts));
        let (late, in_time) = (app.code(&token).await, app.code(&token).await);
        app.clock.advance(Duration::from_millis(code_lasts * 1000 - 1));
        app.exchange_code(&in_time, None, json!({})).await.expect_status(201);
        app.clock.advance(Duration::from_millis(1));
        app.exchange_code(&late, None, json!({})).await.expect_problem(401, "sign_in_code_invalid");
    }
    // The token is expired, and only the leeway for clocks lets it pass.
    let request = app.post("/api/sign-in-codes").bearer(&token).send().await;
    assert_eq!(request.expect_problem(401, "token_invalid").body["reason"], "expired");
}

#[tokio::test]
async fn only_the_holder_of_a_token_gets_a_code_and_only_a_code_is_exchanged() {
    let app = TestApp::new().await;
    let browser = Browser::signed_in(&app, "ada").await;
    let by_session = browser.request(&app, "POST", "/api/sign-in-codes").send().await;
    by_session.expect_problem(401, "credential_missing");
    let key = app.key("full").await;
    app.post("/api/sign-in-codes").bearer(&key).send().await.expect_problem(401, "token_invalid");

    let session = browser.cookie.split_once('=').unwrap().1;
    let unknown = format!("svc_code_{}", "A".repeat(43));
    for code in ["", "x", session, &unknown, &app.token("ada")] {
        app.exchange_code(code, None, json!({})).await.expect_problem(401, "sign_in_code_invalid");
    }
    let no_code = app.sign_in_request(None).json(&json!({"replace": true})).await;
    no_code.expect_problem(401, "credential_missing");
    // A code and a token could belong to two people.
    let code = app.code(&app.token("ben")).await;
    let both = app.exchange_token(&app.token("ada"), None, json!({"code": code})).await;
    assert_eq!(both.expect_problem(422, "invalid_request").faulty_fields(), ["code"]);
    let reply = app.exchange_code(&code, None, json!({})).await.expect_status(201);
    assert_eq!(reply.body["user_id"], "ben");
}

#[tokio::test]
async fn an_address_has_60_exchanges_a_minute() {
    let app = TestApp::with_local_rate_limit().await;
    let code = app.code(&app.token("ada")).await;
    for _ in 0..60 {
        app.exchange_code("x", None, json!({})).await.expect_problem(401, "sign_in_code_invalid");
    }
    app.exchange_code(&code, None, json!({})).await.expect_problem(429, "rate_limited");
    app.exchange_token(&app.token("ada"), None, json!({})).await.expect_status(201);
    app.clock.advance(Duration::from_mins(1));
    let code = app.code(&app.token("ada")).await;
    app.exchange_code(&code, None, json!({})).await.expect_status(201);
}
