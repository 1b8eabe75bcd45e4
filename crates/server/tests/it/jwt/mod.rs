//! Application tokens: with a shared secret, or with public keys from a file or a URL.

mod claims;
mod public_keys;

use aws_lc_rs::{
    rand::SystemRandom,
    rsa,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use serde_json::{Value, json};

use crate::support::{AppOptions, TestApp};

/// One hour after the start of the test's clock, 2026-11-15T00:00:00Z.
const LATER: i64 = 1_794_700_800 + 3600;

pub(crate) enum Signer {
    Rsa(rsa::KeyPair),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
    Hmac(Vec<u8>),
    Nothing,
}

impl Signer {
    pub(crate) fn rsa() -> Self {
        Self::Rsa(rsa::KeyPair::generate(rsa::KeySize::Rsa2048).unwrap())
    }

    pub(crate) fn ec() -> Self {
        Self::Ec(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap())
    }

    fn ed() -> Self {
        Self::Ed(Ed25519KeyPair::generate().unwrap())
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match self {
            Self::Rsa(key) => {
                let mut signature = vec![0; key.public_modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).unwrap();
                signature
            }
            Self::Ec(key) => key.sign(&random, message).unwrap().as_ref().to_vec(),
            Self::Ed(key) => key.sign(message).as_ref().to_vec(),
            Self::Hmac(secret) => {
                let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, secret);
                aws_lc_rs::hmac::sign(&key, message).as_ref().to_vec()
            }
            Self::Nothing => Vec::new(),
        }
    }

    pub(crate) fn jwk(&self, kid: &str) -> Value {
        match self {
            Self::Rsa(key) => {
                let public = key.public_key();
                let (n, e) = (
                    public.modulus().big_endian_without_leading_zero(),
                    public.exponent().big_endian_without_leading_zero(),
                );
                json!({"kty": "RSA", "kid": kid, "use": "sig", "n": BASE64.encode(n), "e": BASE64.encode(e)})
            }
            Self::Ec(key) => {
                let point = key.public_key().as_ref();
                json!({"kty": "EC", "crv": "P-256", "kid": kid, "alg": "ES256", "x": BASE64.encode(&point[1..33]), "y": BASE64.encode(&point[33..])})
            }
            Self::Ed(key) => {
                json!({"kty": "OKP", "crv": "Ed25519", "kid": kid, "x": BASE64.encode(key.public_key().as_ref())})
            }
            Self::Hmac(secret) => {
                json!({"kty": "oct", "kid": kid, "alg": "HS256", "k": BASE64.encode(secret)})
            }
            Self::Nothing => panic!("an unsigned token has no key"),
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "the literals read better without a reference")]
    pub(crate) fn token(&self, header: Value, claims: Value) -> String {
        let message = format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(claims.to_string()));
        format!("{message}.{}", BASE64.encode(self.sign(message.as_bytes())))
    }
}

fn claims() -> Value {
    json!({"sub": "ada", "exp": LATER})
}

fn shared() -> Signer {
    Signer::Hmac(crate::support::JWT_SECRET.as_bytes().to_vec())
}

async fn status(app: &TestApp, token: &str) -> u16 {
    let reply = app.get("/api/me").bearer(token).send().await;
    match reply.status {
        200 => 200,
        _ => reply.expect_problem(401, "token_invalid").status,
    }
}

/// The reason of a refused token, and what to do next.
async fn refusal(app: &TestApp, token: &str) -> (String, String) {
    let reply = app.get("/api/me").bearer(token).send().await.expect_problem(401, "token_invalid");
    assert_eq!(reply.header("www-authenticate"), r#"Bearer realm="svc-mcp", error="invalid_token""#);
    assert!(token.is_empty() || !reply.text.contains(token), "{}", reply.text);
    let text = |name: &str| reply.body[name].as_str().unwrap().to_owned();
    (text("reason"), text("detail"))
}

async fn with_arguments(arguments: Vec<String>, no_jwt_secret: bool) -> TestApp {
    TestApp::with(AppOptions { arguments, no_jwt_secret, empty: true, ..AppOptions::default() }).await
}
