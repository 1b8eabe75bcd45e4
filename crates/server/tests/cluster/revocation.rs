//! What was answered holds on every instance, from the very next request on.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::task::JoinSet;

use svc_mcp_testkit::{
    Api, Key,
    cluster::{BRAND, Cluster, PLAN, USER, Wishes},
};

const ROUNDS: usize = 1_000;
const AT_ONCE: usize = 4;
/// Of the other changes that take access away or give it back.
const OTHER_ROUNDS: usize = 100;

/// Two different instances.
pub(crate) fn two_of(count: usize, random: &mut StdRng) -> (usize, usize) {
    let first = random.random_range(0..count);
    let second = (first + random.random_range(1..count)) % count;
    (first, second)
}

/// Asks with a key until told to stop, and gives the status of every request that was begun after the word was given.
pub(crate) async fn hammer(agent: Api, answered: Arc<AtomicBool>, most: usize) -> Vec<u16> {
    let mut after = Vec::new();
    for _ in 0..most {
        let begun_after = answered.load(Ordering::SeqCst);
        let status = agent.tools().await.status;
        if begun_after {
            after.push(status);
            if after.len() >= 2 {
                break;
            }
        }
    }
    after
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_key_is_refused_by_every_instance_at_once() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Arc::new(Cluster::start(Wishes::default()).await);
    let mut workers = JoinSet::new();
    for number in 0..AT_ONCE {
        let brand = format!("brand-{number}");
        cluster.add_brand(&brand, PLAN).await;
        workers.spawn(revoke_and_call(
            Arc::clone(&cluster),
            brand,
            StdRng::seed_from_u64(random.random()),
            ROUNDS / AT_ONCE,
        ));
    }
    let refused: usize = workers.join_all().await.into_iter().sum();
    println!("{ROUNDS} keys were revoked, and {refused} requests after the answers refused");
    assert!(refused >= 2 * ROUNDS);
}

/// Gives how many requests were refused after a revoke was answered.
async fn revoke_and_call(cluster: Arc<Cluster>, brand: String, mut random: StdRng, rounds: usize) -> usize {
    let mut refused = 0;
    for round in 0..rounds {
        let (one, other) = two_of(cluster.count(), &mut random);
        let third = 3 - one - other;
        let key: Key = cluster.at(one).key(&brand, "read").await;
        for instance in [other, third] {
            cluster.agent(instance, &key).tools().await.expect(200);
        }
        // Meanwhile the key is in use elsewhere, so that its standing is read while it changes.
        let answered = Arc::new(AtomicBool::new(false));
        let busy = tokio::spawn(hammer(cluster.agent(third, &key), Arc::clone(&answered), 40));
        cluster.at(one).revoke(&key).await.expect(204);
        answered.store(true, Ordering::SeqCst);
        let at_once = cluster.agent(other, &key).tools().await;
        assert_eq!(at_once.status, 401, "round {round} of {brand}: admitted after the revoke: {at_once:?}");
        let after = busy.await.expect("it asks");
        assert!(after.iter().all(|status| *status == 401), "round {round} of {brand}: {after:?}");
        refused += 1 + after.len();
    }
    refused
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_and_a_membership_change_everywhere_at_once() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(Wishes::default()).await;
    for round in 0..OTHER_ROUNDS {
        // 60 requests a minute would be too few for all rounds.
        let key = cluster.at(0).key(BRAND, "read").await;
        let expect = async |instance: usize, status: u16, change: &str| {
            let answer = cluster.agent(instance, &key).tools().await;
            assert_eq!(answer.status, status, "round {round}, {change}: {answer:?}");
        };
        for instance in 0..cluster.count() {
            expect(instance, 200, "before").await;
        }
        let (one, other) = two_of(cluster.count(), &mut random);
        let third = 3 - one - other;
        for (on, status) in [(false, 403), (true, 200)] {
            cluster.put_plan(one, on).await;
            tokio::join!(expect(other, status, "plan"), expect(third, status, "plan"));
        }
        cluster.remove_member(one, BRAND, USER).await;
        tokio::join!(expect(other, 403, "removal"), expect(third, 403, "removal"));
        cluster.put_member(other, BRAND, USER).await;
        tokio::join!(expect(one, 200, "return"), expect(third, 200, "return"));
        cluster.at(one).revoke(&key).await.expect(204);
    }
}
