//! PostgreSQL is down, frozen or failed over, or loses the response to a commit. Requests are answered 503, and the
//! instances recover by themselves.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tokio::task::JoinSet;

use svc_mcp_testkit::{
    ApiResponse, Key,
    cluster::{BRAND, Cluster, ClusterOptions, ProxyMode, query_one},
    eventually, eventually_with_key, try_send,
};

/// Sends one request of each kind that needs the store.
async fn use_the_store(cluster: &Cluster, instance: usize, key: &Key) -> Vec<ApiResponse> {
    let (person, agent) = (cluster.at(instance), cluster.agent(instance, key));
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    let (new_key, post) = (json!({"label": "during an outage"}), post("during an outage"));
    let plan = json!({"name": "Business", "mcp_enabled": true});
    let operator = person.with_bearer(&cluster.operator);
    let (listed, made, called, written, fed, planned) = tokio::join!(
        person.get(&keys),
        person.post(&keys, &new_key),
        agent.call("list_posts", &Value::Null),
        agent.call("create_post", &post),
        person.get("/feeds/acme/feed.json"),
        operator.put("/api/admin/plans/business", &plan),
    );
    vec![listed, made, called, written, fed, planned]
}

fn post(text: &str) -> Value {
    json!({"text": text, "channels": ["feed"], "mode": "now"})
}

/// The number of posts with this text.
async fn count_posts(cluster: &Cluster, text: &str) -> i64 {
    let mut database = PgConnection::connect(&cluster.database).await.expect("a connection to PostgreSQL");
    let counted: (i64,) = sqlx::query_as("SELECT COUNT(*) FROM posts WHERE text = $1")
        .bind(text)
        .fetch_one(&mut database)
        .await
        .expect("the SQL runs");
    counted.0
}

async fn wait_until_all_ready(cluster: &Cluster, ready: bool) {
    let status = if ready { 200 } else { 503 };
    for instance in 0..cluster.count() {
        let what = format!("/readyz {status} of instance {instance}");
        let api = cluster.at(instance);
        eventually(&what, async || (api.get("/readyz").await.status == status).then_some(())).await;
        api.get("/healthz").await.expect_status(200);
    }
}

