//! Requests through the load balancer while instances are killed and restarted.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use tokio::task::JoinSet;

use svc_mcp_testkit::{
    Api, Key,
    cluster::{BRAND, Cluster, ClusterOptions},
    eventually, try_send,
};

const CLIENTS: usize = 6;

/// A failed request.
struct Failure {
    started: Instant,
    ended: Instant,
    description: String,
}

/// Clients of the load balancer. They read and write, some of them on new connections.
struct Clients {
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    clients: JoinSet<Vec<Failure>>,
}

impl Clients {
    async fn start(cluster: &Cluster) -> Self {
        let (stop, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let mut clients = JoinSet::new();
        for number in 0..CLIENTS {
            let mut keys = Vec::new();
            for _ in 0..5 {
                keys.push(cluster.at(0).key(BRAND, "write").await);
            }
            let (stop, answered) = (Arc::clone(&stop), Arc::clone(&answered));
            let token = cluster.token.clone();
            let balancer = cluster.balanced();
            clients.spawn(async move { client(number, balancer, token, keys, stop, answered).await });
        }
        Self { stop, answered, clients }
    }

    fn answered(&self) -> usize {
        self.answered.load(Ordering::SeqCst)
    }

    /// Waits until this many more requests are answered.
    async fn wait_for_answered(&self, requests: usize) {
        let target = self.answered() + requests;
        eventually("answered requests", async || (self.answered() >= target).then_some(())).await;
    }

    async fn stop(self) -> (usize, Vec<Failure>) {
        self.stop.store(true, Ordering::SeqCst);
        let failed = self.clients.join_all().await.into_iter().flatten().collect();
        (self.answered.load(Ordering::SeqCst), failed)
    }
}

async fn client(
    number: usize,
    balancer: Api,
    token: String,
    keys: Vec<Key>,
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
) -> Vec<Failure> {
    let mut failed = Vec::new();
    let mut round = 0;
    while !stop.load(Ordering::SeqCst) {
        round += 1;
        let agent = balancer.with_bearer(&keys[round % keys.len()].secret);
        let request = match round % 4 {
            0 => agent.list_tools_request(),
            1 => balancer.with_bearer(&token).request(reqwest::Method::GET, "/api/me"),
            2 => agent.call_request(
                "create_post",
                &json!({"text": format!("{number} {round}"), "channels": ["feed"]}),
            ),
            _ => agent.call_request("get_brand", &json!({})),
        };
        let request = if round % 5 == 0 { request.header("Connection", "close") } else { request };
        let started = Instant::now();
        let description = match try_send(request).await {
            Ok(response) if matches!(response.status, 200 | 429) => {
                answered.fetch_add(1, Ordering::SeqCst);
                continue;
            }
            Ok(response) => format!("{response:?}"),
            Err(error) => format!("{error:?}"),
        };
        failed.push(Failure { started, ended: Instant::now(), description });
    }
    failed
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_instance_fails_only_requests_in_flight() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let mut cluster = Cluster::start(ClusterOptions { balancer: true, ..ClusterOptions::default() }).await;
    let clients = Clients::start(&cluster).await;
    let mut kills = Vec::new();
    for _ in 0..4 {
        clients.wait_for_answered(50).await;
        tokio::time::sleep(Duration::from_millis(random.random_range(0..200))).await;
        let victim = random.random_range(0..cluster.count());
        let killed = Instant::now();
        cluster.instances[victim].kill();
        // The balancer may send requests on kept connections until it has read that they are closed. After 50 more
        // answered requests it has.
        clients.wait_for_answered(50).await;
        kills.push((killed, Instant::now()));
        cluster.instances[victim].start().await;
        let balanced = cluster.balanced();
        eventually("the restarted instance behind the balancer", async || {
            let served = balanced.get("/healthz").await.header("x-served-by").to_owned();
            (served == victim.to_string()).then_some(())
        })
        .await;
    }
    let (answered, failed) = clients.stop().await;
    println!("{answered} requests were answered, {} failed at {} kills", failed.len(), kills.len());
    for Failure { started, ended, description } in &failed {
        let in_flight = kills.iter().any(|(killed, noticed)| started <= noticed && ended >= killed);
        assert!(in_flight, "a request failed that was not in flight during a kill: {description}");
    }
    assert!(failed.len() <= CLIENTS * kills.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rolling_restart_fails_no_request() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    // Much longer than the balancer needs to notice: two checks, half a second apart.
    let arguments = ["--drain-delay", "5"];
    let mut cluster =
        Cluster::start(ClusterOptions { balancer: true, arguments: &arguments, ..ClusterOptions::default() })
            .await;
    let clients = Clients::start(&cluster).await;
    for instance in 0..cluster.count() {
        clients.wait_for_answered(50).await;
        tokio::time::sleep(Duration::from_millis(random.random_range(0..200))).await;
        cluster.instances[instance].stop().await;
        cluster.instances[instance].start().await;
        let balanced = cluster.balanced();
        eventually("the restarted instance behind the balancer", async || {
            let served = balanced.get("/healthz").await.header("x-served-by").to_owned();
            (served == instance.to_string()).then_some(())
        })
        .await;
    }
    let (answered, failed) = clients.stop().await;
    println!("{answered} requests were answered");
    assert!(answered > 300);
    assert!(
        failed.is_empty(),
        "{} failed, such as {:?}",
        failed.len(),
        failed.first().map(|failure| &failure.description)
    );
}

/// A TCP load balancer cannot move a client with an open connection, so the instance sends `Connection: close`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn draining_instance_closes_connections_after_a_response() {
    let mut cluster =
        Cluster::start(ClusterOptions { arguments: &["--drain-delay", "10"], ..ClusterOptions::default() })
            .await;
    let client = cluster.at(0);
    let before = client.get("/api/me").await.expect_status(200);
    assert_ne!(before.header("connection"), "close", "{before:?}");
    cluster.instances[0].terminate();
    eventually("503 from /readyz", async || (client.get("/readyz").await.status == 503).then_some(())).await;
    let draining = client.get("/api/me").await.expect_status(200);
    assert_eq!(draining.header("connection"), "close", "{draining:?}");
    assert!(cluster.instances[0].wait_for_exit().await.success());
}
