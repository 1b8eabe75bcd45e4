//! Work beside the requests: one job, one worker, whoever dies.

use std::{collections::BTreeMap, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use svc_mcp_access::Timestamp;
use tokio::task::JoinSet;

use svc_mcp_testkit::{
    Key,
    cluster::{BRAND, Cluster, Wishes},
    eventually,
};

/// Moments from now, by the clock of the service, as the tools take them.
async fn moments(cluster: &Cluster, key: &Key, seconds: [u64; 3]) -> [String; 3] {
    let draft = json!({"text": "now", "channels": ["feed"], "dry_run": true});
    let made = cluster.agent(0, key).call("create_post", &draft).await.structured();
    let now: Timestamp = made["post"]["created_at"].as_str().and_then(|at| at.parse().ok()).expect("a time");
    seconds.map(|seconds| now.plus(Duration::from_secs(seconds)).to_string())
}

async fn posts(cluster: &Cluster, key: &Key) -> Vec<Value> {
    let listing = cluster.agent(0, key).call("list_posts", &json!({"limit": 100})).await.structured();
    listing["items"].as_array().expect("a list").clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scheduled_posts_are_published_once_also_when_an_instance_dies() {
    const POSTS: usize = 50;
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let mut cluster = Cluster::start(Wishes::default()).await;
    let key = cluster.at(0).key(BRAND, "write").await;
    // Far enough that all of them are stored by then, also on a busy machine.
    let times = moments(&cluster, &key, [8, 9, 10]).await;
    let mut calls = JoinSet::new();
    for number in 0..POSTS {
        let draft = json!({"text": format!("number {number}"), "channels": ["feed"], "mode": "schedule",
            "scheduled_at": times[number % times.len()]});
        let agent = cluster.agent(number % cluster.count(), &key);
        calls.spawn(async move { agent.call("create_post", &draft).await.structured() });
    }
    calls.join_all().await;
    // The one that would do it may die just then: the others do it.
    eventually("the first post in the feed", async || {
        let feed = cluster.at(0).get(&format!("/feeds/{BRAND}/feed.json")).await.expect(200).json();
        (feed["items"].as_array().map_or(0, Vec::len) > 0).then_some(())
    })
    .await;
    tokio::time::sleep(Duration::from_millis(random.random_range(0..1500))).await;
    let victim = random.random_range(1..cluster.count());
    cluster.instances[victim].kill();
    let reader = cluster.at(0).key(BRAND, "read").await;
    eventually("the last post in the feed", async || {
        let feed = cluster.at(0).get(&format!("/feeds/{BRAND}/feed.json")).await.expect(200).json();
        (feed["items"].as_array().map_or(0, Vec::len) == POSTS).then_some(())
    })
    .await;
    cluster.instances[victim].start().await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let feed = cluster.at(victim).get(&format!("/feeds/{BRAND}/feed.json")).await.expect(200).json();
    assert_eq!(feed["items"].as_array().map(Vec::len), Some(POSTS));
    let posts = posts(&cluster, &reader).await;
    assert_eq!(posts.len(), POSTS);
    for post in posts {
        let target = &post["targets"][0];
        assert_eq!(target["status"], "published", "{post}");
        assert_eq!(target["attempts"], 1, "published once: {post}");
        assert_eq!(target["published_at"], post["scheduled_at"], "with its own time: {post}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_activity_of_all_instances_arrives() {
    let cluster = Cluster::start(Wishes::default()).await;
    let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
    for instance in 0..cluster.count() {
        for _ in 0..3 {
            let key = cluster.at(instance).key(BRAND, "read").await;
            // Each key is used everywhere, so that the instances write about the same keys.
            for other in 0..cluster.count() {
                let agent = cluster.agent(other, &key);
                for _ in 0..5 {
                    agent.tools().await.expect(200);
                    agent.call("get_brand", &json!({})).await.structured();
                    agent.call("create_post", &json!({})).await.expect(403);
                }
            }
            wanted.insert(key.key_id, 15 * cluster.count());
        }
    }
    for (key_id, wanted) in &wanted {
        let path = format!("/api/brands/{BRAND}/mcp-activity?key_id={key_id}&limit=200");
        let arrived = async || {
            let events = cluster.at(0).get(&path).await.expect(200).json();
            let events = events["events"].as_array().expect("a list").clone();
            let used = events.iter().filter(|event| event["kind"] != "created").count();
            (used == *wanted).then_some(())
        };
        eventually("every use in the activity", arrived).await;
    }
    let usage = cluster.at(1).get(&format!("/api/brands/{BRAND}/mcp-usage?days=1")).await.expect(200).json();
    let lines = usage["usage"].as_array().expect("a list");
    for (key_id, wanted) in &wanted {
        let of_key = lines.iter().filter(|line| line["key_id"] == key_id.as_str());
        let calls: u64 = of_key.filter_map(|line| line["calls"].as_u64()).sum();
        // Denied ones are no calls.
        assert_eq!(calls, (*wanted as u64) * 2 / 3, "{usage}");
    }
    let keys = cluster.at(2).get(&format!("/api/brands/{BRAND}/mcp-keys")).await.expect(200).json();
    for key in keys["keys"].as_array().expect("a list") {
        assert!(key["last_used_at"].is_string(), "{key}");
    }
    for instance in &cluster.instances {
        assert!(!instance.log().contains("the store"), "writing together went wrong: {}", instance.log());
    }
}

/// Each instance writes what it gathered about the same keys, tools and outcomes, in whatever order they were used.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instances_that_write_about_the_same_keys_do_not_lock_each_other_out() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(Wishes::default()).await;
    let mut keys = Vec::new();
    for _ in 0..20 {
        keys.push(cluster.at(0).key(BRAND, "read").await);
    }
    let mut agents = JoinSet::new();
    for instance in 0..cluster.count() {
        let agents_of: Vec<_> = keys.iter().map(|key| cluster.agent(instance, key)).collect();
        let mut random = StdRng::seed_from_u64(random.random());
        agents.spawn(async move {
            for _ in 0..15 * agents_of.len() {
                let agent = &agents_of[random.random_range(0..agents_of.len())];
                let answer = match random.random_range(0..5) {
                    0 => agent.tools().await,
                    1 => agent.call("get_brand", &json!({})).await,
                    2 => agent.call("list_posts", &json!({})).await,
                    3 => agent.call("no_such_tool", &json!({})).await,
                    _ => agent.call("create_post", &json!({})).await,
                };
                assert!(matches!(answer.status, 200 | 403 | 404 | 429), "{answer:?}");
            }
        });
    }
    agents.join_all().await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    for instance in &cluster.instances {
        assert!(!instance.log().contains("deadlock"), "{}", instance.log());
    }
}
