//! Answers of the provider, and requests, that sign nobody in.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    CALLBACK, CLIENT_SECRET, START, app_with, assert_failed, browser_of, options, provider::Provider,
};
use crate::{
    jwt::Signer,
    support::{AppOptions, TestApp},
};

#[tokio::test]
async fn only_the_browser_that_began_a_sign_in_ends_it_and_only_once() {
    let provider = Provider::start().await;
    let app = app_with(&provider, &[]).await;
    let (victim, attacker) = (app.begin("").await, app.begin("").await);
    let code = provider.code(&attacker, &provider.claims(&app, &attacker, "eve"));
    let answer = |state: &str| format!("code={code}&state={state}");
    let (own, other) = (attacker.asked["state"].clone(), victim.asked["state"].clone());
    // An attacker has made the link. The browser has no attempt, the victim's, or both.
    for cookie in ["", &victim.cookie, &format!("{}; {}", victim.cookie, attacker.cookie)] {
        for state in [&own, &other, ""] {
            if cookie == victim.cookie && *state == other {
                continue;
            }
            let reply = app.come_back_with(cookie, &answer(state)).await;
            assert_failed(&app, &reply, "expired");
            assert_eq!(reply.header("set-cookie"), "", "the browser keeps its attempt");
        }
    }
    for query in [format!("code={code}"), format!("{}&state={own}", answer(&own)), "x".to_owned()] {
        assert_failed(&app, &app.come_back_with(&attacker.cookie, &query).await, "expired");
    }
    // The attacker's code with the victim's state: the code needs the attacker's PKCE verifier.
    assert_failed(&app, &app.come_back_with(&victim.cookie, &answer(&other)).await, "failed");
    let code = provider.code(&attacker, &provider.claims(&app, &attacker, "eve"));
    let query = format!("code={code}&state={own}");
    let reply = app.come_back_with(&attacker.cookie, &query).await;
    browser_of(&app, &reply, "/settings/mcp").await;
    // A copy of the cookie does not help: the provider accepts a code once.
    assert_failed(&app, &app.come_back_with(&attacker.cookie, &query).await, "failed");
}

#[tokio::test]
async fn a_sign_in_ends_after_ten_minutes() {
    let provider = Provider::start().await;
    let app = app_with(&provider, &[]).await;
    let (in_time, late) = (app.begin("").await, app.begin("").await);
    app.clock.advance(Duration::from_millis(599_999));
    let code = provider.code(&in_time, &provider.claims(&app, &in_time, "ada"));
    browser_of(&app, &app.come_back(&in_time, &code).await, "/settings/mcp").await;
    app.clock.advance(Duration::from_millis(1));
    let code = provider.code(&late, &provider.claims(&app, &late, "ada"));
    assert_failed(&app, &app.come_back(&late, &code).await, "expired");
}

#[tokio::test]
async fn an_error_of_the_provider_leads_to_the_page() {
    let provider = Provider::start().await;
    let app = app_with(&provider, &[]).await;
    for (answer, reason) in [
        ("error=access_denied&error_description=The%20person%20said%20no", "denied"),
        ("error=access_denied&code=x", "denied"),
        ("error=server_error", "failed"),
        ("error=%3Cscript%3E&code=x", "failed"),
        ("code=unknown", "failed"),
        ("", "failed"),
        ("code=x&iss=https%3A%2F%2Fother.example", "failed"),
    ] {
        let pending = app.begin("").await;
        let query = format!("{answer}&state={}", pending.asked["state"]);
        let reply = app.come_back_with(&pending.cookie, &query).await;
        assert_failed(&app, &reply, reason);
        assert!(reply.header("set-cookie").starts_with("svc_sign_in=; "), "{answer}: {reply:?}");
    }
    // The name of the provider itself is accepted.
    let pending = app.begin("").await;
    let code = provider.code(&pending, &provider.claims(&app, &pending, "ada"));
    let query = format!("code={code}&state={}&iss={}", pending.asked["state"], provider.issuer);
    let reply = app.come_back_with(&pending.cookie, &query).await;
    browser_of(&app, &reply, "/settings/mcp").await;
}

/// More bytes than the service reads of a response.
const TOO_LARGE: usize = 2_000_000;

