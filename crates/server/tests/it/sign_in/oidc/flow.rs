//! Sign-ins at the provider, from the first redirect to the session.

use std::time::Duration;

use serde_json::json;

use super::{
    CALLBACK, CLIENT_ID, START, app_with, assert_failed, browser_of, fragment, options, provider::Provider,
};
use crate::{
    jwt::Signer,
    sign_in::Browser,
    support::{AppOptions, BRAND, TestApp},
};

#[tokio::test]
async fn a_person_signs_in_at_the_provider_and_returns_to_the_page() {
    let provider = Provider::start().await;
    let app = app_with(&provider, &[]).await;
    let page = "/settings/mcp?brand=acme&view=posts";
    let pending = app.begin("?return=%2Fsettings%2Fmcp%3Fbrand%3Dacme%26view%3Dposts").await;
    let asked = |name: &str| pending.asked.get(name).map(String::as_str);
    assert_eq!(asked("response_type"), Some("code"));
    assert_eq!(asked("client_id"), Some(CLIENT_ID));
    assert_eq!(asked("scope"), Some("openid"));
    assert_eq!(asked("code_challenge_method"), Some("S256"));
    assert_eq!(asked("redirect_uri"), Some(format!("{}{CALLBACK}", app.url).as_str()));
    let values = ["state", "nonce", "code_challenge"].map(|name| asked(name).unwrap().to_owned());
    assert!(values.iter().all(|value| value.len() == 43), "{values:?}");
    let again = app.begin("").await;
    assert!(values.iter().all(|value| again.asked.values().all(|other| other != value)));

    let code = provider.code(&pending, &provider.claims(&app, &pending, "ben"));
    let reply = app.come_back(&pending, &code).await;
    assert_eq!(
        reply.header("set-cookie"),
        "svc_sign_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
        "an attempt is answered once, and the session starts on the page"
    );
    let browser = browser_of(&app, &reply, page).await;
    let session = browser.request(&app, "GET", "/api/session").send().await.expect_status(200);
    // The ID token expires after 5 minutes. The session does not.
    let expected = json!({"user_id": "ben", "operator": false,
        "expires_at": "2026-11-15T12:00:00.000Z", "expires_in": 43_200});
    assert_eq!(session.body, expected);
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    browser.request(&app, "GET", &keys).send().await.expect_status(200);
    browser.request(&app, "GET", "/api/admin/brands").send().await.expect_problem(403, "not_operator");
    assert_eq!(provider.reads(), 1, "the metadata is cached");
}

#[tokio::test]
async fn the_operator_claim_of_the_id_token_makes_an_operators_session() {
    let provider = Provider::start().await;
    // Without the users of the other tests: their operator has another claim.
    let with_claim = options(&provider, &["--jwt-operator-claim=realm_access.roles=operator"]);
    let app = TestApp::with(AppOptions { empty: true, ..with_claim }).await;
    for (claim, operator, seconds) in [
        (json!({"realm_access": {"roles": ["user", "operator"]}}), true, 3_600),
        (json!({"realm_access": {"roles": ["user"]}}), false, 43_200),
        (json!({"svc_role": "operator"}), false, 43_200),
    ] {
        let pending = app.begin("?return=/operator").await;
        let mut claims = provider.claims(&app, &pending, "olga");
        claims.as_object_mut().unwrap().extend(claim.as_object().unwrap().clone());
        let reply = app.come_back(&pending, &provider.code(&pending, &claims)).await;
        let browser = browser_of(&app, &reply, "/operator").await;
        let session = browser.request(&app, "GET", "/api/session").send().await.expect_status(200);
        let found = (&session.body["operator"], &session.body["expires_in"]);
        assert_eq!(found, (&json!(operator), &json!(seconds)), "{claim}");
        let brands = browser.request(&app, "GET", "/api/admin/brands").send().await;
        assert_eq!(brands.status, if operator { 200 } else { 403 }, "{claim}");
    }
}

#[tokio::test]
async fn another_instance_finishes_a_sign_in() {
    let provider = Provider::start().await;
    let public_url = "http://127.0.0.1:9";
    let app = app_with(&provider, &[&format!("--public-url={public_url}")]).await;
    let pending = app.begin("").await;
    let code = provider.code(&pending, &provider.claims(&app, &pending, "ada"));
    // The process that started the sign-in has ended.
    let app = app.restart_with("--shutdown-grace=1").await;
    let reply = app.come_back(&pending, &code).await.expect_status(303);
    let code = reply.header("location").strip_prefix(&format!("{public_url}/settings/mcp#code=")).unwrap();
    let reply = app.exchange_code(code, None, json!({})).await.expect_status(201);
    assert_eq!(Browser::of(&reply).user(&app).await.as_deref(), Some("ada"));
}