/// Every instance can use the store.
async fn assert_all_work(cluster: &Cluster, key: &Key) {
    // The feed answers 404 until something is published.
    cluster.agent(0, key).call("create_post", &post("in the feed")).await.expect_status(200);
    for instance in 0..cluster.count() {
        for response in use_the_store(cluster, instance, key).await {
            assert!((200..300).contains(&response.status), "instance {instance}: {response:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_postgresql_requests_are_answered_503_until_it_is_back() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let mut cluster =
        Cluster::start(ClusterOptions { own_postgres: true, ..ClusterOptions::default() }).await;
    let key = cluster.at(0).key(BRAND, "write").await;
    assert_all_work(&cluster, &key).await;
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(random.random_range(0..300))).await;
        let before = count_posts(&cluster, "during an outage").await;
        cluster.postgres.stop();
        wait_until_all_ready(&cluster, false).await;
        for instance in 0..cluster.count() {
            for response in use_the_store(&cluster, instance, &key).await {
                assert!(response.is_unavailable(), "instance {instance}: {response:?}");
            }
            let agent = cluster.agent(instance, &key);
            let refused = async || agent.list_tools().await.is_unavailable().then_some(());
            eventually_with_key("503 for a cached key", refused).await;
        }
        cluster.postgres.start_again();
        wait_until_all_ready(&cluster, true).await;
        assert_eq!(
            count_posts(&cluster, "during an outage").await,
            before,
            "no post was created during the outage"
        );
        let key = cluster.at(0).key(BRAND, "write").await;
        assert_all_work(&cluster, &key).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frozen_postgresql_is_answered_503() {
    let cluster = Cluster::start(ClusterOptions { own_postgres: true, ..ClusterOptions::default() }).await;
    let key = cluster.at(0).key(BRAND, "write").await;
    assert_all_work(&cluster, &key).await;
    let mut keys = Vec::new();
    for _ in 0..cluster.count() {
        keys.push(cluster.at(0).key(BRAND, "write").await);
    }
    let frozen = cluster.postgres.freeze().await;
    // More requests than connections in the pool. Each is answered while PostgreSQL is frozen.
    let mut requests = JoinSet::new();
    for (instance, key) in keys.iter().enumerate() {
        for number in 0..25 {
            let agent = cluster.agent(instance, key);
            let text = format!("while-hung-{instance}-{number}");
            requests.spawn(async move {
                let response =
                    try_send(agent.idempotent_call_request("create_post", &post(&text), &text)).await;
                (text, agent, response.expect("a response while PostgreSQL is frozen"))
            });
        }
    }
    wait_until_all_ready(&cluster, false).await;
    let mut sent = Vec::new();
    while let Some(asked) = requests.join_next().await {
        let (text, agent, response) = asked.expect("the task ends");
        assert!(response.is_unavailable(), "{response:?}");
        sent.push((text, agent));
    }
    drop(frozen);
    wait_until_all_ready(&cluster, true).await;
    let fresh = cluster.at(0).key(BRAND, "write").await;
    assert_all_work(&cluster, &fresh).await;
    // A call may have been executed or not. After it is repeated, its post exists once, unless the call is still claimed.
    let mut executed = 0;
    for (text, agent) in &sent {
        let repeated = try_send(agent.idempotent_call_request("create_post", &post(text), text))
            .await
            .expect("a response");
        match repeated.status {
            200 => {
                assert_eq!(count_posts(&cluster, text).await, 1, "{text}");
                executed += 1;
            }
            409 => assert!(count_posts(&cluster, text).await <= 1, "the post {text} exists twice"),
            _ => panic!("{repeated:?}"),
        }
    }
    println!("{executed} of {} were executed when repeated; the others are still claimed", sent.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failover_fails_at_most_one_request_per_connection() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(ClusterOptions { own_postgres: true, ..ClusterOptions::default() }).await;
    let stop = Arc::new(AtomicBool::new(false));
    let (answered, failed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let mut people = JoinSet::new();
    for instance in 0..cluster.count() {
        for number in 0..6 {
            let (api, stop) = (cluster.at(instance), Arc::clone(&stop));
            let (answered, failed) = (Arc::clone(&answered), Arc::clone(&failed));
            people.spawn(async move {
                let keys = format!("/api/brands/{BRAND}/mcp-keys");
                while !stop.load(Ordering::SeqCst) {
                    let response =
                        if number % 2 == 0 { api.get(&keys).await } else { api.get("/api/me").await };
                    answered.fetch_add(1, Ordering::SeqCst);
                    if response.status != 200 {
                        assert!(response.is_unavailable(), "{response:?}");
                        failed.fetch_add(1, Ordering::SeqCst);
                    }
                }
            });
        }
    }
    let mut dropped = 0;
    for _ in 0..8 {
        tokio::time::sleep(Duration::from_millis(random.random_range(50..400))).await;
        let sql = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity \
                   WHERE application_name = 'svc-mcp' AND pid <> pg_backend_pid()";
        let (closed,): (i64,) = query_one(&cluster.database, sql).await;
        dropped += u64::try_from(closed).expect("a count");
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    stop.store(true, Ordering::SeqCst);
    people.join_all().await;
    let (answered, failed) = (answered.load(Ordering::SeqCst), failed.load(Ordering::SeqCst));
    println!("{dropped} connections were dropped, {failed} of {answered} requests failed");
    assert!(dropped >= 8 && answered > 100);
    assert!(failed <= dropped, "{failed} requests failed for {dropped} connections");
}

/// A machine that fails does not close its connections. Requests must not wait for it forever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dead_connections_fail_at_most_one_request_each() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(ClusterOptions { proxies: true, ..ClusterOptions::default() }).await;
    let failed_of = async |count: usize| {
        let mut people = JoinSet::new();
        for _ in 0..count {
            let api = cluster.at(0);
            people.spawn(async move { api.get("/api/me").await });
        }
        let responses = people.join_all().await;
        for response in &responses {
            assert!(response.status == 200 || response.is_unavailable(), "{response:?}");
        }
        responses.iter().filter(|response| response.status != 200).count()
    };
    // Opens all connections of the pool.
    assert_eq!(failed_of(40).await, 0);
    let connected = "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'svc-mcp' AND datname = current_database()";
    let (connections,): (i64,) = query_one(&cluster.database, connected).await;
    tokio::time::sleep(Duration::from_millis(random.random_range(0..1500))).await;
    cluster.proxies[0].postgres.fail_over();
    let mut failed = 0;
    eventually("all dead connections replaced", async || {
        let failed_now = failed_of(8).await;
        failed += failed_now;
        (failed_now == 0).then_some(())
    })
    .await;
    assert_eq!(failed_of(40).await, 0, "all connections work");
    println!("{failed} requests failed for {connections} connections of all instances");
    assert!(failed <= usize::try_from(connections).expect("a count"));
    assert_eq!(cluster.at(0).get("/readyz").await.status, 200);
}

/// The commit is executed, but its response is lost. The repeated call must not be executed again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commit_without_a_response_is_applied_once() {
    let cluster = Cluster::start(ClusterOptions { proxies: true, ..ClusterOptions::default() }).await;
    let key = cluster.at(0).key(BRAND, "write").await;
    let agent = cluster.agent(0, &key);
    let to_postgres = &cluster.proxies[0].postgres;
    agent.list_tools().await.expect_status(200);
    // After the use is written, no other commit is pending.
    let path = format!("{}/activity?kind=list&limit=200", key.path());
    let count_uses = async || {
        let events = cluster.at(1).get(&path).await.expect_status(200).json();
        events["events"].as_array().map_or(0, Vec::len)
    };
    eventually("the use in the activity", async || (count_uses().await == 1).then_some(())).await;
    // The commit of the claim passes. The response to the commit of the post is lost.
    to_postgres.set(ProxyMode::LoseCommits { after: 1 });
    let first = try_send(agent.idempotent_call_request("create_post", &post("committed"), "once")).await;
    let first = first.expect("a response");
    assert!(first.is_unavailable(), "{first:?}");
    // The batch with the uses loses the response to its commit too.
    eventually("a batch that lost its commit", async || (to_postgres.commits() >= 4).then_some(())).await;
    to_postgres.set(ProxyMode::Open);
    let repeated = try_send(agent.idempotent_call_request("create_post", &post("committed"), "once"))
        .await
        .expect("a response");
    assert_eq!(repeated.header("idempotency-replayed"), "true", "{repeated:?}");
    repeated.tool_result();
    assert_eq!(count_posts(&cluster, "committed").await, 1);

    // Each use is recorded once in the activity and in the usage.
    let calls = 1 + 5;
    for _ in 0..5 {
        agent.list_tools().await.expect_status(200);
    }
    let listed = eventually("the uses in the activity", async || {
        let count = count_uses().await;
        (count >= calls).then_some(count)
    })
    .await;
    assert_eq!(listed, calls);
    tokio::time::sleep(Duration::from_millis(600)).await;
    let usage =
        cluster.at(1).get(&format!("/api/brands/{BRAND}/mcp-usage?days=1")).await.expect_status(200).json();
    let lines = usage["usage"].as_array().expect("a list").iter();
    let lists: u64 = lines
        .filter(|line| {
            line["key_id"] == key.key_id.as_str() && line["tool"].as_str().unwrap_or_default().is_empty()
        })
        .filter_map(|line| line["calls"].as_u64())
        .sum();
    assert_eq!(lists, calls as u64, "each use is counted once: {usage}");
}

/// A revoke without a response from PostgreSQL is answered 503, but it is effective on every instance.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn revoke_without_a_response_is_effective_on_every_instance() {
    let cluster = Cluster::start(ClusterOptions { proxies: true, ..ClusterOptions::default() }).await;
    for _ in 0..5 {
        let key = cluster.at(1).key(BRAND, "read").await;
        for instance in 0..cluster.count() {
            cluster.agent(instance, &key).list_tools().await.expect_status(200);
        }
        cluster.proxies[0].postgres.set(ProxyMode::LoseCommits { after: 0 });
        let response = cluster.at(0).revoke(&key).await;
        assert!(response.is_unavailable(), "{response:?}");
        cluster.proxies[0].postgres.set(ProxyMode::Open);
        let sql = "SELECT bool_and(revoked_at IS NOT NULL) FROM keys";
        let (revoked,): (bool,) = query_one(&cluster.database, sql).await;
        assert!(revoked, "the revoke was committed");
        for instance in 0..cluster.count() {
            let agent = cluster.agent(instance, &key);
            eventually("the revoke", async || (agent.list_tools().await.status == 401).then_some(())).await;
        }
    }
}

/// An instance without PostgreSQL is not ready, so the balancer uses the others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instance_without_postgresql_gets_no_requests_from_the_balancer() {
    let cluster =
        Cluster::start(ClusterOptions { proxies: true, balancer: true, ..ClusterOptions::default() }).await;
    for mode in [ProxyMode::Cut, ProxyMode::Silent] {
        cluster.proxies[2].postgres.set(mode);
        let not_ready = async || (cluster.at(2).get("/readyz").await.status == 503).then_some(());
        eventually("503 from /readyz", not_ready).await;
        eventually("responses only from the other instances", async || {
            for _ in 0..12 {
                let response = cluster.balanced().get("/api/me").await;
                if response.status != 200 || response.header("x-served-by") == "2" {
                    return None;
                }
            }
            Some(())
        })
        .await;
        for _ in 0..30 {
            let response =
                try_send(cluster.balanced().request(Method::GET, "/api/me")).await.expect("a response");
            assert_eq!(response.status, 200, "{response:?}");
        }
        cluster.proxies[2].postgres.set(ProxyMode::Open);
        eventually("the instance back in the balancer", async || {
            let response = cluster.balanced().get("/api/me").await.expect_status(200);
            (response.header("x-served-by") == "2").then_some(())
        })
        .await;
    }
}

/// A locked table, such as by `ALTER TABLE`, is like a slow store. All requests are answered while the lock is held.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locked_table_is_answered_503() {
    let cluster = Cluster::start(ClusterOptions::default()).await;
    let key = cluster.at(0).key(BRAND, "write").await;
    let mut locking = PgConnection::connect(&cluster.database).await.expect("a connection to PostgreSQL");
    let lock = "BEGIN; LOCK TABLE keys, posts IN ACCESS EXCLUSIVE MODE";
    sqlx::raw_sql(lock).execute(&mut locking).await.expect("the tables are locked");
    let mut requests = JoinSet::new();
    for _ in 0..60 {
        let agent = cluster.agent(1, &key);
        requests.spawn(async move { agent.call("list_posts", &json!({})).await });
    }
    for response in requests.join_all().await {
        assert!(response.is_unavailable(), "{response:?}");
    }
    sqlx::raw_sql("COMMIT").execute(&mut locking).await.expect("the tables are unlocked");
    let fresh = cluster.at(0).key(BRAND, "write").await;
    cluster.agent(1, &fresh).call("list_posts", &json!({})).await.tool_result();
}
