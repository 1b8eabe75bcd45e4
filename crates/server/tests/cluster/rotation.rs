//! Rotation of keys on three instances: every change is effective for the next request, and all secrets share one limit.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use svc_mcp_testkit::{
    Api, Key,
    cluster::{BRAND, Cluster, ClusterOptions, PLAN},
};
use tokio::task::JoinSet;

use crate::{
    limit::{count_admitted, send_concurrently},
    revocation::{choose_two, statuses_after},
};

const ROUNDS: usize = 300;
const CONCURRENT_ROUNDS: usize = 3;
/// The clocks differ, so that no instance can rely on the time of another one.
const CLOCK_OFFSETS: &[&str] = &["-7m", "+0", "+41m"];

/// The key with its new secret.
async fn rotate(api: &Api, key: &Key, grace: u32) -> Key {
    let rotated = api.post(&format!("{}/rotate", key.path()), &json!({"grace_seconds": grace})).await;
    Key::from_created(&key.brand, &rotated.expect_status(200).json())
}

async fn finish(api: &Api, key: &Key) {
    api.post(&format!("{}/rotate/finish", key.path()), &json!({})).await.expect_status(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ended_secret_is_refused_on_every_instance() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let options = ClusterOptions {
        clock_offsets: CLOCK_OFFSETS,
        arguments: &["--management-limit", "0"],
        ..ClusterOptions::default()
    };
    let cluster = Arc::new(Cluster::start(options).await);
    let mut workers = JoinSet::new();
    for number in 0..CONCURRENT_ROUNDS {
        let brand = format!("brand-{number}");
        cluster.add_brand(&brand, PLAN).await;
        let random = StdRng::seed_from_u64(random.random());
        workers.spawn(rotate_and_call(Arc::clone(&cluster), brand, random, ROUNDS / CONCURRENT_ROUNDS));
    }
    let refused: usize = workers.join_all().await.into_iter().sum();
    println!("{ROUNDS} rotations were ended, and {refused} later requests refused");
    assert!(refused >= 3 * ROUNDS);
}

/// Returns how many requests were refused after the end of the old secret was acknowledged.
async fn rotate_and_call(cluster: Arc<Cluster>, brand: String, mut random: StdRng, rounds: usize) -> usize {
    let mut refused = 0;
    for round in 0..rounds {
        let (one, other) = choose_two(cluster.count(), &mut random);
        let third = 3 - one - other;
        let old: Key = cluster.at(one).key(&brand, "read").await;
        let expect = async |instance: usize, key: &Key, status: u16, what: &str| {
            let response = cluster.agent(instance, key).list_tools().await;
            assert_eq!(response.status, status, "round {round} of {brand}, {what}: {response:?}");
        };
        for instance in [other, third] {
            expect(instance, &old, 200, "before").await;
        }
        // The old secret is used on another instance, so that it is read while it changes.
        let ended = Arc::new(AtomicBool::new(false));
        let busy = tokio::spawn(statuses_after(cluster.agent(third, &old), Arc::clone(&ended), 30));
        let new = if round % 3 == 0 {
            rotate(&cluster.at(one), &old, 0).await
        } else {
            let new = rotate(&cluster.at(one), &old, 86_400).await;
            for instance in [other, third] {
                expect(instance, &new, 200, "the new secret").await;
            }
            expect(other, &old, 200, "the old secret in its grace").await;
            finish(&cluster.at(other), &old).await;
            new
        };
        ended.store(true, Ordering::SeqCst);
        for instance in [one, other, third] {
            expect(instance, &old, 401, "the ended secret").await;
        }
        let after = busy.await.expect("the task ends");
        assert!(after.iter().all(|status| *status == 401), "round {round} of {brand}: {after:?}");
        refused += 3 + after.len();
        for instance in [one, other, third] {
            expect(instance, &new, 200, "the new secret at the end").await;
        }
        cluster.at(third).revoke(&new).await.expect_status(204);
        tokio::join!(expect(one, &new, 401, "revoked"), expect(other, &old, 401, "revoked"));
    }
    refused
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_share_one_limit_over_three_instances() {
    let options = ClusterOptions { clock_offsets: CLOCK_OFFSETS, ..ClusterOptions::default() };
    let cluster = Cluster::start(options).await;
    let (before, after) = cluster
        .with_redis(async || {
            let old = cluster.at(0).key(BRAND, "read").await;
            let agents = |keys: &[&Key]| -> Vec<Api> {
                let instances = 0..cluster.count();
                instances
                    .flat_map(|instance| keys.iter().map(move |key| (instance, *key)))
                    .map(|(instance, key)| cluster.agent(instance, key))
                    .collect()
            };
            let before = send_concurrently(&agents(&[&old]), 5).await;
            let new = rotate(&cluster.at(1), &old, 86_400).await;
            let after = send_concurrently(&agents(&[&old, &new]), 40).await;
            (before, after)
        })
        .await;
    assert_eq!((count_admitted(&before), after.len()), (15, 240));
    assert_eq!(count_admitted(&after), 60 - 15);
}
