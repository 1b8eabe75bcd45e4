//! Events over real HTTP: what is sent, how it is signed, tried again and managed.

mod delivery;
mod endpoints;
mod outages;
mod types;

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU16, Ordering},
};

use aws_lc_rs::hmac;
use axum::{Router, body::Bytes, extract::State};
use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use crate::support::{AppOptions, BRAND, Reply, TestApp, eventually};

const OPERATOR_SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ENDPOINTS: &str = "/api/brands/acme/event-endpoints";
const DELIVERIES: &str = "/api/brands/acme/event-deliveries";

/// One request of the service.
#[derive(Debug, Clone)]
struct ReceivedEvent {
    headers: HeaderMap,
    raw: String,
    /// The status that it was answered with.
    status: u16,
}

impl ReceivedEvent {
    fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    fn id(&self) -> &str {
        self.header("webhook-id")
    }

    fn body(&self) -> Value {
        serde_json::from_str(&self.raw).unwrap()
    }

    fn kind(&self) -> String {
        self.body()["type"].as_str().unwrap().to_owned()
    }

    /// Computes the signature as Standard Webhooks describes it, without the code of the service.
    fn is_signed_with(&self, secret: &str) -> bool {
        let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let text = format!("{}.{}.{}", self.id(), self.header("webhook-timestamp"), self.raw);
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), text.as_bytes());
        self.header("webhook-signature") == format!("v1,{}", BASE64_STANDARD.encode(tag.as_ref()))
    }
}

#[derive(Debug, Clone, Default)]
struct Shared {
    events: Arc<Mutex<Vec<ReceivedEvent>>>,
    status: Arc<AtomicU16>,
}

/// A receiver of events that answers with the status that the test sets.
#[derive(Debug)]
struct EventReceiver {
    url: String,
    shared: Shared,
}

impl EventReceiver {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/events?tenant=1", listener.local_addr().unwrap());
        let shared = Shared::default();
        shared.status.store(204, Ordering::SeqCst);
        let router = Router::new().fallback(receive).with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, shared }
    }

    fn answer_with(&self, status: u16) {
        self.shared.status.store(status, Ordering::SeqCst);
    }

    /// All requests, in their order.
    fn events(&self) -> Vec<ReceivedEvent> {
        self.shared.events.lock().unwrap().clone()
    }

    /// The requests that were accepted.
    fn accepted(&self) -> Vec<ReceivedEvent> {
        self.events().into_iter().filter(|event| event.status < 300).collect()
    }

    async fn wait_for(
        &self,
        what: &str,
        is_complete: impl Fn(&[ReceivedEvent]) -> bool,
    ) -> Vec<ReceivedEvent> {
        eventually(what, async || {
            let events = self.events();
            is_complete(&events).then_some(events)
        })
        .await
    }

    async fn wait_for_count(&self, count: usize) -> Vec<ReceivedEvent> {
        self.wait_for(&format!("event number {count}"), |events| events.len() >= count).await
    }
}

async fn receive(State(shared): State<Shared>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let status = shared.status.load(Ordering::SeqCst);
    let raw = String::from_utf8(body.to_vec()).unwrap();
    shared.events.lock().unwrap().push(ReceivedEvent { headers, raw, status });
    StatusCode::from_u16(status).unwrap()
}

/// A service whose brands may have endpoints on this machine.
async fn app_with(more: Vec<String>) -> TestApp {
    let mut arguments = vec!["--outbound-allow=127.0.0.1".to_owned()];
    arguments.extend(more);
    TestApp::with(AppOptions { arguments, local_rate_limit: true, ..AppOptions::default() }).await
}

fn operator_arguments(receiver: &EventReceiver) -> Vec<String> {
    vec![format!("--events-url={}", receiver.url), format!("--events-secret={OPERATOR_SECRET}")]
}

async fn put_endpoint(app: &TestApp, endpoint: &str, body: Value) -> Reply {
    app.put(&format!("{ENDPOINTS}/{endpoint}")).bearer(&app.token("ada")).json(&body).await
}

/// Adds an endpoint, and returns its signing secret.
async fn add_endpoint(app: &TestApp, endpoint: &str, receiver: &EventReceiver) -> String {
    let reply = put_endpoint(app, endpoint, json!({"url": receiver.url})).await.expect_status(200);
    reply.body["secret"].as_str().unwrap().to_owned()
}

async fn get_endpoint(app: &TestApp, endpoint: &str) -> Value {
    let path = format!("{ENDPOINTS}/{endpoint}");
    app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200).body
}

/// The deliveries to the brand's endpoints, newest first.
async fn deliveries(app: &TestApp, query: &str) -> Vec<Value> {
    let path = format!("{DELIVERIES}?limit=100&{query}");
    let reply = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
    reply.body["event_deliveries"].as_array().unwrap().clone()
}

/// Waits until this many deliveries have this status.
async fn wait_for_deliveries(app: &TestApp, status: &str, count: usize) -> Vec<Value> {
    eventually(&format!("{count} deliveries with the status {status}"), async || {
        let found = deliveries(app, &format!("status={status}")).await;
        (found.len() >= count).then_some(found)
    })
    .await
}

async fn label(app: &TestApp, key_id: &str, label: &str) {
    let path = format!("/api/brands/{BRAND}/mcp-keys/{key_id}");
    let body = json!({"label": label});
    app.request("PATCH", &path).bearer(&app.token("ada")).json(&body).await.expect_status(200);
}
