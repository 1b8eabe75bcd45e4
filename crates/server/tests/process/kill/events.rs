//! The service is killed while keys are changed. The event of every committed change arrives at least once, and in order.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use axum::{Router, body::Bytes, extract::State, http::HeaderMap};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Round, verify::all_pages};
use crate::support::{Api, Sandbox, eventually, try_send};

const KILLS: u32 = 24;
const KEYS: usize = 3;
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_survive_kills_on_sqlite() {
    events_survive_kills(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_survive_kills_on_postgresql() {
    events_survive_kills(Sandbox::postgres()).await;
}

/// The id and the body of each request, in their order.
type Received = Arc<Mutex<Vec<(String, Value)>>>;

async fn start_receiver(received: &Received) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/events", listener.local_addr().expect("an address"));
    let router = Router::new().fallback(receive).with_state(Arc::clone(received));
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

async fn receive(State(received): State<Received>, headers: HeaderMap, body: Bytes) {
    let id = headers["webhook-id"].to_str().expect("a text").to_owned();
    let body = serde_json::from_slice(&body).expect("JSON");
    received.lock().expect("no panic").push((id, body));
}

/// Changes a key until the service is killed.
async fn change(api: Api, path: String, mut random: StdRng, round: Arc<Round>) {
    loop {
        let body = json!({"label": format!("label {}", random.random::<u32>())});
        match try_send(api.request(Method::PATCH, &path).json(&body)).await {
            Ok(response) => {
                round.acknowledged.fetch_add((response.status == 200).into(), Ordering::SeqCst);
            }
            Err(error) => {
                let was_killed = round.killed.load(Ordering::SeqCst);
                assert!(was_killed, "a request failed before the kill: {error:?}");
                return;
            }
        }
        tokio::time::sleep(Duration::from_millis(random.random_range(1..=20))).await;
    }
}

/// The distinct events of a key, in the order of their first arrival.
fn events_of(received: &Received, key_id: &str) -> Vec<Value> {
    let mut distinct = BTreeMap::new();
    let received = received.lock().expect("no panic");
    for (place, (id, body)) in received.iter().enumerate() {
        if body["type"] == "key.updated" && body["data"]["key_id"] == key_id {
            let first = distinct.entry(id.clone()).or_insert((place, body.clone()));
            assert_eq!(first.1, *body, "one id has two bodies");
        }
    }
    let mut events: Vec<(usize, Value)> = distinct.into_values().collect();
    events.sort_by_key(|(place, _)| *place);
    events.into_iter().map(|(_, body)| body).collect()
}

async fn events_survive_kills(sandbox: Sandbox) {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let received = Received::default();
    let url = start_receiver(&received).await;
    let sandbox = sandbox
        .with("SVC_MANAGEMENT_LIMIT", "0")
        .with("SVC_EVENTS_URL", &url)
        .with("SVC_EVENTS_SECRET", SECRET);
    sandbox.add_brand("acme", "ada");
    let token = sandbox.run_ok(&["token", "--user", "ada", "--ttl", "1d"]);
    let mut keys = Vec::new();
    for _ in 0..KILLS {
        let service = sandbox.serve(&[]);
        let api = service.api(&token).keep_alive();
        while keys.len() < KEYS {
            keys.push(api.key("acme", "read").await);
        }
        let current = Arc::new(Round::default());
        let changes: Vec<_> = keys
            .iter()
            .map(|key| {
                let random = StdRng::seed_from_u64(random.random());
                tokio::spawn(change(api.clone(), key.path(), random, Arc::clone(&current)))
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(random.random_range(1..=200))).await;
        // On a busy machine no request may be acknowledged yet.
        current.wait_for_acknowledged(random.random_range(1..=8)).await;
        current.killed.store(true, Ordering::SeqCst);
        service.kill();
        for change in changes {
            change.await.expect("a client fails only by the kill");
        }
    }
    let service = sandbox.serve(&[]);
    let api = service.api(&token).keep_alive();
    let mut changes = 0;
    for key in &keys {
        let path = format!("{}/activity?kind=updated&limit=200", key.path());
        let committed = all_pages(&api, &path, "events").await;
        eventually("the events of all committed changes", async || {
            (events_of(&received, &key.key_id).len() >= committed.len()).then_some(())
        })
        .await;
        let events = events_of(&received, &key.key_id);
        assert_eq!(events.len(), committed.len(), "every change has one event");
        let times: Vec<&str> = events.iter().filter_map(|event| event["timestamp"].as_str()).collect();
        assert!(times.is_sorted(), "events of a key arrive in order: {times:?}");
        changes += committed.len();
    }
    let requests = received.lock().expect("no panic").len();
    eprintln!("{changes} changes, {requests} requests and {KILLS} kills");
    assert!(changes > 50, "there was too little traffic for a meaningful test");
    service.stop();
}
