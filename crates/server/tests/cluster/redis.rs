//! Redis gone, hung, emptied, unreachable for one instance, or of no use: served still, and strict still.

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
    Answer, Api, Key,
    cluster::{BRAND, Cluster, Mode, USER, Wishes},
    glance,
};
use tokio::task::JoinSet;

use crate::{
    limit::{admitted, all_at_once},
    revocation::two_of,
};

/// Agents that keep asking instances until told to stop. Every request must be answered, by 200 or 429.
struct Traffic {
    stop: Arc<AtomicBool>,
    agents: JoinSet<usize>,
}

impl Traffic {
    async fn start(cluster: &Cluster) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        cluster.add_brand("steady", "steady").await;
        let mut agents = JoinSet::new();
        // The last one is restarted now and then.
        for instance in 0..cluster.count() - 1 {
            let mut keys = Vec::new();
            for _ in 0..4 {
                keys.push(cluster.at(instance).key("steady", "write").await);
            }
            let agent = cluster.at(instance);
            agents.spawn(ask(agent, keys, Arc::clone(&stop)));
        }
        Self { stop, agents }
    }

    /// Gives how many requests were answered.
    async fn stop(self) -> usize {
        self.stop.store(true, Ordering::SeqCst);
        self.agents.join_all().await.into_iter().sum()
    }
}

