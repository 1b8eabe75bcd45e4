//! Sign-ins with an OpenID Connect provider: one that works, and some that are refused.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use aws_lc_rs::signature::Ed25519KeyPair;
use axum::{
    Json, Router,
    routing::{get, post},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use reqwest::header;
use serde_json::{Value, json};
use url::{Url, form_urlencoded};

use super::SecretScanner;
use crate::{
    command_line::jwks::key_pair,
    support::{Service, send},
};

const CLIENT_SECRET: &str = "the-secret-of-the-oidc-client";
const ACCESS_TOKEN: &str = "the-access-token-of-the-provider";

/// The next answer of the token endpoint, and the last request to it.
#[derive(Default)]
struct Exchange {
    answer: Value,
    sent: HashMap<String, String>,
}

pub(super) struct Provider {
    issuer: String,
    key: Ed25519KeyPair,
    exchange: Arc<Mutex<Exchange>>,
}

impl Provider {
    pub(super) async fn start(scanner: &mut SecretScanner) -> Self {
        scanner.add("the client's secret", CLIENT_SECRET);
        scanner.add("the access token", ACCESS_TOKEN);
        let (key, jwk) = key_pair("one");
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let issuer = format!("http://{}", listener.local_addr().expect("an address"));
        let metadata = json!({
            "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/jwks"),
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["EdDSA"],
        });
        let exchange = Arc::new(Mutex::new(Exchange::default()));
        let asked = Arc::clone(&exchange);
        let token = async move |body: String| {
            let mut exchange = asked.lock().expect("no panic");
            exchange.sent = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
            Json(exchange.answer.clone())
        };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(async move || Json(metadata)))
            .route("/jwks", get(async move || Json(json!({"keys": [jwk]}))))
            .route("/token", post(token));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { issuer, key, exchange }
    }

    pub(super) fn settings(&self) -> [(&'static str, String); 3] {
        [
            ("SVC_OIDC_ISSUER", self.issuer.clone()),
            ("SVC_OIDC_CLIENT_ID", "svc-mcp".to_owned()),
            ("SVC_OIDC_CLIENT_SECRET", CLIENT_SECRET.to_owned()),
        ]
    }

    /// The responses must contain a sign-in code, so they are not searched for secrets.
    pub(super) async fn sign_in(&self, service: &Service, scanner: &mut SecretScanner) {
        let address = format!("http://{}", service.address);
        let browser = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        let browser = browser.build().expect("an HTTP client");
        let expiry = 4_000_000_000_u64;
        for (name, audience, expires_at, fragment) in [
            ("accepted", "svc-mcp", expiry, "#code="),
            ("of another service", "another", expiry, "#sign-in=failed"),
            ("expired", "svc-mcp", 1_000_000_000, "#sign-in=failed"),
        ] {
            let started = send(browser.get(format!("{address}/api/sign-in/oidc"))).await;
            let header = |name| started.headers[name].to_str().expect("plain text").to_owned();
            let asked: Url = header(header::LOCATION).parse().expect("an address");
            let asked: HashMap<String, String> = asked.query_pairs().into_owned().collect();
            let cookie = header(header::SET_COOKIE).split(';').next().expect("a cookie").to_owned();
            let (_, attempt) = cookie.split_once('=').expect("a value");
            let attempt = attempt.split('.').next().expect("a token");
            let code = format!("the-code-of-the-sign-in-that-is-{}", name.replace(' ', "-"));
            let id_token = self.signed(&json!({"iss": self.issuer, "aud": audience, "sub": "ada",
                "nonce": asked["nonce"], "iat": 1_000_000_000, "exp": expires_at}));
            scanner.add(&format!("the attempt {name}"), attempt);
            scanner.add(&format!("the provider's code {name}"), code.clone());
            scanner.add_jwt(&format!("the ID token {name}"), &id_token);
            self.exchange.lock().expect("no panic").answer =
                json!({"access_token": ACCESS_TOKEN, "token_type": "Bearer", "id_token": id_token});

            let callback =
                format!("{address}/api/sign-in/oidc/callback?code={code}&state={}", asked["state"]);
            let request = browser.get(callback);
            let reply = send(request.header(header::COOKIE, &cookie)).await.expect_status(303);
            let location = reply.headers[header::LOCATION].to_str().expect("plain text");
            assert!(location.contains(fragment), "{name}: {location}");
            if let Some((_, code)) = location.split_once("#code=") {
                scanner.add("the code for the page", code);
            }
            let verifier = self.exchange.lock().expect("no panic").sent["code_verifier"].clone();
            scanner.add(&format!("the PKCE verifier {name}"), verifier);
        }
    }

    fn signed(&self, claims: &Value) -> String {
        let encoded = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let text = format!("{}.{}", encoded(&json!({"alg": "EdDSA", "kid": "one"})), encoded(claims));
        let signature = BASE64_URL_SAFE_NO_PAD.encode(self.key.sign(text.as_bytes()).as_ref());
        format!("{text}.{signature}")
    }
}
