//! PostgreSQL gone, hung, failed over, or losing the last word of a commit: told as 503, and over by itself.

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
use tokio::task::JoinSet;

use svc_mcp_testkit::{
    Answer, Key,
    cluster::{BRAND, Cluster, Mode, Wishes, execute, one},
    eventually, try_answered,
};

/// One request of each kind that needs the store.
async fn everything(cluster: &Cluster, instance: usize, key: &Key) -> Vec<Answer> {
    let (person, agent) = (cluster.at(instance), cluster.agent(instance, key));
    let keys = format!("/api/brands/{BRAND}/mcp-keys");
    let (new_key, post) = (json!({"label": "during an outage"}), post("during an outage"));
    let plan = json!({"name": "Business", "mcp_enabled": true});
    let operator = person.with(&cluster.operator);
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

/// How many posts have this text, however many there are.
async fn count_of(cluster: &Cluster, text: &str) -> i64 {
    let mut database =
        <sqlx::PgConnection as sqlx::Connection>::connect(&cluster.database).await.expect("a connection");
    let counted: (i64,) = sqlx::query_as("SELECT COUNT(*) FROM posts WHERE text = $1")
        .bind(text)
        .fetch_one(&mut database)
        .await
        .expect("it takes SQL");
    counted.0
}

async fn all_are_ready(cluster: &Cluster, ready: bool) {
    let status = if ready { 200 } else { 503 };
    for instance in 0..cluster.count() {
        let what = format!("/readyz {status} of instance {instance}");
        let api = cluster.at(instance);
        eventually(&what, async || (api.get("/readyz").await.status == status).then_some(())).await;
        api.get("/healthz").await.expect(200);
    }
}

/// All of it works, on every instance.
async fn all_is_well(cluster: &Cluster, key: &Key) {
    for instance in 0..cluster.count() {
        for answer in everything(cluster, instance, key).await {
            assert!((200..300).contains(&answer.status), "instance {instance}: {answer:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_postgresql_it_is_503_and_over_by_itself() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let mut cluster = Cluster::start(Wishes { own_postgres: true, ..Wishes::default() }).await;
    let key = cluster.at(0).key(BRAND, "write").await;
    all_is_well(&cluster, &key).await;
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(random.random_range(0..300))).await;
        let before = count_of(&cluster, "during an outage").await;
        cluster.postgres.stop();
        all_are_ready(&cluster, false).await;
        for instance in 0..cluster.count() {
            for answer in everything(&cluster, instance, &key).await {
                assert!(answer.is_unavailable(), "instance {instance}: {answer:?}");
            }
            let agent = cluster.agent(instance, &key);
            let refused = async || agent.tools().await.is_unavailable().then_some(());
            eventually("a list refused by one who knows nothing any more", refused).await;
        }
        cluster.postgres.start_again();
        all_are_ready(&cluster, true).await;
        assert_eq!(
            count_of(&cluster, "during an outage").await,
            before,
            "nothing was done while it was away"
        );
        let key = cluster.at(0).key(BRAND, "write").await;
        all_is_well(&cluster, &key).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hung_postgresql_costs_bounded_waiting() {
    let cluster = Cluster::start(Wishes { own_postgres: true, ..Wishes::default() }).await;
    let key = cluster.at(0).key(BRAND, "write").await;
    all_is_well(&cluster, &key).await;
    let mut keys = Vec::new();
    for _ in 0..cluster.count() {
        keys.push(cluster.at(0).key(BRAND, "write").await);
    }
    let frozen = cluster.postgres.freeze().await;
    // More than there are connections in the pool, and each is answered within the client's bound.
    let mut requests = JoinSet::new();
    for (instance, key) in keys.iter().enumerate() {
        for number in 0..25 {
            let agent = cluster.agent(instance, key);
            let text = format!("while-hung-{instance}-{number}");
            requests.spawn(async move {
                let answer = try_answered(agent.call_once("create_post", &post(&text), &text)).await;
                (text, agent, answer.expect("an answer within the bound"))
            });
        }
    }
    all_are_ready(&cluster, false).await;
    let mut begun = Vec::new();
    while let Some(asked) = requests.join_next().await {
        let (text, agent, answer) = asked.expect("it asks");
        assert!(answer.is_unavailable(), "{answer:?}");
        begun.push((text, agent));
    }
    drop(frozen);
    all_are_ready(&cluster, true).await;
    let fresh = cluster.at(0).key(BRAND, "write").await;
    all_is_well(&cluster, &fresh).await;
    // What was begun may have been done or not. Sent again, it is there once, unless its claim is still held.
    let mut done = 0;
    for (text, agent) in &begun {
        let again = try_answered(agent.call_once("create_post", &post(text), text)).await.expect("an answer");
        match again.status {
            200 => {
                assert_eq!(count_of(&cluster, text).await, 1, "{text}");
                done += 1;
            }
            409 => assert!(count_of(&cluster, text).await <= 1, "{text} is there twice"),
            _ => panic!("{again:?}"),
        }
    }
    println!("{done} of {} were done when sent again; the rest is still claimed", begun.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failover_costs_at_most_one_request_for_each_connection() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(Wishes { own_postgres: true, ..Wishes::default() }).await;
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
                    let answer =
                        if number % 2 == 0 { api.get(&keys).await } else { api.get("/api/me").await };
                    answered.fetch_add(1, Ordering::SeqCst);
                    if answer.status != 200 {
                        assert!(answer.is_unavailable(), "{answer:?}");
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
        let (ended,): (i64,) = one(&cluster.database, sql).await;
        dropped += u64::try_from(ended).expect("a count");
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    stop.store(true, Ordering::SeqCst);
    people.join_all().await;
    let (answered, failed) = (answered.load(Ordering::SeqCst), failed.load(Ordering::SeqCst));
    println!("{dropped} connections were dropped, {failed} of {answered} requests failed");
    assert!(dropped >= 8 && answered > 100);
    assert!(failed <= dropped, "{failed} requests failed for {dropped} connections");
}

/// A machine that dies says no word to those who are connected to it. They must not wait for it for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_are_dead_without_a_word_cost_one_request_each() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(Wishes { links: true, ..Wishes::default() }).await;
    let ask_many = async |many: usize| {
        let mut people = JoinSet::new();
        for _ in 0..many {
            let api = cluster.at(0);
            people.spawn(async move { api.get("/api/me").await });
        }
        let answers = people.join_all().await;
        for answer in &answers {
            assert!(answer.status == 200 || answer.is_unavailable(), "{answer:?}");
        }
        answers.iter().filter(|answer| answer.status != 200).count()
    };
    // All connections that there may be.
    assert_eq!(ask_many(40).await, 0);
    let connected = "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'svc-mcp' AND datname = current_database()";
    let (connections,): (i64,) = one(&cluster.database, connected).await;
    tokio::time::sleep(Duration::from_millis(random.random_range(0..1500))).await;
    cluster.links[0].0.vanish();
    let mut failed = 0;
    eventually("all dead connections replaced", async || {
        let now = ask_many(8).await;
        failed += now;
        (now == 0).then_some(())
    })
    .await;
    assert_eq!(ask_many(40).await, 0, "as before");
    println!("{failed} requests failed for {connections} connections of all instances");
    assert!(failed <= usize::try_from(connections).expect("a count"));
    assert_eq!(cluster.at(0).get("/readyz").await.status, 200);
}

/// The worst moment: it is done, and the answer is lost. Nobody can know, so doing it again must be harmless.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_whose_answer_is_lost_is_neither_doubled_nor_forgotten() {
    let cluster = Cluster::start(Wishes { links: true, ..Wishes::default() }).await;
    let key = cluster.at(0).key(BRAND, "write").await;
    let agent = cluster.agent(0, &key);
    let to_postgres = &cluster.links[0].0;
    agent.tools().await.expect(200);
    // Until its use is written, and nothing else is to be committed.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    // The claim is committed and answered. The post and its answer are committed, and that is lost.
    to_postgres.set(Mode::LoseCommits { after: 1 });
    let first = try_answered(agent.call_once("create_post", &post("the last word"), "once")).await;
    let first = first.expect("an answer");
    assert!(first.is_unavailable(), "{first:?}");
    // The batch in which the uses are written loses its commit too.
    eventually("a batch that lost its commit", async || (to_postgres.commits() >= 4).then_some(())).await;
    to_postgres.set(Mode::Open);
    let again = try_answered(agent.call_once("create_post", &post("the last word"), "once"))
        .await
        .expect("an answer");
    assert_eq!(again.header("idempotency-replayed"), "true", "{again:?}");
    again.structured();
    assert_eq!(count_of(&cluster, "the last word").await, 1);

    // Every use is in the activity and in the usage, once.
    let calls = 1 + 5;
    for _ in 0..5 {
        agent.tools().await.expect(200);
    }
    let path = format!("{}/activity?kind=list&limit=200", key.path());
    let listed = eventually("the uses in the activity", async || {
        let events = cluster.at(1).get(&path).await.expect(200).json();
        let count = events["events"].as_array().map_or(0, Vec::len);
        (count >= calls).then_some(count)
    })
    .await;
    assert_eq!(listed, calls);
    tokio::time::sleep(Duration::from_millis(600)).await;
    let usage = cluster.at(1).get(&format!("/api/brands/{BRAND}/mcp-usage?days=1")).await.expect(200).json();
    let lines = usage["usage"].as_array().expect("a list").iter();
    let lists: u64 = lines
        .filter(|line| {
            line["key_id"] == key.key_id.as_str() && line["tool"].as_str().unwrap_or_default().is_empty()
        })
        .filter_map(|line| line["calls"].as_u64())
        .sum();
    assert_eq!(lists, calls as u64, "each use is counted once: {usage}");
}

/// A revoke whose commit is in doubt is told as failed; every instance treats the key alike all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoke_in_doubt_is_the_same_on_every_instance() {
    let cluster = Cluster::start(Wishes { links: true, ..Wishes::default() }).await;
    for _ in 0..5 {
        let key = cluster.at(1).key(BRAND, "read").await;
        for instance in 0..cluster.count() {
            cluster.agent(instance, &key).tools().await.expect(200);
        }
        cluster.links[0].0.set(Mode::LoseCommits { after: 0 });
        let answer = cluster.at(0).revoke(&key).await;
        assert!(answer.is_unavailable(), "{answer:?}");
        cluster.links[0].0.set(Mode::Open);
        let sql = "SELECT bool_and(revoked_at IS NOT NULL) FROM keys";
        let (revoked,): (bool,) = one(&cluster.database, sql).await;
        assert!(revoked, "the commit went through");
        for instance in 0..cluster.count() {
            let agent = cluster.agent(instance, &key);
            eventually("the revoke", async || (agent.tools().await.status == 401).then_some(())).await;
        }
    }
}

/// One instance loses its way to PostgreSQL: it turns red, and the balancer's clients go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_without_postgresql_is_taken_out_of_the_balancer() {
    let cluster = Cluster::start(Wishes { links: true, balancer: true, ..Wishes::default() }).await;
    for mode in [Mode::Cut, Mode::Silent] {
        cluster.links[2].0.set(mode);
        let red = async || (cluster.at(2).get("/readyz").await.status == 503).then_some(());
        eventually("a red instance", red).await;
        eventually("clients that meet only the others", async || {
            for _ in 0..12 {
                let answer = cluster.balanced().get("/api/me").await;
                if answer.status != 200 || answer.header("x-served-by") == "2" {
                    return None;
                }
            }
            Some(())
        })
        .await;
        for _ in 0..30 {
            let answer =
                try_answered(cluster.balanced().request(Method::GET, "/api/me")).await.expect("an answer");
            assert_eq!(answer.status, 200, "{answer:?}");
        }
        cluster.links[2].0.set(Mode::Open);
        eventually("the instance back in the balancer", async || {
            let answer = cluster.balanced().get("/api/me").await.expect(200);
            (answer.header("x-served-by") == "2").then_some(())
        })
        .await;
    }
}

/// A table that somebody locks (a careless `ALTER TABLE`, a backup tool) is a store that is slow: bounded waiting.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_table_costs_bounded_waiting() {
    let cluster = Cluster::start(Wishes::default()).await;
    let key = cluster.at(0).key(BRAND, "write").await;
    let locked = {
        let url = cluster.database.clone();
        tokio::spawn(async move {
            execute(
                &url,
                "BEGIN; LOCK TABLE keys, posts IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(6); COMMIT",
            )
            .await;
        })
    };
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut requests = JoinSet::new();
    for _ in 0..60 {
        let agent = cluster.agent(1, &key);
        requests.spawn(async move { agent.call("list_posts", &json!({})).await });
    }
    for answer in requests.join_all().await {
        assert!(answer.is_unavailable() || answer.status == 200, "{answer:?}");
    }
    locked.await.expect("the lock");
    let fresh = cluster.at(0).key(BRAND, "write").await;
    cluster.agent(1, &fresh).call("list_posts", &json!({})).await.structured();
}
