//! An acknowledged change is effective on every instance for the next request.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use tokio::task::JoinSet;

use svc_mcp_testkit::{
    Api, Key,
    cluster::{BRAND, Cluster, ClusterOptions, PLAN, USER},
};

const ROUNDS: usize = 1_000;
const CONCURRENT_ROUNDS: usize = 4;
/// Rounds of plan and membership changes.
const OTHER_ROUNDS: usize = 100;

/// Chooses two different instances.
pub(crate) fn choose_two(count: usize, random: &mut StdRng) -> (usize, usize) {
    let first = random.random_range(0..count);
    let second = (first + random.random_range(1..count)) % count;
    (first, second)
}

/// Sends requests with a key, and returns the statuses of the first two that start after `revoked` is set.
pub(crate) async fn statuses_after(agent: Api, revoked: Arc<AtomicBool>, max_requests: usize) -> Vec<u16> {
    let mut after = Vec::new();
    for _ in 0..max_requests {
        let is_after = revoked.load(Ordering::SeqCst);
        let status = agent.list_tools().await.status;
        if is_after {
            after.push(status);
            if after.len() >= 2 {
                break;
            }
        }
    }
    after
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn revoked_key_is_refused_on_every_instance() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Arc::new(Cluster::start(ClusterOptions::default()).await);
    let mut workers = JoinSet::new();
    for number in 0..CONCURRENT_ROUNDS {
        let brand = format!("brand-{number}");
        cluster.add_brand(&brand, PLAN).await;
        workers.spawn(revoke_and_call(
            Arc::clone(&cluster),
            brand,
            StdRng::seed_from_u64(random.random()),
            ROUNDS / CONCURRENT_ROUNDS,
        ));
    }
    let refused: usize = workers.join_all().await.into_iter().sum();
    println!("{ROUNDS} keys were revoked, and {refused} later requests refused");
    assert!(refused >= 2 * ROUNDS);
}

/// Returns how many requests were refused after a revoke was acknowledged.
async fn revoke_and_call(cluster: Arc<Cluster>, brand: String, mut random: StdRng, rounds: usize) -> usize {
    let mut refused = 0;
    for round in 0..rounds {
        let (one, other) = choose_two(cluster.count(), &mut random);
        let third = 3 - one - other;
        let key: Key = cluster.at(one).key(&brand, "read").await;
        for instance in [other, third] {
            cluster.agent(instance, &key).list_tools().await.expect_status(200);
        }
        // The key is used on another instance, so that it is read while it changes.
        let revoked = Arc::new(AtomicBool::new(false));
        let busy = tokio::spawn(statuses_after(cluster.agent(third, &key), Arc::clone(&revoked), 40));
        cluster.at(one).revoke(&key).await.expect_status(204);
        revoked.store(true, Ordering::SeqCst);
        let next = cluster.agent(other, &key).list_tools().await;
        assert_eq!(next.status, 401, "round {round} of {brand}: admitted after the revoke: {next:?}");
        let after = busy.await.expect("the task ends");
        assert!(after.iter().all(|status| *status == 401), "round {round} of {brand}: {after:?}");
        refused += 1 + after.len();
    }
    refused
}

/// An address may send 20 reports a minute to each of the three instances.
const REPORT_ROUNDS: usize = 45;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaked_key_is_refused_on_every_instance() {
    let cluster = Cluster::start(ClusterOptions::default()).await;
    for round in 0..REPORT_ROUNDS {
        let (one, other, third) = (round % 3, (round + 1) % 3, (round + 2) % 3);
        let key: Key = cluster.at(other).key(BRAND, "read").await;
        for instance in [one, other, third] {
            cluster.agent(instance, &key).list_tools().await.expect_status(200);
        }
        let revoked = Arc::new(AtomicBool::new(false));
        let busy = tokio::spawn(statuses_after(cluster.agent(third, &key), Arc::clone(&revoked), 40));
        let report = json!({"keys": [format!("KEY={}", key.secret)], "source": "a test"});
        cluster.at(one).post("/api/leaked-keys", &report).await.expect_status(202);
        revoked.store(true, Ordering::SeqCst);
        for instance in [other, one] {
            let next = cluster.agent(instance, &key).list_tools().await;
            assert_eq!(next.status, 401, "round {round}: admitted after the report: {next:?}");
        }
        let after = busy.await.expect("the task ends");
        assert!(after.iter().all(|status| *status == 401), "round {round}: {after:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plan_and_membership_changes_are_effective_on_every_instance() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(ClusterOptions::default()).await;
    for round in 0..OTHER_ROUNDS {
        // A new key for each round, because a key may send 60 requests a minute.
        let key = cluster.at(0).key(BRAND, "read").await;
        let expect = async |instance: usize, status: u16, change: &str| {
            let response = cluster.agent(instance, &key).list_tools().await;
            assert_eq!(response.status, status, "round {round}, {change}: {response:?}");
        };
        for instance in 0..cluster.count() {
            expect(instance, 200, "before").await;
        }
        let (one, other) = choose_two(cluster.count(), &mut random);
        let third = 3 - one - other;
        for (on, status) in [(false, 403), (true, 200)] {
            cluster.put_plan(one, on).await;
            tokio::join!(expect(other, status, "plan"), expect(third, status, "plan"));
        }
        for (action, status) in [("suspend", 403), ("resume", 200)] {
            let path = format!("/api/admin/brands/{BRAND}/{action}");
            cluster.operator(one).post(&path, &serde_json::json!({})).await.expect_status(200);
            tokio::join!(
                expect(one, status, action),
                expect(other, status, action),
                expect(third, status, action)
            );
        }
        cluster.remove_member(one, BRAND, USER).await;
        tokio::join!(expect(other, 403, "removal"), expect(third, 403, "removal"));
        cluster.put_member(other, BRAND, USER).await;
        tokio::join!(expect(one, 403, "return"), expect(third, 403, "return"));
        for (paused, status) in [(false, 200), (true, 403)] {
            cluster.at(one).set_paused(&key, paused).await.expect_status(200);
            tokio::join!(expect(other, status, "pause"), expect(third, status, "pause"));
        }
        cluster.at(one).revoke(&key).await.expect_status(204);
    }
}
