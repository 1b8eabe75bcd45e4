//! Sessions with the operator role.

use std::time::Duration;

use serde_json::json;

use super::Browser;
use crate::support::{BRAND, TestApp};

/// Two sessions with the operator role: one started with a token, one with a code.
async fn operators(app: &TestApp) -> [Browser; 2] {
    let token = app.sign("olga", true, Duration::from_hours(24));
    let by_token = app.exchange_token(&token, None, json!({})).await.expect_status(201);
    let by_code = app.exchange_code(&app.code(&token).await, None, json!({})).await.expect_status(201);
    [by_token, by_code].map(|reply| {
        assert_eq!((&reply.body["operator"], &reply.body["expires_in"]), (&json!(true), &json!(3600)));
        assert!(reply.header("set-cookie").contains("; Max-Age=3600;"), "{:?}", reply.headers);
        Browser::of(&reply)
    })
}

#[tokio::test]
async fn a_session_has_the_operator_role_of_its_token_for_an_hour() {
    let app = TestApp::new().await;
    for browser in operators(&app).await {
        for path in ["/api/session", "/api/me"] {
            let reply = browser.request(&app, "GET", path).send().await.expect_status(200);
            assert_eq!(reply.body["operator"], true, "{path}");
        }
        browser.request(&app, "GET", "/api/admin/brands").send().await.expect_status(200);
        // As with the token, brands stay closed to operators who are no members.
        let keys = browser.request(&app, "GET", &format!("/api/brands/{BRAND}/mcp-keys")).send().await;
        keys.expect_problem(404, "not_found");
    }
    let [browser, _] = operators(&app).await;
    app.clock.advance(Duration::from_millis(3_599_999));
    browser.request(&app, "GET", "/api/admin/brands").send().await.expect_status(200);
    app.clock.advance(Duration::from_millis(1));
    let ended = browser.request(&app, "GET", "/api/admin/brands").send().await;
    ended.expect_problem(401, "session_ended");
}

#[tokio::test]
async fn an_operators_session_ends_with_its_token_and_when_the_person_signs_out() {
    let app = TestApp::new().await;
    let token = app.sign("olga", true, Duration::from_mins(5));
    let reply = app.exchange_token(&token, None, json!({})).await.expect_status(201);
    assert_eq!(reply.body["expires_in"], 300);
    let browser = Browser::of(&reply);
    browser.request(&app, "DELETE", "/api/session").send().await.expect_status(204);
    let ended = browser.request(&app, "GET", "/api/admin/brands").send().await;
    ended.expect_problem(401, "session_ended");
}

#[tokio::test]
async fn other_sessions_of_the_same_person_do_not_have_the_operator_role() {
    let app = TestApp::new().await;
    let without_role = app.sign("olga", false, Duration::from_hours(1));
    let [operator, _] = operators(&app).await;
    // The role belongs to the session, not to the user. A new sign-in without the role has no role.
    let reply = app.exchange_token(&without_role, Some(&operator), json!({})).await.expect_status(201);
    assert_eq!(reply.body["operator"], false);
    let browser = Browser::of(&reply);
    let refused = browser.request(&app, "GET", "/api/admin/brands").send().await;
    refused.expect_problem(403, "not_operator");
    let ended = operator.request(&app, "GET", "/api/admin/brands").send().await;
    ended.expect_problem(401, "session_ended");
}

#[tokio::test]
async fn only_the_services_own_pages_use_an_operators_session() {
    let app = TestApp::new().await;
    let [browser, _] = operators(&app).await;
    let suspend = format!("/api/admin/brands/{BRAND}/suspend");
    for site in ["cross-site", "same-site", "none"] {
        let read = browser.request_from(&app, "GET", "/api/admin/brands", site).send().await;
        read.expect_problem(403, "cross_origin");
        browser.request_from(&app, "POST", &suspend, site).send().await.expect_problem(403, "cross_origin");
    }
    let without_headers = app.get("/api/admin/brands").header("cookie", &browser.cookie).send().await;
    without_headers.expect_problem(403, "cross_origin");
    let code = browser.request(&app, "POST", "/api/sign-in-codes").send().await;
    code.expect_problem(401, "credential_missing");
    // If a request has a token, its cookie does not count.
    let member = browser.request(&app, "GET", "/api/admin/brands").bearer(&app.token("ada")).send().await;
    member.expect_problem(403, "not_operator");
    let brand = app.get(&format!("/api/admin/brands/{BRAND}")).bearer(&app.operator()).send().await;
    assert_eq!(brand.expect_status(200).body["status"], "active", "nothing was changed");
}

#[tokio::test]
async fn an_operator_ends_all_sessions_and_codes_of_a_user() {
    let app = TestApp::new().await;
    let [operator, _] = operators(&app).await;
    let (one, two) = (Browser::signed_in(&app, "ben").await, Browser::signed_in(&app, "ben").await);
    let ada = Browser::signed_in(&app, "ada").await;
    let code = app.code(&app.token("ben")).await;
    let path = "/api/admin/users/ben/end-sessions";
    for refused in [&one, &ada] {
        refused.request(&app, "POST", path).send().await.expect_problem(403, "not_operator");
    }
    let end = || operator.request(&app, "POST", path).send();
    assert_eq!(end().await.expect_status(200).body, json!({"sessions": 2}));
    assert_eq!((one.user(&app).await, two.user(&app).await), (None, None));
    app.exchange_code(&code, None, json!({})).await.expect_problem(401, "sign_in_code_invalid");
    assert_eq!(ada.user(&app).await.as_deref(), Some("ada"));
    assert_eq!(operator.user(&app).await.as_deref(), Some("olga"));
    // Ben can sign in again. Nothing is recorded if no session ends.
    app.clock.advance(Duration::from_secs(1));
    Browser::signed_in(&app, "ben").await;
    assert_eq!(end().await.expect_status(200).body, json!({"sessions": 1}));
    assert_eq!(end().await.expect_status(200).body, json!({"sessions": 0}));
    let log = "/api/admin/audit?action=sessions.end";
    let log = operator.request(&app, "GET", log).send().await.expect_status(200);
    let records = log.body["records"].as_array().unwrap();
    let found: Vec<_> = records.iter().map(|record| (&record["target"], &record["before"])).collect();
    let target = json!({"kind": "sessions", "id": "ben"});
    let (first, second) = (json!({"sessions": 2, "codes": 1}), json!({"sessions": 1, "codes": 0}));
    assert_eq!(found, [(&target, &first), (&target, &second)]);
}

#[tokio::test]
async fn the_audit_log_names_the_person_of_the_session() {
    let app = TestApp::new().await;
    let [browser, _] = operators(&app).await;
    let path = format!("/api/admin/brands/{BRAND}/suspend");
    browser.request(&app, "POST", &path).send().await.expect_status(200);
    let path = "/api/admin/audit?actor=olga&action=brand.suspend";
    let log = browser.request(&app, "GET", path).send().await.expect_status(200);
    let record = &log.body["records"][0];
    assert_eq!((&record["actor"], &record["role"]), (&json!("olga"), &json!("operator")), "{record}");
    assert_eq!(record["action"], "brand.suspend", "{record}");
}
