//! Sessions: how they start, whom they replace, and when they end.

use std::time::Duration;

use serde_json::json;

use super::Browser;
use crate::support::{AppOptions, BRAND, TestApp};

const HOUR: Duration = Duration::from_hours(1);

#[tokio::test]
async fn a_session_lasts_12_hours_and_never_longer_than_the_token() {
    let app = TestApp::new().await;
    for (token_hours, session_hours) in [(1, 1_u64), (24, 12)] {
        let token = app.sign("ada", false, token_hours * HOUR);
        let by_token = app.exchange_token(&token, None, json!({})).await.expect_status(201);
        let by_code = app.exchange_code(&app.code(&token).await, None, json!({})).await.expect_status(201);
        let seconds = session_hours * 3600;
        for reply in [&by_token, &by_code] {
            assert_eq!(reply.body["expires_in"], seconds);
            assert!(
                reply.header("set-cookie").contains(&format!("; Max-Age={seconds};")),
                "{:?}",
                reply.headers
            );
        }
        let browser = Browser::of(&by_code);
        app.clock.advance(Duration::from_millis(seconds * 1000 - 1));
        assert_eq!(browser.user(&app).await.as_deref(), Some("ada"));
        app.clock.advance(Duration::from_millis(1));
        assert_eq!(browser.user(&app).await, None);
        let refused = browser.request(&app, "GET", "/api/me").send().await;
        refused.expect_problem(401, "session_ended");
    }
}

#[tokio::test]
async fn signing_out_ends_the_session_and_no_other_one() {
    let app = TestApp::new().await;
    let (browser, other) = (Browser::signed_in(&app, "ada").await, Browser::signed_in(&app, "ada").await);
    let reply = browser.request(&app, "DELETE", "/api/session").send().await.expect_status(204);
    assert_eq!(reply.header("set-cookie"), "svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
    assert_eq!(browser.user(&app).await, None, "a copy of the cookie is of no use");
    let again = browser.request(&app, "DELETE", "/api/session").send().await;
    again.expect_problem(401, "session_ended");
    assert_eq!(other.user(&app).await.as_deref(), Some("ada"));
    // With a token there is nothing to end: the cookie beside it is not looked at.
    let with_token = other.request(&app, "DELETE", "/api/session").bearer(&app.token("ada")).send().await;
    assert_eq!(with_token.expect_status(204).header("set-cookie"), "");
    assert_eq!(other.user(&app).await.as_deref(), Some("ada"));
}

#[tokio::test]
async fn every_sign_in_makes_a_new_session_and_ends_the_old_one() {
    let app = TestApp::new().await;
    let old = Browser::signed_in(&app, "ada").await;
    let code = app.code(&app.token("ada")).await;
    let new = Browser::of(&app.exchange_code(&code, Some(&old), json!({})).await.expect_status(201));
    assert_ne!(new.cookie, old.cookie);
    assert_eq!((old.user(&app).await, new.user(&app).await.as_deref()), (None, Some("ada")));

    // A cookie that an attacker has planted is not taken over.
    for planted in [format!("svc_session=svc_session_{}", "A".repeat(43)), "svc_session=x".to_owned()] {
        let planted = Browser { cookie: planted };
        let reply = app.exchange_token(&app.token("ada"), Some(&planted), json!({})).await;
        let browser = Browser::of(&reply.expect_status(201));
        assert_ne!(browser.cookie, planted.cookie);
        assert_eq!(planted.user(&app).await, None);
    }
}

#[tokio::test]
async fn another_users_session_is_replaced_only_on_purpose() {
    let app = TestApp::new().await;
    let browser = Browser::signed_in(&app, "ada").await;
    let code = app.code(&app.token("eve")).await;
    let by_code = app.exchange_code(&code, Some(&browser), json!({})).await;
    let by_token = app.exchange_token(&app.token("eve"), Some(&browser), json!({})).await;
    for refused in [by_code, by_token] {
        let refused = refused.expect_problem(409, "other_user_signed_in");
        assert_eq!((&refused.body["sign_in_user_id"], refused.header("set-cookie")), (&json!("eve"), ""));
    }
    assert_eq!(browser.user(&app).await.as_deref(), Some("ada"));
    let reply = app.exchange_code(&code, Some(&browser), json!({"replace": true})).await.expect_status(201);
    assert_eq!(browser.user(&app).await, None);
    let browser = Browser::of(&reply);
    assert_eq!(browser.user(&app).await.as_deref(), Some("eve"));

    // A session that has ended is replaced without a question.
    browser.request(&app, "DELETE", "/api/session").send().await.expect_status(204);
    let reply = app.exchange_token(&app.token("ada"), Some(&browser), json!({})).await;
    assert_eq!(reply.expect_status(201).body["user_id"], "ada");
}

#[tokio::test]
async fn membership_suspension_and_erasure_hold_for_sessions() {
    let app = TestApp::new().await;
    let (ben, ada) = (Browser::signed_in(&app, "ben").await, Browser::signed_in(&app, "ada").await);
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    let suspend = app.post(&format!("/api/admin/brands/{BRAND}/suspend")).bearer(&app.operator());
    suspend.send().await.expect_status(200);
    ben.request(&app, "GET", &keys).send().await.expect_status(200);
    let create = ben.request(&app, "POST", &keys).json(&json!({"label": "x"})).await;
    create.expect_problem(403, "brand_suspended");

    app.remove_member(BRAND, "ben").await;
    ben.request(&app, "GET", &keys).send().await.expect_problem(404, "not_found");
    assert_eq!(ben.user(&app).await.as_deref(), Some("ben"), "he may act for other brands");

    let code = app.code(&app.token("ben")).await;
    app.post("/api/admin/users/ben/erase").bearer(&app.operator()).send().await.expect_status(202);
    assert_eq!(ben.user(&app).await, None);
    app.exchange_code(&code, None, json!({})).await.expect_problem(401, "sign_in_code_invalid");
    assert_eq!(ada.user(&app).await.as_deref(), Some("ada"));
}

#[tokio::test]
async fn a_user_has_20_sessions_and_the_oldest_ends() {
    let app = TestApp::new().await;
    let mut browsers = Vec::new();
    for _ in 0..21 {
        browsers.push(Browser::signed_in(&app, "ada").await);
        app.clock.advance(Duration::from_secs(1));
    }
    for (number, browser) in browsers.iter().enumerate() {
        let expected = (number > 0).then_some("ada");
        assert_eq!(browser.user(&app).await.as_deref(), expected, "{number}");
    }
}

#[tokio::test]
async fn a_session_and_a_token_of_one_user_share_the_limit() {
    let arguments = vec!["--management-limit=4".to_owned()];
    let app = TestApp::with(AppOptions { arguments, ..AppOptions::default() }).await;
    let browser = Browser::signed_in(&app, "ada").await;
    app.get("/api/me").bearer(&app.token("ada")).send().await.expect_status(200);
    for _ in 0..2 {
        browser.request(&app, "GET", "/api/me").send().await.expect_status(200);
    }
    browser.request(&app, "GET", "/api/me").send().await.expect_problem(429, "rate_limited");
    Browser::signed_in(&app, "ben").await;
}
