//! Redis is down, frozen, emptied, unreachable for one instance, or read-only. Requests are served, and changes are
//! effective for the next request.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use svc_mcp_testkit::{
    Api, ApiResponse, Key,
    cluster::{BRAND, Cluster, ClusterOptions, ProxyMode, RATE_WINDOW, USER},
    eventually, raw_get,
};
use tokio::task::JoinSet;

use crate::{
    limit::{count_admitted, send_concurrently},
    revocation::choose_two,
};

/// Agents that send requests until they are stopped. Every response must be 200 or 429.
struct Traffic {
    stop: Arc<AtomicBool>,
    agents: JoinSet<usize>,
}

impl Traffic {
    async fn start(cluster: &Cluster) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        cluster.add_brand("steady", "steady").await;
        let mut agents = JoinSet::new();
        // The last instance is restarted by some tests.
        for instance in 0..cluster.count() - 1 {
            let mut keys = Vec::new();
            for _ in 0..4 {
                keys.push(cluster.at(instance).key("steady", "write").await);
            }
            let agent = cluster.at(instance);
            agents.spawn(send_requests(agent, keys, Arc::clone(&stop)));
        }
        Self { stop, agents }
    }

    /// Returns the number of answered requests.
    async fn stop(self) -> usize {
        self.stop.store(true, Ordering::SeqCst);
        self.agents.join_all().await.into_iter().sum()
    }
}

