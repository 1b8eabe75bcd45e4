//! Tokens signed by another application, verified with a JWK set in a file.

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{Ed25519KeyPair, KeyPair},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use crate::support::Sandbox;

/// A key pair, and its public key as a JWK.
fn key_pair(kid: &str) -> (Ed25519KeyPair, Value) {
    let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key pair");
    let pair = Ed25519KeyPair::from_pkcs8(document.as_ref()).expect("a key pair");
    let x = BASE64_URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
    let jwk = json!({"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": kid, "x": x});
    (pair, jwk)
}

fn signed(pair: &Ed25519KeyPair, kid: &str, user: &str) -> String {
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