#[tokio::test]
async fn a_sign_in_never_leads_to_another_site() {
    let provider = Provider::start().await;
    let app = app_with(&provider, &[]).await;
    for path in ["//evil.example", "https%3A%2F%2Fevil.example%2Foperator", "/docs", "/operator%23code=x", ""]
    {
        let pending = app.begin(&format!("?return={path}")).await;
        let code = provider.code(&pending, &provider.claims(&app, &pending, "ada"));
        let reply = app.come_back(&pending, &code).await;
        assert!(fragment(&app, &reply, "/settings/mcp").starts_with("code="), "{path}");
    }
    let unknown = app.get(&format!("{START}?next=/operator")).send().await;
    assert_eq!(unknown.expect_problem(422, "invalid_request").faulty_fields(), ["next"]);
}

#[tokio::test]
async fn another_users_session_is_replaced_only_on_request() {
    let provider = Provider::start().await;
    let app = app_with(&provider, &[]).await;
    let ada = Browser::signed_in(&app, "ada").await;
    let reply = app.sign_in_at(&provider, "ben").await;
    let code = fragment(&app, &reply, "/settings/mcp").strip_prefix("code=").unwrap();
    let refused = app.exchange_code(code, Some(&ada), json!({})).await;
    refused.expect_problem(409, "other_user_signed_in");
    assert_eq!(ada.user(&app).await.as_deref(), Some("ada"));
    app.exchange_code(code, Some(&ada), json!({"replace": true})).await.expect_status(201);
    assert_eq!(ada.user(&app).await, None);
}

#[tokio::test]
async fn the_service_starts_without_its_provider_and_uses_it_later() {
    let provider = Provider::start().await;
    provider.change(|answers| answers.is_down = true);
    let app = app_with(&provider, &[]).await;
    app.get("/readyz").send().await.expect_status(200);
    for _ in 0..3 {
        let reply = app.get(START).send().await;
        assert_failed(&app, &reply, "unavailable");
        assert_eq!(reply.header("set-cookie"), "");
    }
    assert_eq!(provider.reads(), 0);
    provider.change(|answers| answers.is_down = false);
    // The service waits before it asks the provider again.
    assert_failed(&app, &app.get(START).send().await, "unavailable");
    app.clock.advance(Duration::from_secs(5));
    browser_of(&app, &app.sign_in_at(&provider, "ada").await, "/settings/mcp").await;

    // Old metadata is used while the provider is down, for a day. The exchange itself needs the provider.
    provider.change(|answers| answers.is_down = true);
    app.clock.advance(Duration::from_hours(23));
    let pending = app.begin("").await;
    let code = provider.code(&pending, &provider.claims(&app, &pending, "ada"));
    assert_failed(&app, &app.come_back(&pending, &code).await, "unavailable");
    app.clock.advance(Duration::from_hours(2));
    assert_failed(&app, &app.get(START).send().await, "unavailable");
}

#[tokio::test]
async fn new_keys_of_the_provider_are_read() {
    let provider = Provider::start().await;
    let app = app_with(&provider, &[]).await;
    browser_of(&app, &app.sign_in_at(&provider, "ada").await, "/settings/mcp").await;
    let new = Signer::ec();
    provider.change(|answers| answers.published = json!({"keys": [new.jwk("two")]}));
    let sign_in = async || {
        let pending = app.begin("").await;
        let claims = provider.claims(&app, &pending, "ada");
        let code = provider.code_for(&pending, &new.token(json!({"alg": "ES256", "kid": "two"}), claims));
        app.come_back(&pending, &code).await
    };
    assert_failed(&app, &sign_in().await, "failed");
    app.clock.advance(Duration::from_secs(30));
    browser_of(&app, &sign_in().await, "/settings/mcp").await;
    assert_eq!(provider.reads(), 2);
    // The old key is not published any more.
    assert_failed(&app, &app.sign_in_at(&provider, "ada").await, "failed");
}

#[tokio::test]
async fn client_secret_is_sent_in_the_header_or_in_the_body() {
    let provider = Provider::start().await;
    for (methods, place) in [
        (json!(null), "header"),
        (json!(["client_secret_post", "client_secret_basic"]), "header"),
        (json!(["client_secret_post"]), "body"),
    ] {
        provider
            .change(|answers| answers.metadata = json!({"token_endpoint_auth_methods_supported": methods}));
        let app = app_with(&provider, &[]).await;
        browser_of(&app, &app.sign_in_at(&provider, "ada").await, "/settings/mcp").await;
        assert_eq!(provider.secret_in(), place);
    }
}

#[tokio::test]
async fn pages_and_routes_offer_the_sign_in_only_with_a_provider() {
    let provider = Provider::start().await;
    let app = app_with(&provider, &[]).await;
    let meta = |url: &str| format!(r#"<meta name="oidc-url" content="{url}">"#);
    for page in ["/settings/mcp", "/operator"] {
        let shown = app.get(page).send().await.expect_status(200).text;
        assert!(shown.contains(&meta(&format!("{}{START}", app.url))), "{shown}");
    }
    let app = TestApp::new().await;
    for page in ["/settings/mcp", "/operator"] {
        let shown = app.get(page).send().await.expect_status(200).text;
        assert!(shown.contains(&meta("")), "{shown}");
    }
    for path in [START, CALLBACK] {
        app.get(path).send().await.expect_problem(404, "not_found");
    }
}
