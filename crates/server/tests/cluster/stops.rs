//! A revoke against the workers of three instances: after its answer nothing of the key goes out, except what the answer
//! counts as already sending.

use std::{sync::Arc, time::Duration};

use futures_util::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use svc_mcp_testkit::{
    Key, Site,
    cluster::{Cluster, ClusterOptions, PLAN},
    eventually,
};
use tokio::task::JoinSet;

use crate::revocation::choose_two;

/// `SVC_TEST_ROUNDS` sets another number.
const DEFAULT_ROUNDS: usize = 1_000;
/// More of them would make a busy machine answer 503.
const CONCURRENT_ROUNDS: usize = 10;
const POSTS_PER_ROUND: usize = 4;

fn rounds() -> usize {
    let rounds = std::env::var("SVC_TEST_ROUNDS").ok();
    rounds.map_or(DEFAULT_ROUNDS, |rounds| rounds.parse().expect("SVC_TEST_ROUNDS must be a number"))
}

/// What the rounds of one brand have seen.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    /// Posts that were cancelled.
    cancelled: u64,
    /// Posts that a worker had begun before the revoke.
    already_sending: u64,
    /// Posts that went out after the answer. All of them were counted in it.
    sent_later: u64,
    /// Posts that went out before the answer.
    sent_before: u64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_goes_out_after_a_revoke_except_what_it_counts() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let site = Site::with(&[]).await;
    let arguments = ["--outbound-allow", site.authority(), "--job-workers", "8"];
    let cluster = Cluster::start(ClusterOptions { arguments: &arguments, ..ClusterOptions::default() }).await;
    let cluster = Arc::new(cluster);
    let rounds = rounds();
    let mut races = Vec::new();
    for number in 0..CONCURRENT_ROUNDS {
        let brand = format!("brand-{number}");
        cluster.add_brand(&brand, PLAN).await;
        site.put(&format!("/{brand}"), 200, "{}");
        let settings = json!({"url": format!("{}/{brand}", site.url)});
        let channel = json!({"kind": "webhook", "settings": settings});
        let path = format!("/api/brands/{brand}/channels/hook");
        cluster.at(0).put(&path, &channel).await.expect_status(200);
        let race = Race {
            cluster: Arc::clone(&cluster),
            site: site.clone(),
            random: StdRng::seed_from_u64(random.random()),
            database: PgConnection::connect(&cluster.database).await.expect("a connection to PostgreSQL"),
            brand,
        };
        races.push(race.run(rounds.div_ceil(CONCURRENT_ROUNDS)));
    }
    let mut total = Seen::default();
    for seen in join_all(races).await {
        total.cancelled += seen.cancelled;
        total.already_sending += seen.already_sending;
        total.sent_later += seen.sent_later;
        total.sent_before += seen.sent_before;
    }
    println!("{rounds} revokes: {total:?}");
    assert!(total.cancelled > 0 && total.sent_before > 0, "both sides win: {total:?}");
    for instance in &cluster.instances {
        assert!(!instance.log().contains("deadlock"), "{}", instance.log());
    }
}

struct Race {
    cluster: Arc<Cluster>,
    site: Site,
    random: StdRng,
    database: PgConnection,
    brand: String,
}

impl Race {
    async fn run(mut self, rounds: usize) -> Seen {
        let mut seen = Seen::default();
        for round in 0..rounds {
            let key = self.cluster.at(0).key(&self.brand, "write").await;
            let case = format!("round {round} of {}", self.brand);
            let before = self.sent();
            // Posts that are published at once meet the revoke in their calls, scheduled ones in the workers' polls.
            let (calls, delay) = if round % 2 == 0 {
                (self.order(&key, "now", None), self.random.random_range(0..80))
            } else {
                let at = key.after_creation(Duration::from_millis(1_500));
                let calls = self.order(&key, "schedule", Some(&at));
                (calls, self.random.random_range(900..3_200))
            };
            tokio::time::sleep(Duration::from_millis(delay)).await;
            let (one, _) = choose_two(self.cluster.count(), &mut self.random);
            let request = self.cluster.at(one).request(Method::DELETE, &key.path());
            let request = request.header("Prefer", "return=representation");
            let answer = svc_mcp_testkit::send(request).await.expect_status(200).json();
            let at_answer = self.sent();
            let statuses = calls.join_all().await;
            // A busy machine may answer 503. The counts below are those of the database, so they hold then too.
            let is_expected = |status: &u16| matches!(status, 200 | 401 | 503);
            assert!(statuses.iter().all(is_expected), "{case}: {statuses:?}");
            self.wait_for_jobs(&key).await;
            let count = |field: &str| answer[field]["posts"].as_u64().expect("a number");
            let later = self.sent() - at_answer;
            assert!(later <= count("already_sending"), "{case}: {later} went out after {answer}");
            let (published, cancelled) =
                (self.targets(&key, "published").await, self.targets(&key, "cancelled").await);
            assert_eq!(published, self.sent() - before, "{case}: {answer}");
            assert_eq!(cancelled, count("cancelled"), "{case}: {answer}");
            seen.cancelled += cancelled;
            seen.already_sending += count("already_sending");
            seen.sent_later += later;
            seen.sent_before += at_answer - before;
        }
        seen
    }

    /// Orders posts on all instances. The tasks return the statuses of the calls.
    fn order(&self, key: &Key, mode: &str, at: Option<&str>) -> JoinSet<u16> {
        let mut calls = JoinSet::new();
        for number in 0..POSTS_PER_ROUND {
            let mut post = json!({"text": format!("Hello {number}"), "channels": ["hook"], "mode": mode});
            if let Some(at) = at {
                post["scheduled_at"] = Value::from(at);
            }
            let agent = self.cluster.agent(number % self.cluster.count(), key);
            calls.spawn(async move { agent.call("create_post", &post).await.status });
        }
        calls
    }

    /// How many posts of the brand the webhook has received.
    fn sent(&self) -> u64 {
        u64::try_from(self.site.request_count(&format!("/{}", self.brand))).expect("a small number")
    }

    /// Waits until no job of the key is open.
    async fn wait_for_jobs(&mut self, key: &Key) {
        let sql = "SELECT COUNT(*) FROM jobs WHERE key_id = $1 AND status IN ('waiting', 'running')";
        let database = &mut self.database;
        eventually("the end of all jobs", async || {
            let open: i64 = sqlx::query_scalar(sql)
                .bind(&key.key_id)
                .fetch_one(&mut *database)
                .await
                .expect("the SQL runs");
            (open == 0).then_some(())
        })
        .await;
    }

    /// How many posts of the key have this status.
    async fn targets(&mut self, key: &Key, status: &str) -> u64 {
        let sql = "SELECT COUNT(*) FROM posts p JOIN post_targets t ON t.brand_id = p.brand_id \
                   AND t.post_id = p.post_id WHERE p.created_by_key = $1 AND t.status = $2";
        let count: i64 = sqlx::query_scalar(sql)
            .bind(&key.key_id)
            .bind(status)
            .fetch_one(&mut self.database)
            .await
            .expect("the SQL runs");
        u64::try_from(count).expect("a small number")
    }
}
