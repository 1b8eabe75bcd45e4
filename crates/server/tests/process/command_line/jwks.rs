//! Tokens signed by another application, verified with a JWK set in a file or at a URL.

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, KeyPair},
};
use axum::Router;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use svc_mcp_testkit::{free_port, raw_get};

use crate::support::{Sandbox, Service, eventually};

/// A key pair, and its public key as a JWK.
pub(crate) fn key_pair(kid: &str) -> (Ed25519KeyPair, Value) {
    let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key pair");
    let pair = Ed25519KeyPair::from_pkcs8(document.as_ref()).expect("a key pair");
    let x = BASE64_URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
    let jwk = json!({"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": kid, "x": x});
    (pair, jwk)
}

pub(crate) fn signed(pair: &Ed25519KeyPair, kid: &str, user: &str) -> String {
    let encoded = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let head = encoded(json!({"alg": "EdDSA", "typ": "JWT", "kid": kid}));
    let claims = encoded(json!({"sub": user, "exp": 4_000_000_000_u64}));
    let text = format!("{head}.{claims}");
    let signature = BASE64_URL_SAFE_NO_PAD.encode(pair.sign(text.as_bytes()).as_ref());
    format!("{text}.{signature}")
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_checked_by_a_jwk_set_in_a_file() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let own = sandbox.token("ada");
    let (pair, jwk) = key_pair("one");
    let (stranger, _) = key_pair("one");
    let file = sandbox.path("keys.json");
    std::fs::write(&file, json!({"keys": [jwk]}).to_string()).expect("the file is written");
    let sandbox = sandbox.with("SVC_JWT_JWKS_FILE", &file.to_string_lossy());
    let service = sandbox.serve(&[]);
    let me = service.api(&signed(&pair, "one", "ada")).get("/api/me").await.expect_status(200).json();
    assert_eq!(me["brands"][0]["brand_id"], "acme", "{me}");
    for wrong in [signed(&stranger, "one", "ada"), signed(&pair, "two", "ada"), own] {
        assert_eq!(service.api(&wrong).get("/api/me").await.expect_status(401).code(), "token_invalid");
    }
    let message = sandbox.expect_failure(&["token", "--user", "ada"]);
    assert!(message.contains("private key"), "{message}");
}

#[test]
fn unusable_jwk_set_prevents_the_start() {
    let sandbox = Sandbox::sqlite();
    let file = sandbox.path("keys.json");
    let sandbox = sandbox.with("SVC_JWT_JWKS_FILE", &file.to_string_lossy());
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    assert!(sandbox.expect_failure(&serve).contains("JWK set"));
    for wrong in ["", "{}", r#"{"keys": []}"#, r#"{"keys": [{"kty": "oct", "k": "AAAA", "alg": "HS256"}]}"#] {
        std::fs::write(&file, wrong).expect("the file is written");
        let message = sandbox.expect_failure(&serve);
        assert!(message.contains("JWK set"), "{wrong}: {message}");
    }
    std::fs::write(&file, json!({"keys": [key_pair("one").1]}).to_string()).expect("the file is written");
    let message = sandbox
        .with("SVC_JWT_SECRET", "a-secret-that-is-long-enough-for-anything")
        .expect_usage_error(&serve);
    assert!(message.contains("--jwt-secret") && message.contains("--jwt-jwks-file"), "{message}");
}

/// Answers every request on this port with a JWK set.
pub(crate) async fn publish(port: u16, jwk: Value) {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
    let set = json!({"keys": [jwk]}).to_string();
    let router = Router::new().fallback(move || async move { set });
    tokio::spawn(async move { axum::serve(listener, router).await });
}

async fn wait_for_200(service: &Service, token: &str) {
    eventually("200 from /api/me", async || {
        (service.api(token).get("/api/me").await.status == 200).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_work_while_the_jwk_set_cannot_be_fetched() {
    let sandbox = Sandbox::sqlite();
    sandbox.add_brand("acme", "ada");
    let service = sandbox.serve(&[]);
    let key = service.api(&sandbox.token("ada")).key("acme", "read").await.secret;
    service.stop();

    let (port, metrics) = (free_port(), free_port());
    let sandbox = sandbox.with("SVC_JWT_JWKS_URL", &format!("http://127.0.0.1:{port}/jwks.json"));
    let service = sandbox.serve(&["--metrics-listen", &format!("127.0.0.1:{metrics}")]);
    let wait_for_metric = async |line: &str| {
        eventually(line, async || {
            let (_, text) = raw_get(([127, 0, 0, 1], metrics).into(), "/metrics").await?;
            text.lines().any(|known| known == line || known.starts_with(&format!("{line} "))).then_some(())
        })
        .await;
    };
    let (pair, jwk) = key_pair("one");
    let token = signed(&pair, "one", "ada");
    let refused = service.api(&token).get("/api/me").await.expect_status(503);
    assert_eq!(refused.code(), "unavailable");
    assert!(refused.text.contains("JWK set"), "{refused:?}");
    let ready = service.api("").get("/readyz").await.expect_status(200);
    assert!(ready.text.contains("JWK set"), "{ready:?}");
    service.api(&key).list_tools().await.expect_status(200);
    wait_for_metric("svc_mcp_jwks_usable 0").await;
    assert!(service.log().contains("application tokens are refused"), "{}", service.log());

    publish(port, jwk).await;
    wait_for_200(&service, &token).await;
    assert_eq!(service.api("").get("/readyz").await.expect_status(200).text, "ready\n");
    wait_for_metric("svc_mcp_jwks_usable 1").await;
    wait_for_metric("svc_mcp_jwks_age_seconds").await;
    wait_for_metric("svc_mcp_outage{of=\"jwks\"} 0").await;
    let log = service.stop();
    for message in ["outage begins", "outage ended"] {
        assert_eq!(log.matches(message).count(), 1, "each failed attempt has a line: {log}");
    }
}

/// A proxy could answer with keys of its own.
#[tokio::test(flavor = "multi_thread")]
async fn jwk_set_is_not_fetched_through_a_proxy_of_the_environment() {
    let (pair, jwk) = key_pair("one");
    let (stranger, strange_jwk) = key_pair("one");
    let (port, proxy) = (free_port(), free_port());
    publish(port, jwk).await;
    publish(proxy, strange_jwk).await;
    let mut sandbox =
        Sandbox::sqlite().with("SVC_JWT_JWKS_URL", &format!("http://127.0.0.1:{port}/jwks.json"));
    for variable in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        sandbox.set(variable, &format!("http://127.0.0.1:{proxy}"));
    }
    for variable in ["no_proxy", "NO_PROXY"] {
        sandbox.set(variable, "");
    }
    let service = sandbox.serve(&[]);
    wait_for_200(&service, &signed(&pair, "one", "ada")).await;
    service.api(&signed(&stranger, "one", "ada")).get("/api/me").await.expect_status(401);
    service.stop();
}
