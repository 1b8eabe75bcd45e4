//! Application tokens: with a shared secret, or with public keys from a file or a URL.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use aws_lc_rs::{
    rand::SystemRandom,
    rsa,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256},
};
use axum::{Router, routing::get};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{AppOptions, BRAND, TestApp, eventually};

/// One hour after the start of the test's clock, 2026-11-15T00:00:00Z.
const LATER: i64 = 1_794_700_800 + 3600;

enum Signer {
    Rsa(rsa::KeyPair),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
    Hmac(Vec<u8>),
    Nothing,
}

impl Signer {
    fn rsa() -> Self {
        Self::Rsa(rsa::KeyPair::generate(rsa::KeySize::Rsa2048).unwrap())
    }

    fn ec() -> Self {
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

    fn jwk(&self, kid: &str) -> Value {
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
    fn token(&self, header: Value, claims: Value) -> String {
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

async fn with_arguments(arguments: Vec<String>, no_jwt_secret: bool) -> TestApp {
    TestApp::with(AppOptions { arguments, no_jwt_secret, empty: true, ..AppOptions::default() }).await
}

#[tokio::test]
async fn shared_secret_accepts_only_hs256() {
    let app = with_arguments(Vec::new(), false).await;
    let hs256 = json!({"alg": "HS256", "typ": "JWT"});
    assert_eq!(status(&app, &shared().token(hs256.clone(), claims())).await, 200);
    for alg in ["HS384", "HS512", "none", "RS256", "hs256", ""] {
        assert_eq!(status(&app, &shared().token(json!({"alg": alg}), claims())).await, 401, "{alg}");
    }
    assert_eq!(status(&app, &Signer::Nothing.token(json!({"alg": "none"}), claims())).await, 401);
    assert_eq!(status(&app, &Signer::Nothing.token(hs256.clone(), claims())).await, 401);
    assert_eq!(
        status(&app, &Signer::Hmac(b"another secret, also long enough".to_vec()).token(hs256, claims()))
            .await,
        401
    );
}

#[tokio::test]
async fn required_claims_and_times_are_checked() {
    let app = with_arguments(Vec::new(), false).await;
    let begin = LATER - 3600;
    let hs256 = || json!({"alg": "HS256"});
    for (claims, expected) in [
        (json!({"sub": "ada"}), 401),
        (json!({"exp": LATER}), 401),
        (json!({"sub": "", "exp": LATER}), 401),
        (json!({"sub": "a b", "exp": LATER}), 401),
        (json!({"sub": 7, "exp": LATER}), 401),
        (json!({"sub": "ada", "exp": "soon"}), 401),
        (json!({"sub": "ada", "exp": begin - 30}), 401),
        (json!({"sub": "ada", "exp": begin - 29}), 200),
        (json!({"sub": "ada", "exp": LATER, "nbf": begin + 31}), 401),
        (json!({"sub": "ada", "exp": LATER, "nbf": begin + 30}), 200),
        (json!({"sub": "ada", "exp": i64::MAX}), 200),
        (json!({"sub": "ada", "exp": LATER, "iss": "anyone", "aud": "anything"}), 200),
        (json!([]), 401),
    ] {
        assert_eq!(status(&app, &shared().token(hs256(), claims.clone())).await, expected, "{claims}");
    }
    let long = json!({"sub": "ada", "exp": LATER, "padding": "x".repeat(9000)});
    assert_eq!(status(&app, &shared().token(hs256(), long)).await, 401);
    for garbage in ["", ".", "..", "a.b.c", "ey.ey.ey"] {
        assert_eq!(status(&app, garbage).await, 401, "{garbage}");
    }
}

#[tokio::test]
async fn configured_issuer_and_audience_are_checked() {
    let arguments = vec!["--jwt-issuer=https://app.example".into(), "--jwt-audience=svc".into()];
    let app = with_arguments(arguments, false).await;
    for (iss, aud, expected) in [
        (json!("https://app.example"), json!("svc"), 200),
        (json!("https://app.example"), json!(["other", "svc"]), 200),
        (json!("https://app.example"), json!("other"), 401),
        (json!("https://app.example"), Value::Null, 401),
        (json!("https://evil.example"), json!("svc"), 401),
        (Value::Null, json!("svc"), 401),
    ] {
        let mut claims = claims();
        for (name, value) in [("iss", &iss), ("aud", &aud)] {
            if !value.is_null() {
                claims[name] = value.clone();
            }
        }
        assert_eq!(
            status(&app, &shared().token(json!({"alg": "HS256"}), claims)).await,
            expected,
            "{iss} {aud}"
        );
    }
}

#[tokio::test]
async fn operator_role_is_a_claim() {
    let app = with_arguments(Vec::new(), false).await;
    for (role, expected) in [("operator", 404), ("Operator", 403), ("admin", 403)] {
        let token =
            shared().token(json!({"alg": "HS256"}), json!({"sub": "ada", "exp": LATER, "svc_role": role}));
        assert_eq!(app.get("/api/admin/plans/none").bearer(&token).send().await.status, expected, "{role}");
    }
}

#[tokio::test]
async fn each_key_of_a_file_accepts_only_its_algorithm() {
    let (rsa, ec, ed) = (Signer::rsa(), Signer::ec(), Signer::ed());
    let secret = Signer::Hmac(b"a secret has no place in a published set".to_vec());
    let set = json!({"keys": [rsa.jwk("r"), ec.jwk("e"), ed.jwk("d"), secret.jwk("s")]});
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("jwks.json");
    std::fs::write(&file, set.to_string()).unwrap();
    let app = with_arguments(vec![format!("--jwt-jwks-file={}", file.display())], true).await;
    for (signer, alg, kid, expected) in [
        (&rsa, "RS256", "r", 200),
        (&ec, "ES256", "e", 200),
        (&ed, "EdDSA", "d", 200),
        (&rsa, "RS256", "e", 401),
        (&rsa, "RS384", "r", 401),
        (&ec, "ES256", "r", 401),
        (&ec, "EdDSA", "d", 401),
        (&secret, "HS256", "s", 401),
        (&Signer::rsa(), "RS256", "r", 401),
        (&Signer::Nothing, "none", "r", 401),
    ] {
        let token = signer.token(json!({"alg": alg, "kid": kid}), claims());
        assert_eq!(status(&app, &token).await, expected, "{alg} {kid}");
    }
    // A known attack: the public key is used as the secret of HMAC.
    let public = serde_json::to_vec(&rsa.jwk("r")).unwrap();
    let confused = Signer::Hmac(public).token(json!({"alg": "HS256", "kid": "r"}), claims());
    assert_eq!(status(&app, &confused).await, 401);
    // Without a kid the key is ambiguous.
    assert_eq!(status(&app, &rsa.token(json!({"alg": "RS256"}), claims())).await, 401);
    // The shared secret is not accepted here.
    assert_eq!(status(&app, &shared().token(json!({"alg": "HS256"}), claims())).await, 401);
}

/// A server of public keys. It counts requests.
struct Publisher {
    address: String,
    /// `None`: the server answers 503.
    set: Arc<Mutex<Option<Value>>>,
    requested: Arc<AtomicUsize>,
}

impl Publisher {
    async fn start(set: Option<Value>) -> Self {
        let (set, requested) = (Arc::new(Mutex::new(set)), Arc::new(AtomicUsize::new(0)));
        let (shown, counted) = (Arc::clone(&set), Arc::clone(&requested));
        let answer = move || {
            counted.fetch_add(1, Ordering::SeqCst);
            let set = shown.lock().unwrap().clone();
            async move { set.map(|set| set.to_string()).ok_or(StatusCode::SERVICE_UNAVAILABLE) }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/jwks.json", listener.local_addr().unwrap());
        let router = Router::new().route("/jwks.json", get(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, set, requested }
    }

    fn publish(&self, set: Option<Value>) {
        *self.set.lock().unwrap() = set;
    }

    fn request_count(&self) -> usize {
        self.requested.load(Ordering::SeqCst)
    }
}

#[tokio::test]
async fn public_keys_are_cached_and_refreshed() {
    let (old, new) = (Signer::ed(), Signer::ec());
    let publisher = Publisher::start(Some(json!({"keys": [old.jwk("old")]}))).await;
    let app = with_arguments(vec![format!("--jwt-jwks-url={}", publisher.address)], true).await;
    let with_old = old.token(json!({"alg": "EdDSA", "kid": "old"}), claims());
    let with_new = new.token(json!({"alg": "ES256", "kid": "new"}), claims());
    for _ in 0..5 {
        assert_eq!(status(&app, &with_old).await, 200);
    }
    assert_eq!(publisher.request_count(), 1);
    publisher.publish(Some(json!({"keys": [old.jwk("old"), new.jwk("new")]})));
    // An unknown kid fetches the keys at most every 30 s.
    for _ in 0..5 {
        assert_eq!(status(&app, &with_new).await, 401);
    }
    assert_eq!(publisher.request_count(), 1);
    app.clock.advance(Duration::from_secs(30));
    for _ in 0..5 {
        assert_eq!(status(&app, &with_new).await, 200);
    }
    assert_eq!(publisher.request_count(), 2);
    // A removed key is refused after the next refresh.
    publisher.publish(Some(json!({"keys": [new.jwk("new")]})));
    app.clock.advance(Duration::from_mins(10));
    // The background task may read the set at this moment.
    eventually("the removed key is refused", async || (status(&app, &with_old).await == 401).then_some(()))
        .await;
    assert_eq!(status(&app, &with_new).await, 200);
    // After an invalid response the known keys stay in use.
    publisher.publish(Some(json!("nonsense")));
    app.clock.advance(Duration::from_mins(10));
    assert_eq!(status(&app, &with_new).await, 200);
}

async fn readyz(app: &TestApp) -> String {
    app.get("/readyz").send().await.expect_status(200).text
}

/// Application tokens cannot be checked: 503 says so, and the service stays ready for MCP keys.
async fn assert_tokens_are_refused(app: &TestApp, token: &str) {
    let reply = app.get("/api/me").bearer(token).send().await.expect_problem(503, "unavailable");
    assert!(reply.body["detail"].as_str().unwrap().contains("JWK set"), "{reply:?}");
    assert_eq!(reply.header("retry-after"), "60");
    assert!(readyz(app).await.contains("JWK set"));
}

async fn wait_for_200(app: &TestApp, token: &str) {
    eventually("200 from /api/me", async || {
        (app.get("/api/me").bearer(token).send().await.status == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn service_starts_without_its_public_keys_and_reads_them_later() {
    let signer = Signer::ed();
    let publisher = Publisher::start(None).await;
    let app = with_arguments(vec![format!("--jwt-jwks-url={}", publisher.address)], true).await;
    let token = signer.token(json!({"alg": "EdDSA", "kid": "one"}), claims());
    assert_tokens_are_refused(&app, &token).await;
    assert_eq!(status(&app, "no token").await, 401);
    // Requests do not fetch the set: that is left to the background task and its growing delay.
    let before = publisher.request_count();
    for _ in 0..20 {
        assert_tokens_are_refused(&app, &token).await;
    }
    assert!(publisher.request_count() < before + 20);
    eventually("a second request for the set", async || (publisher.request_count() > 1).then_some(())).await;
    publisher.publish(Some(json!({"keys": [signer.jwk("one")]})));
    wait_for_200(&app, &token).await;
    assert_eq!(readyz(&app).await, "ready\n");
}

#[tokio::test]
async fn public_keys_are_not_trusted_beyond_their_largest_age() {
    let signer = Signer::ed();
    let set = json!({"keys": [signer.jwk("one")]});
    let publisher = Publisher::start(Some(set.clone())).await;
    let arguments =
        vec![format!("--jwt-jwks-url={}", publisher.address), "--jwt-jwks-max-age=7200".to_owned()];
    let options = AppOptions { arguments, no_jwt_secret: true, empty: true, ..AppOptions::default() };
    let app = TestApp::with(options).await;
    let token = |claims: Value| signer.token(json!({"alg": "EdDSA", "kid": "one"}), claims);
    let operator = token(json!({"sub": "root", "exp": LATER + 86_400, "svc_role": "operator"}));
    let ada = token(json!({"sub": "ada", "exp": LATER + 86_400}));
    let put = async |path: String, body: Value| {
        app.put(&path).bearer(&operator).json(&body).await.expect_status(200);
    };
    put("/api/admin/plans/business".into(), json!({"name": "Business", "mcp_enabled": true})).await;
    let brand = json!({"name": "Acme", "website": "https://acme.example", "plan_id": "business"});
    put(format!("/api/admin/brands/{BRAND}"), brand).await;
    put(format!("/api/admin/brands/{BRAND}/members/ada"), json!({"role": "admin"})).await;
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    let created = app.post(&keys).bearer(&ada).json(&json!({"label": "agent"})).await.expect_status(201);
    let key = created.body["api_key"].as_str().unwrap().to_owned();

    publisher.publish(None);
    app.clock.advance(Duration::from_secs(7199));
    app.get("/api/me").bearer(&ada).send().await.expect_status(200);
    assert_eq!(readyz(&app).await, "ready\n");
    app.clock.advance(Duration::from_secs(1));
    assert_tokens_are_refused(&app, &ada).await;
    // An MCP key needs no application token.
    app.list_tools(&key).await.expect_status(200);
    publisher.publish(Some(set));
    wait_for_200(&app, &ada).await;
}
