//! Events: three instances deliver each event, in order for a key, also when an instance is killed.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use axum::{Router, body::Bytes, extract::State, http::HeaderMap};
use serde_json::{Value, json};
use svc_mcp_testkit::{
    cluster::{BRAND, Cluster, ClusterOptions},
    eventually,
};

/// The id and the body of each request, in their order.
type Received = Arc<Mutex<Vec<(String, Value)>>>;

const KEYS: usize = 4;
const CHANGES: usize = 12;

async fn receive(State(received): State<Received>, headers: HeaderMap, body: Bytes) {
    let id = headers["webhook-id"].to_str().expect("a text").to_owned();
    received.lock().expect("no panic").push((id, serde_json::from_slice(&body).expect("JSON")));
}

/// The times of a key's events, in the order of their first arrival.
fn times(received: &Received, key_id: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let received = received.lock().expect("no panic");
    let of_key = received.iter().filter(|(_, body)| body["data"]["key_id"] == key_id);
    let first = of_key.filter(|(id, _)| seen.insert(id.clone()));
    first.map(|(_, body)| body["timestamp"].as_str().expect("a time").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_instances_deliver_each_event_in_order() {
    let received = Received::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let router = Router::new().fallback(receive).with_state(Arc::clone(&received));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let arguments = ["--events-url", &url, "--events-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
    let mut cluster =
        Cluster::start(ClusterOptions { arguments: &arguments, ..ClusterOptions::default() }).await;
    let mut keys = Vec::new();
    for _ in 0..KEYS {
        keys.push(cluster.at(0).key(BRAND, "read").await);
    }
    let victim = cluster.count() - 1;
    for change in 0..CHANGES {
        if change == CHANGES / 2 {
            cluster.instances[victim].kill();
        }
        for (number, key) in keys.iter().enumerate() {
            let running = if change < CHANGES / 2 { cluster.count() } else { victim };
            let body = json!({"label": format!("change {change}")});
            cluster.at((change + number) % running).update_key(key, &body).await.expect_status(200);
        }
    }
    for key in &keys {
        // With the creation.
        eventually("all events of a key", async || {
            (times(&received, &key.key_id).len() > CHANGES).then_some(())
        })
        .await;
        let times = times(&received, &key.key_id);
        assert_eq!(times.len(), CHANGES + 1, "{times:?}");
        assert!(times.is_sorted(), "{times:?}");
    }
    let all = received.lock().expect("no panic").clone();
    let distinct: BTreeSet<&str> = all.iter().map(|(id, _)| id.as_str()).collect();
    // The killed instance may have been sending some.
    let duplicates = all.len() - distinct.len();
    assert!(duplicates <= 8, "{duplicates} duplicates of {} events", distinct.len());
    cluster.instances[victim].start().await;
}
