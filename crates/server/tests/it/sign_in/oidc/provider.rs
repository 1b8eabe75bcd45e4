//! A small OpenID Connect provider. A test can change its answers.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use aws_lc_rs::digest::{SHA256, digest};
use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::{any, get, post},
};
use base64::{Engine, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD};
use http::{HeaderMap, StatusCode, header};
use serde_json::{Value, json};
use svc_mcp_access::Clock;
use url::form_urlencoded;

use super::{CLIENT_ID, CLIENT_SECRET, PendingSignIn};
use crate::{jwt::Signer, support::TestApp};

type Shared = Arc<Mutex<Answers>>;

/// What the provider answers.
pub(super) struct Answers {
    /// Every request gets 503.
    pub(super) is_down: bool,
    /// Added to the metadata.
    pub(super) metadata: Value,
    pub(super) published: Value,
    codes: HashMap<String, Grant>,
    /// How often the metadata was read.
    reads: usize,
    /// Where the last client secret was: `header` or `body`.
    secret_in: &'static str,
}

struct Grant {
    answer: Value,
    challenge: String,
    redirect_uri: String,
}

pub(super) struct Provider {
    pub(super) issuer: String,
    pub(super) signer: Signer,
    answers: Shared,
}

impl Provider {
    pub(super) async fn start() -> Self {
        let signer = Signer::rsa();
        let answers = Arc::new(Mutex::new(Answers {
            is_down: false,
            metadata: json!({}),
            published: json!({"keys": [signer.jwk("one")]}),
            codes: HashMap::new(),
            reads: 0,
            secret_in: "",
        }));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let own = issuer.clone();
        let router = Router::new()
            .route(
                "/.well-known/openid-configuration",
                get(async move |State(answers): State<Shared>| metadata(&own, &answers)),
            )
            .route(
                "/jwks",
                get(async |State(answers): State<Shared>| json_of(&answers, |a| a.published.clone())),
            )
            .route("/token", post(token))
            .route("/moved", any(async || Redirect::temporary("/token")))
            .with_state(Arc::clone(&answers));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { issuer, signer, answers }
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Answers)) {
        change(&mut self.answers.lock().unwrap());
    }

    pub(super) fn secret_in(&self) -> &'static str {
        self.answers.lock().unwrap().secret_in
    }

    pub(super) fn reads(&self) -> usize {
        self.answers.lock().unwrap().reads
    }

    /// The claims of an ID token for this sign-in.
    pub(super) fn claims(&self, app: &TestApp, pending: &PendingSignIn, user: &str) -> Value {
        let now = app.clock.now().millis() / 1000;
        json!({"iss": self.issuer, "aud": CLIENT_ID, "sub": user, "nonce": pending.asked["nonce"],
            "iat": now, "exp": now + 300})
    }

    /// The person has signed in: a code for an ID token with these claims.
    pub(super) fn code(&self, pending: &PendingSignIn, claims: &Value) -> String {
        self.code_for(pending, &self.signer.token(json!({"alg": "RS256", "kid": "one"}), claims.clone()))
    }

    pub(super) fn code_for(&self, pending: &PendingSignIn, id_token: &str) -> String {
        let answer = json!({"access_token": "at-canary", "token_type": "Bearer", "id_token": id_token});
        self.code_for_answer(pending, answer)
    }

    pub(super) fn code_for_answer(&self, pending: &PendingSignIn, answer: Value) -> String {
        let code = format!("code-{}", pending.asked["state"]);
        let (challenge, redirect_uri) =
            (pending.asked["code_challenge"].clone(), pending.asked["redirect_uri"].clone());
        let grant = Grant { answer, challenge, redirect_uri };
        self.answers.lock().unwrap().codes.insert(code.clone(), grant);
        code
    }
}

fn json_of(answers: &Shared, read: impl FnOnce(&mut Answers) -> Value) -> Response {
    let mut answers = answers.lock().unwrap();
    if answers.is_down {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    Json(read(&mut answers)).into_response()
}

fn metadata(issuer: &str, answers: &Shared) -> Response {
    json_of(answers, |answers| {
        answers.reads += 1;
        let mut document = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "jwks_uri": format!("{issuer}/jwks"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256", "none"],
        });
        document.as_object_mut().unwrap().extend(answers.metadata.as_object().unwrap().clone());
        document
    })
}

async fn token(State(answers): State<Shared>, headers: HeaderMap, body: String) -> Response {
    let form: HashMap<String, String> = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let mut answers = answers.lock().unwrap();
    let expected = format!("Basic {}", BASE64_STANDARD.encode(format!("{CLIENT_ID}:{CLIENT_SECRET}")));
    let field = |name: &str| form.get(name).cloned().unwrap_or_default();
    let in_body = field("client_id") == CLIENT_ID && field("client_secret") == CLIENT_SECRET;
    let in_header = headers.get(header::AUTHORIZATION).is_some_and(|value| *value == *expected);
    answers.secret_in = if in_header { "header" } else { "body" };
    // A code works once.
    let grant = answers.codes.remove(&field("code"));
    let challenge =
        BASE64_URL_SAFE_NO_PAD.encode(digest(&SHA256, field("code_verifier").as_bytes()).as_ref());
    match grant {
        _ if answers.is_down => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some(grant)
            if in_header != in_body
                && field("grant_type") == "authorization_code"
                && grant.challenge == challenge
                && grant.redirect_uri == field("redirect_uri") =>
        {
            Json(grant.answer).into_response()
        }
        _ => (StatusCode::BAD_REQUEST, Json(json!({"error": "invalid_grant"}))).into_response(),
    }
}
