//! What a client behind the balancer sees when instances die and when they are replaced.

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
    cluster::{BRAND, Cluster, Wishes},
    eventually, try_answered,
};

const CLIENTS: usize = 6;

/// A request that did not end well: when it was begun and ended, and how.
type Failed = (Instant, Instant, String);

/// Clients behind the balancer: people and agents, reading and writing, some on new connections.
struct Clients {
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    clients: JoinSet<Vec<Failed>>,
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

    /// Waits until so many more requests were answered.
    async fn go_on_for(&self, requests: usize) {
        let until = self.answered() + requests;
        eventually("traffic", async || (self.answered() >= until).then_some(())).await;
    }

    async fn stop(self) -> (usize, Vec<Failed>) {
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
) -> Vec<Failed> {
    let mut failed = Vec::new();
    let mut round = 0;
    while !stop.load(Ordering::SeqCst) {
        round += 1;
        let agent = balancer.with(&keys[round % keys.len()].secret);
        let request = match round % 4 {
            0 => agent.tools_request(),
            1 => balancer.with(&token).request(reqwest::Method::GET, "/api/me"),
            2 => agent.call_request(
                "create_post",
                &json!({"text": format!("{number} {round}"), "channels": ["feed"]}),
            ),
            _ => agent.call_request("get_brand", &json!({})),
        };
        let request = if round % 5 == 0 { request.header("Connection", "close") } else { request };
        let begun = Instant::now();
        let what = match try_answered(request).await {
            Ok(answer) if matches!(answer.status, 200 | 429) => {
                answered.fetch_add(1, Ordering::SeqCst);
                continue;
            }
            Ok(answer) => format!("{answer:?}"),
            Err(error) => format!("{error:?}"),
        };
        failed.push((begun, Instant::now(), what));
    }
    failed
}

/// So long after a kill the balancer may not have read yet that a connection it keeps is gone, and may hand it a request.
const NOTICED: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_instance_takes_only_what_was_in_flight_on_it() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let mut cluster = Cluster::start(Wishes { balancer: true, ..Wishes::default() }).await;
    let clients = Clients::start(&cluster).await;
    let mut kills = Vec::new();
    for _ in 0..4 {
        clients.go_on_for(50).await;
        tokio::time::sleep(Duration::from_millis(random.random_range(0..200))).await;
        let victim = random.random_range(0..cluster.count());
        let before = Instant::now();
        cluster.instances[victim].kill();
        kills.push((before, Instant::now()));
        clients.go_on_for(50).await;
        cluster.instances[victim].start().await;
        let successor = cluster.balanced();
        eventually("the successor behind the balancer", async || {
            let served = successor.get("/healthz").await.header("x-served-by").to_owned();
            (served == victim.to_string()).then_some(())
        })
        .await;
    }
    let (answered, failed) = clients.stop().await;
    println!("{answered} requests were answered, {} failed at {} kills", failed.len(), kills.len());
    for (begun, ended, what) in &failed {
        let in_flight = kills.iter().any(|(before, after)| *begun <= *after + NOTICED && ended >= before);
        let since: Vec<_> =
            kills.iter().filter_map(|(_, after)| begun.checked_duration_since(*after)).collect();
        assert!(
            in_flight,
            "it was not in flight when an instance was killed, but begun {since:?} later: {what}"
        );
    }
    assert!(failed.len() <= CLIENTS * kills.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_restart_fails_no_request() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    // Longer than the balancer needs to notice: two checks, half a second apart.
    let arguments = ["--drain-delay", "2"];
    let mut cluster =
        Cluster::start(Wishes { balancer: true, arguments: &arguments, ..Wishes::default() }).await;
    let clients = Clients::start(&cluster).await;
    for instance in 0..cluster.count() {
        clients.go_on_for(50).await;
        tokio::time::sleep(Duration::from_millis(random.random_range(0..200))).await;
        cluster.instances[instance].stop().await;
        cluster.instances[instance].start().await;
        let successor = cluster.balanced();
        eventually("the successor behind the balancer", async || {
            let served = successor.get("/healthz").await.header("x-served-by").to_owned();
            (served == instance.to_string()).then_some(())
        })
        .await;
    }
    let (answered, failed) = clients.stop().await;
    println!("{answered} requests were answered");
    assert!(answered > 300);
    assert!(failed.is_empty(), "{} failed, such as {:?}", failed.len(), failed.first());
}

/// A balancer of connections cannot move a client that keeps its connection: the instance itself must ask it to leave,
/// or it would be cut off when the listener closes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_draining_instance_asks_its_clients_to_connect_anew() {
    let mut cluster =
        Cluster::start(Wishes { arguments: &["--drain-delay", "3"], ..Wishes::default() }).await;
    let client = cluster.at(0);
    let before = client.get("/api/me").await.expect(200);
    assert_ne!(before.header("connection"), "close", "{before:?}");
    cluster.instances[0].terminate();
    eventually("a red instance", async || (client.get("/readyz").await.status == 503).then_some(())).await;
    let draining = client.get("/api/me").await.expect(200);
    assert_eq!(draining.header("connection"), "close", "{draining:?}");
    assert!(cluster.instances[0].end().await.success());
}