async fn send_requests(agent: Api, keys: Vec<Key>, stop: Arc<AtomicBool>) -> usize {
    let mut answered = 0;
    while !stop.load(Ordering::SeqCst) {
        let agent = agent.with_bearer(&keys[answered % keys.len()].secret);
        let response: ApiResponse = match answered % 3 {
            0 => agent.list_tools().await,
            1 => agent.call("get_brand", &json!({})).await,
            _ => agent.call("list_posts", &json!({})).await,
        };
        assert!(matches!(response.status, 200 | 429), "{response:?}");
        answered += 1;
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    answered
}

/// Changes access on one instance, and checks the next request on another one.
async fn assert_changes_are_effective(cluster: &Cluster, rounds: usize, random: &mut StdRng) {
    for round in 0..rounds {
        let (one, other) = choose_two(cluster.count(), random);
        let key = cluster.at(one).key(BRAND, "read").await;
        let expect = async |instance: usize, status: u16, change: &str| {
            let response = cluster.agent(instance, &key).list_tools().await;
            assert_eq!(
                response.status, status,
                "round {round}, {change} on {one}, request to {instance}: {response:?}"
            );
        };
        for instance in 0..cluster.count() {
            expect(instance, 200, "before").await;
        }
        match random.random_range(0..3) {
            0 => {
                cluster.put_plan(one, false).await;
                expect(other, 403, "plan off").await;
                cluster.put_plan(one, true).await;
                expect(other, 200, "plan on").await;
            }
            1 => {
                cluster.remove_member(one, BRAND, USER).await;
                expect(other, 403, "removal").await;
                cluster.put_member(one, BRAND, USER).await;
                expect(other, 403, "return").await;
                cluster.at(one).set_paused(&key, false).await.expect_status(200);
                expect(other, 200, "resumed").await;
            }
            _ => {}
        }
        cluster.at(one).revoke(&key).await.expect_status(204);
        for instance in [other, 3 - one - other, one] {
            expect(instance, 401, "revoke").await;
        }
    }
}

/// How many requests with one key all instances admit together: 60 if they share the limit, 180 if not.
async fn total_limit(cluster: &Cluster) -> usize {
    let key = cluster.at(0).key(BRAND, "read").await;
    let agents: Vec<Api> = (0..cluster.count()).map(|instance| cluster.agent(instance, &key)).collect();
    let mut responses = Vec::new();
    // Few at a time: without Redis each key is looked up in the database, and more requests would be shed.
    for _ in 0..10 {
        responses.extend(send_concurrently(&agents, 7).await);
    }
    let admitted = count_admitted(&responses);
    cluster.at(0).revoke(&key).await.expect_status(204);
    admitted
}

/// Repeats a measurement that took longer than one window of the rate limit.
async fn within_one_window<T>(mut measure: impl AsyncFnMut() -> T) -> T {
    loop {
        let started = Instant::now();
        let measured = measure().await;
        if started.elapsed() < RATE_WINDOW {
            return measured;
        }
    }
}

async fn wait_until_all_degraded(cluster: &Cluster, degraded: bool) {
    for instance in &cluster.instances {
        instance.wait_until_degraded(degraded).await;
    }
}

async fn random_pause(random: &mut StdRng, max_millis: u64) {
    tokio::time::sleep(Duration::from_millis(random.random_range(0..max_millis))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_requests_are_served_and_limited_by_each_instance() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let mut cluster = Cluster::start(ClusterOptions::default()).await;
    let traffic = Traffic::start(&cluster).await;
    assert_eq!(cluster.with_redis(async || total_limit(&cluster).await).await, 60);
    for _ in 0..2 {
        random_pause(&mut random, 500).await;
        cluster.redis.kill();
        assert_changes_are_effective(&cluster, 3, &mut random).await;
        wait_until_all_degraded(&cluster, true).await;
        assert_eq!(
            within_one_window(async || total_limit(&cluster).await).await,
            180,
            "each instance has its own limit"
        );
        for instance in &cluster.instances {
            let ready = raw_get(instance.address, "/readyz").await;
            assert!(
                ready.as_ref().is_some_and(|(status, _)| *status == 200),
                "the instance is ready: {ready:?}"
            );
            assert!(instance.log().contains("degraded"), "{}", instance.log());
        }
        // An instance also starts without Redis.
        cluster.instances[2].stop().await;
        cluster.instances[2].start().await;
        cluster.instances[2].wait_until_degraded(true).await;
        cluster.redis.start_again();
        assert_changes_are_effective(&cluster, 3, &mut random).await;
        assert_eq!(
            cluster.with_redis(async || total_limit(&cluster).await).await,
            60,
            "the limit is shared again"
        );
    }
    println!("{} requests were answered meanwhile", traffic.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frozen_redis_does_not_stop_requests() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(ClusterOptions::default()).await;
    let traffic = Traffic::start(&cluster).await;
    random_pause(&mut random, 500).await;
    let frozen = cluster.redis.freeze();
    assert_changes_are_effective(&cluster, 2, &mut random).await;
    wait_until_all_degraded(&cluster, true).await;
    random_pause(&mut random, 500).await;
    drop(frozen);
    assert_changes_are_effective(&cluster, 2, &mut random).await;
    assert_eq!(
        cluster.with_redis(async || total_limit(&cluster).await).await,
        60,
        "the limit is shared again"
    );
    println!("{} requests were answered meanwhile", traffic.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn emptied_redis_does_not_change_access() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Arc::new(Cluster::start(ClusterOptions::default()).await);
    let traffic = Traffic::start(&cluster).await;
    let stop = Arc::new(AtomicBool::new(false));
    let emptying = {
        let (cluster, stop) = (Arc::clone(&cluster), Arc::clone(&stop));
        let mut random = StdRng::seed_from_u64(random.random());
        tokio::spawn(async move {
            let mut times = 0;
            while !stop.load(Ordering::SeqCst) {
                cluster.redis.command("FLUSHALL");
                times += 1;
                random_pause(&mut random, 500).await;
            }
            times
        })
    };
    assert_changes_are_effective(&cluster, 100, &mut random).await;
    stop.store(true, Ordering::SeqCst);
    let times = emptying.await.expect("the task ends");
    println!("emptied {times} times, {} requests answered meanwhile", traffic.stop().await);
    assert_eq!(cluster.with_redis(async || total_limit(&cluster).await).await, 60);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instance_without_redis_applies_changes() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(ClusterOptions { proxies: true, ..ClusterOptions::default() }).await;
    let traffic = Traffic::start(&cluster).await;
    for _ in 0..6 {
        let to_redis = &cluster.proxies[random.random_range(0..cluster.count())].redis;
        to_redis.set(if random.random() { ProxyMode::Cut } else { ProxyMode::Silent });
        assert_changes_are_effective(&cluster, 2, &mut random).await;
        to_redis.set(ProxyMode::Open);
        assert_changes_are_effective(&cluster, 1, &mut random).await;
    }
    assert_eq!(
        cluster.with_redis(async || total_limit(&cluster).await).await,
        60,
        "the limit is shared again"
    );
    println!("{} requests were answered meanwhile", traffic.stop().await);
}

/// A virtual machine that is moved, or a starved process, misses the changes of other instances.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frozen_instance_refuses_revoked_keys_when_it_continues() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster =
        Arc::new(Cluster::start(ClusterOptions { proxies: true, ..ClusterOptions::default() }).await);
    let mut rounds = JoinSet::new();
    // Without Redis a revoke is delayed, so several keys are revoked concurrently.
    for round in 0..8 {
        let keys: Vec<Key> = {
            let mut keys = Vec::new();
            for _ in 0..6 {
                keys.push(cluster.at(0).key(BRAND, "read").await);
            }
            keys
        };
        for key in &keys {
            cluster.agent(1, key).list_tools().await.expect_status(200);
        }
        cluster.proxies[0].redis.set(ProxyMode::Cut);
        random_pause(&mut random, 400).await;
        let frozen = cluster.instances[1].freeze();
        let revokes = keys.iter().map(|key| {
            let (api, key) = (cluster.at(0), key.clone());
            async move {
                // An instance that was frozen during a write holds its rows until PostgreSQL ends the connection.
                eventually("the revoke", async || {
                    let response = api.revoke(&key).await;
                    (response.status != 503).then(|| response.expect_status(204))
                })
                .await
            }
        });
        futures_util::future::join_all(revokes).await;
        // These requests wait in the socket when the instance continues.
        for key in &keys {
            let agent = cluster.agent(1, key);
            rounds.spawn(async move { (round, agent.list_tools().await.status) });
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        drop(frozen);
        while let Some(asked) = rounds.join_next().await {
            let (round, status) = asked.expect("the task ends");
            assert_eq!(status, 401, "round {round}: admitted after the revoke was acknowledged");
        }
        cluster.proxies[0].redis.set(ProxyMode::Open);
    }
}

/// Redis without memory, or a replica, answers PING but counts nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn read_only_redis_counts_as_down() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(ClusterOptions::default()).await;
    let traffic = Traffic::start(&cluster).await;
    cluster.redis.command("CONFIG SET maxmemory 1");
    wait_until_all_degraded(&cluster, true).await;
    assert_changes_are_effective(&cluster, 2, &mut random).await;
    for _ in 0..20 {
        for instance in &cluster.instances {
            assert!(
                instance.is_degraded().await,
                "the instance is not degraded, although nothing is counted"
            );
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    cluster.redis.command("CONFIG SET maxmemory 0");
    assert_eq!(
        cluster.with_redis(async || total_limit(&cluster).await).await,
        60,
        "the limit is shared again"
    );
    println!("{} requests were answered meanwhile", traffic.stop().await);
}

/// An instance without Redis continues with the requests that it has admitted in the last minute.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_instance_admits_more_than_60_while_redis_fails() {
    let mut cluster = Cluster::start(ClusterOptions::default()).await;
    let counts = within_one_window(async || {
        let key = cluster.at(0).key(BRAND, "read").await;
        let agent = [cluster.agent(1, &key)];
        let before = count_admitted(&send_concurrently(&agent, 50).await);
        cluster.redis.command("FLUSHALL");
        let emptied = before + count_admitted(&send_concurrently(&agent, 50).await);
        cluster.redis.kill();
        let mut killed = emptied + count_admitted(&send_concurrently(&agent, 50).await);
        cluster.instances[1].wait_until_degraded(true).await;
        killed += count_admitted(&send_concurrently(&agent, 50).await);
        cluster.redis.start_again();
        cluster.instances[1].wait_until_degraded(false).await;
        let restarted = killed + count_admitted(&send_concurrently(&agent, 50).await);
        [("emptied", emptied), ("killed", killed), ("restarted", restarted)]
    })
    .await;
    assert_eq!(counts, [("emptied", 60), ("killed", 60), ("restarted", 60)]);
}
