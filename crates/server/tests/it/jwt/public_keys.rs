//! Public keys from a file or a URL.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{Router, routing::get};
use http::StatusCode;
use serde_json::{Value, json};

use super::{LATER, Signer, claims, shared, status, with_arguments};
use crate::support::{AppOptions, BRAND, TestApp, eventually};

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