/// A claim and its value. Null: the claim is left out.
const WRONG_CLAIMS: &[(&str, &str)] = &[
    ("iss", r#""https://other.example""#),
    ("iss", "null"),
    ("aud", r#""another-client""#),
    ("aud", r#"["svc-mcp", "another-client"]"#),
    ("aud", "null"),
    ("nonce", r#""another-nonce""#),
    ("nonce", "null"),
    // An hour before the test's clock.
    ("exp", "1794697200"),
    ("exp", "null"),
    ("sub", "null"),
    ("sub", r#""""#),
    ("sub", r#""no user id""#),
];

#[tokio::test]
async fn an_id_token_with_wrong_claims_or_signature_is_refused() {
    let provider = Provider::start().await;
    let app = app_with(&provider, &[]).await;
    for (name, value) in WRONG_CLAIMS {
        let pending = app.begin("").await;
        let mut claims = provider.claims(&app, &pending, "ada");
        let value: Value = serde_json::from_str(value).unwrap();
        match value {
            Value::Null => drop(claims.as_object_mut().unwrap().remove(*name)),
            value => claims[*name] = value,
        }
        let reply = app.come_back(&pending, &provider.code(&pending, &claims)).await;
        assert_eq!(reply.header("location"), format!("{}/settings/mcp#sign-in=failed", app.url), "{claims}");
    }
    let (unknown, secret) = (Signer::rsa(), Signer::Hmac(CLIENT_SECRET.as_bytes().to_vec()));
    for (signer, header) in [
        (&unknown, json!({"alg": "RS256", "kid": "one"})),
        (&unknown, json!({"alg": "RS256", "kid": "two"})),
        (&Signer::Nothing, json!({"alg": "none"})),
        (&secret, json!({"alg": "HS256"})),
        (&secret, json!({"alg": "HS256", "kid": "one"})),
    ] {
        let pending = app.begin("").await;
        let token = signer.token(header.clone(), provider.claims(&app, &pending, "ada"));
        let reply = app.come_back(&pending, &provider.code_for(&pending, &token)).await;
        assert_eq!(reply.header("location"), format!("{}/settings/mcp#sign-in=failed", app.url), "{header}");
    }
    for answer in [
        json!({"access_token": "at-canary", "token_type": "Bearer"}),
        json!({"access_token": "at-canary", "token_type": "Bearer", "id_token": "x"}),
        json!({"id_token": 1}),
        json!([]),
    ] {
        let pending = app.begin("").await;
        let code = provider.code_for_answer(&pending, answer);
        assert_failed(&app, &app.come_back(&pending, &code).await, "failed");
    }
    let pending = app.begin("").await;
    let code = provider.code_for_answer(&pending, json!({"access_token": "x".repeat(TOO_LARGE)}));
    assert_failed(&app, &app.come_back(&pending, &code).await, "unavailable");
    // An ID token of another attempt has another nonce.
    let (pending, other) = (app.begin("").await, app.begin("").await);
    let code = provider.code(&pending, &provider.claims(&app, &other, "ada"));
    assert_failed(&app, &app.come_back(&pending, &code).await, "failed");
}

#[tokio::test]
async fn metadata_of_another_provider_or_without_https_is_refused() {
    let provider = Provider::start().await;
    provider.change(|answers| answers.is_down = true);
    let app = app_with(&provider, &[]).await;
    assert_failed(&app, &app.get(START).send().await, "unavailable");
    provider.change(|answers| answers.is_down = false);
    for metadata in [
        json!({"issuer": "https://other.example"}),
        json!({"issuer": format!("{}/", provider.issuer)}),
        json!({"jwks_uri": "http://keys.example/jwks"}),
        json!({"authorization_endpoint": "http://login.example/authorize"}),
        json!({"token_endpoint": 1}),
        json!({"token_endpoint": null}),
        json!({"token_endpoint": "http://login.example/token"}),
        json!({"jwks_uri": format!("{}/moved", provider.issuer)}),
        json!({"padding": "x".repeat(TOO_LARGE)}),
    ] {
        provider.change(|answers| answers.metadata = metadata.clone());
        // A failure is remembered for 5 seconds.
        app.clock.advance(Duration::from_secs(5));
        let reply = app.get(START).send().await;
        assert_eq!(
            reply.header("location"),
            format!("{}/settings/mcp#sign-in=unavailable", app.url),
            "{}",
            metadata.as_object().unwrap().keys().next().unwrap()
        );
    }
    // Redirects are not followed.
    provider.change(|answers| {
        answers.metadata = json!({"token_endpoint": format!("{}/moved", provider.issuer)});
    });
    app.clock.advance(Duration::from_secs(5));
    assert_failed(&app, &app.sign_in_at(&provider, "ada").await, "failed");
}

#[tokio::test]
async fn an_address_has_60_answers_a_minute() {
    let provider = Provider::start().await;
    let app = TestApp::with(AppOptions { local_rate_limit: true, ..options(&provider, &[]) }).await;
    let pending = app.begin("").await;
    for _ in 0..60 {
        assert_failed(&app, &app.come_back(&pending, "x").await, "failed");
    }
    app.come_back(&pending, "x").await.expect_problem(429, "rate_limited");
    // Without an attempt the provider is not asked, so the limit does not count it.
    assert_failed(&app, &app.get(CALLBACK).send().await, "expired");
}
