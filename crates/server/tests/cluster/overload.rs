//! More than the store can take: the rest is told so at once, nothing piles up, and what needs no store goes on.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::json;
use tokio::task::JoinSet;

use svc_mcp_testkit::{
    Api,
    cluster::{BRAND, Cluster, Mode, Wishes},
    eventually,
};

/// As many as a busy balancer sends at a time to one instance.
const CLIENTS: usize = 300;
const LASTS: Duration = Duration::from_secs(6);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn load_beyond_a_slow_store_is_shed() {
    let cluster = Cluster::start(Wishes { links: true, ..Wishes::default() }).await;
    let reader = cluster.at(0).key(BRAND, "read").await;
    cluster.agent(0, &reader).tools().await.expect(200);
    let memory = cluster.instances[0].memory();
    // Every statement takes 0.2 s: 16 connections do some 80 of them in a second, and thousands are asked for.
    cluster.links[0].0.set(Mode::Slow(Duration::from_millis(100)));
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let api = cluster.at(0);
        clients.spawn(async move {
            let (mut done, mut shed) = (0, 0);
            let begun = Instant::now();
            while begun.elapsed() < LASTS {
                // Unanswered within the client's bound is an error, and fails the test.
                let answer = api.get("/api/me").await;
                if answer.status == 200 {
                    done += 1;
                } else {
                    assert!(answer.is_unavailable(), "{answer:?}");
                    shed += 1;
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
            }
            (done, shed)
        });
    }
    let overloaded = Arc::new(AtomicBool::new(true));
    let watcher = tokio::spawn(watch(cluster.at(0), cluster.agent(0, &reader), Arc::clone(&overloaded)));
    let counts = clients.join_all().await;
    overloaded.store(false, Ordering::SeqCst);
    let (ready, lists) = watcher.await.expect("it watches");
    let done: u32 = counts.iter().map(|(done, _)| done).sum();
    let shed: u32 = counts.iter().map(|(_, shed)| shed).sum();
    let grown = cluster.instances[0].memory().saturating_sub(memory);
    println!("{done} done, {shed} shed, /readyz {ready:?}, lists {lists:?}, memory grew by {grown} KiB");
    assert!(done > 0, "some are served");
    assert!(shed > 0, "the rest is shed");
    assert!(grown < 100 * 1024, "nothing piles up");
    // The store answers, slowly: taking the instance out of the balancer would only move the load to the others.
    assert!(ready.iter().all(|status| *status == 200), "/readyz turned red under load: {ready:?}");
    // A key that is known needs no store, and must not pay for those who do.
    assert!(lists.iter().all(|status| matches!(status, 200 | 429)), "a known key was refused: {lists:?}");

    cluster.links[0].0.set(Mode::Open);
    eventually("a recovered instance", async || {
        (cluster.at(0).get("/api/me").await.status == 200).then_some(())
    })
    .await;
    let key = cluster.at(0).key(BRAND, "read").await;
    cluster.agent(0, &key).call("list_posts", &json!({})).await.structured();
}

/// What `/readyz` and a key that is in use say while the instance is overloaded.
async fn watch(api: Api, agent: Api, overloaded: Arc<AtomicBool>) -> (Vec<u16>, Vec<u16>) {
    let (mut ready, mut lists) = (Vec::new(), Vec::new());
    tokio::time::sleep(Duration::from_millis(500)).await;
    while overloaded.load(Ordering::SeqCst) {
        ready.push(api.get("/readyz").await.status);
        lists.push(agent.tools().await.status);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    (ready, lists)
}