async fn ask(agent: Api, keys: Vec<Key>, stop: Arc<AtomicBool>) -> usize {
    let mut answered = 0;
    while !stop.load(Ordering::SeqCst) {
        let agent = agent.with(&keys[answered % keys.len()].secret);
        let answer: Answer = match answered % 3 {
            0 => agent.tools().await,
            1 => agent.call("get_brand", &json!({})).await,
            _ => agent.call("list_posts", &json!({})).await,
        };
        assert!(matches!(answer.status, 200 | 429), "{answer:?}");
        answered += 1;
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    answered
}

/// Takes access away and gives it back over one instance, and asks another one after each answer.
async fn strict(cluster: &Cluster, rounds: usize, random: &mut StdRng) {
    for round in 0..rounds {
        let (one, other) = two_of(cluster.count(), random);
        let key = cluster.at(one).key(BRAND, "read").await;
        let expect = async |instance: usize, status: u16, change: &str| {
            let answer = cluster.agent(instance, &key).tools().await;
            assert_eq!(
                answer.status, status,
                "round {round}, {change} over {one}, asked {instance}: {answer:?}"
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
                expect(other, 200, "return").await;
            }
            _ => {}
        }
        cluster.at(one).revoke(&key).await.expect(204);
        for instance in [other, 3 - one - other, one] {
            expect(instance, 401, "revoke").await;
        }
    }
}

/// Whether the 60 are shared by all instances, or each has its own.
async fn limit_over_all(cluster: &Cluster) -> usize {
    let key = cluster.at(0).key(BRAND, "read").await;
    let agents: Vec<Api> = (0..cluster.count()).map(|instance| cluster.agent(instance, &key)).collect();
    let mut answers = Vec::new();
    // Some at a time: where each one is looked up in the database, more would be shed.
    for _ in 0..10 {
        answers.extend(all_at_once(&agents, 7).await);
    }
    let admitted = admitted(&answers);
    cluster.at(0).revoke(&key).await.expect(204);
    admitted
}

async fn all_become_degraded(cluster: &Cluster, degraded: bool) {
    for instance in &cluster.instances {
        instance.becomes_degraded(degraded).await;
    }
}

async fn some_time(random: &mut StdRng, most: u64) {
    tokio::time::sleep(Duration::from_millis(random.random_range(0..most))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_it_is_served_and_strict_and_shared_again_by_itself() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let mut cluster = Cluster::start(Wishes::default()).await;
    let traffic = Traffic::start(&cluster).await;
    assert_eq!(cluster.with_redis(async || limit_over_all(&cluster).await).await, 60);
    for _ in 0..2 {
        some_time(&mut random, 500).await;
        cluster.redis.kill();
        strict(&cluster, 3, &mut random).await;
        all_become_degraded(&cluster, true).await;
        assert_eq!(limit_over_all(&cluster).await, 180, "each instance counts for itself");
        for instance in &cluster.instances {
            let ready = glance(instance.address, "/readyz").await;
            assert!(ready.as_ref().is_some_and(|(status, _)| *status == 200), "it serves: {ready:?}");
            assert!(instance.log().contains("degraded"), "{}", instance.log());
        }
        // Who starts now starts without it.
        cluster.instances[2].stop().await;
        cluster.instances[2].start().await;
        cluster.instances[2].becomes_degraded(true).await;
        cluster.redis.start_again();
        strict(&cluster, 3, &mut random).await;
        assert_eq!(cluster.with_redis(async || limit_over_all(&cluster).await).await, 60, "shared again");
    }
    println!("{} requests were answered meanwhile", traffic.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hung_redis_costs_bounded_waiting_and_nothing_else() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(Wishes::default()).await;
    let traffic = Traffic::start(&cluster).await;
    some_time(&mut random, 500).await;
    let frozen = cluster.redis.freeze();
    strict(&cluster, 2, &mut random).await;
    all_become_degraded(&cluster, true).await;
    some_time(&mut random, 500).await;
    drop(frozen);
    strict(&cluster, 2, &mut random).await;
    assert_eq!(cluster.with_redis(async || limit_over_all(&cluster).await).await, 60, "shared again");
    println!("{} requests were answered meanwhile", traffic.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emptied_redis_is_not_noticed_by_anybody() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Arc::new(Cluster::start(Wishes::default()).await);
    let traffic = Traffic::start(&cluster).await;
    let stop = Arc::new(AtomicBool::new(false));
    let emptying = {
        let (cluster, stop) = (Arc::clone(&cluster), Arc::clone(&stop));
        let mut random = StdRng::seed_from_u64(random.random());
        tokio::spawn(async move {
            let mut times = 0;
            while !stop.load(Ordering::SeqCst) {
                cluster.redis.ask("FLUSHALL");
                times += 1;
                some_time(&mut random, 500).await;
            }
            times
        })
    };
    strict(&cluster, 100, &mut random).await;
    stop.store(true, Ordering::SeqCst);
    let times = emptying.await.expect("it empties");
    println!("emptied {times} times, {} requests answered meanwhile", traffic.stop().await);
    assert_eq!(cluster.with_redis(async || limit_over_all(&cluster).await).await, 60);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_that_alone_is_cut_off_from_redis_stays_strict() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(Wishes { links: true, ..Wishes::default() }).await;
    let traffic = Traffic::start(&cluster).await;
    for _ in 0..6 {
        let (_, to_redis) = &cluster.links[random.random_range(0..cluster.count())];
        to_redis.set(if random.random() { Mode::Cut } else { Mode::Silent });
        strict(&cluster, 2, &mut random).await;
        to_redis.set(Mode::Open);
        strict(&cluster, 1, &mut random).await;
    }
    assert_eq!(cluster.with_redis(async || limit_over_all(&cluster).await).await, 60, "shared again");
    println!("{} requests were answered meanwhile", traffic.stop().await);
}

/// A virtual machine that is moved, a process that is starved: when it goes on, it has heard of nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_that_stood_still_trusts_nothing_it_remembers() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Arc::new(Cluster::start(Wishes { links: true, ..Wishes::default() }).await);
    let mut rounds = JoinSet::new();
    // The revoke over an instance without Redis is held back for a while, so several keys go at once.
    for round in 0..8 {
        let keys: Vec<Key> = {
            let mut keys = Vec::new();
            for _ in 0..6 {
                keys.push(cluster.at(0).key(BRAND, "read").await);
            }
            keys
        };
        for key in &keys {
            cluster.agent(1, key).tools().await.expect(200);
        }
        cluster.links[0].1.set(Mode::Cut);
        some_time(&mut random, 400).await;
        let frozen = cluster.instances[1].freeze();
        let revokes = keys.iter().map(|key| {
            let (api, key) = (cluster.at(0), key.clone());
            async move {
                let end = Instant::now() + Duration::from_secs(30);
                let mut answer = api.revoke(&key).await;
                // One that stands still in the middle of a write holds its rows until PostgreSQL ends it.
                while answer.status == 503 && Instant::now() < end {
                    answer = api.revoke(&key).await;
                }
                answer.expect(204)
            }
        });
        for revoke in revokes.map(tokio::spawn).collect::<Vec<_>>() {
            revoke.await.expect("it revokes");
        }
        // These wait at the instance's door when it wakes up.
        for key in &keys {
            let agent = cluster.agent(1, key);
            rounds.spawn(async move { (round, agent.tools().await.status) });
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        drop(frozen);
        while let Some(asked) = rounds.join_next().await {
            let (round, status) = asked.expect("it asks");
            assert_eq!(status, 401, "round {round}: admitted after the revoke was answered");
        }
        cluster.links[0].1.set(Mode::Open);
    }
}

/// Out of memory, or a replica by mistake: it says PONG, and counts nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_takes_no_writes_is_as_good_as_gone() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(Wishes::default()).await;
    let traffic = Traffic::start(&cluster).await;
    cluster.redis.ask("CONFIG SET maxmemory 1");
    all_become_degraded(&cluster, true).await;
    strict(&cluster, 2, &mut random).await;
    for _ in 0..20 {
        for instance in &cluster.instances {
            assert!(instance.is_degraded().await, "it says that all is well while nothing is counted");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    cluster.redis.ask("CONFIG SET maxmemory 0");
    assert_eq!(cluster.with_redis(async || limit_over_all(&cluster).await).await, 60, "shared again");
    println!("{} requests were answered meanwhile", traffic.stop().await);
}

/// Where each instance counts for itself, what it has admitted in the last minute counts: 60, not 60 more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_instance_admits_more_than_60_whatever_becomes_of_redis() {
    let mut cluster = Cluster::start(Wishes::default()).await;
    let key = cluster.at(0).key(BRAND, "read").await;
    let only = [cluster.agent(1, &key)];
    let mut count = admitted(&all_at_once(&only, 50).await);
    cluster.redis.ask("FLUSHALL");
    count += admitted(&all_at_once(&only, 50).await);
    assert_eq!(count, 60, "Redis was emptied");
    cluster.redis.kill();
    count += admitted(&all_at_once(&only, 50).await);
    cluster.instances[1].becomes_degraded(true).await;
    count += admitted(&all_at_once(&only, 50).await);
    assert_eq!(count, 60, "Redis went away");
    cluster.redis.start_again();
    cluster.instances[1].becomes_degraded(false).await;
    count += admitted(&all_at_once(&only, 50).await);
    assert_eq!(count, 60, "Redis came back, empty");
}
