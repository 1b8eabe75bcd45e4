//! Background jobs: each is executed by one worker, also when an instance fails.

use std::{collections::BTreeMap, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sqlx::Connection;
use tokio::task::JoinSet;

use svc_mcp_testkit::{
    Api, Key, Site, Smtp,
    cluster::{BRAND, Cluster, ClusterOptions, PLAN},
    eventually, eventually_with_key, send,
};

/// On a busy machine, some of many calls of one brand at a time are rejected.
async fn call_until_accepted(agent: Api, tool: &'static str, arguments: Value, id: String) -> Value {
    for _ in 0..120 {
        let response = send(agent.idempotent_call_request(tool, &arguments, &id)).await;
        if response.status == 200 {
            return response.tool_result();
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    panic!("{id} was not accepted");
}

async fn posts(cluster: &Cluster, key: &Key) -> Vec<Value> {
    let listing = cluster.agent(0, key).call("list_posts", &json!({"limit": 100})).await.tool_result();
    listing["items"].as_array().expect("a list").clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scheduled_posts_are_published_once_when_an_instance_is_killed() {
    const POSTS: usize = 50;
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let arguments = ["--job-lease", "4"];
    let mut cluster =
        Cluster::start(ClusterOptions { arguments: &arguments, ..ClusterOptions::default() }).await;
    // A key may send 60 requests a minute, and some of them are repeated.
    let mut keys = Vec::new();
    for _ in 0..5 {
        keys.push(cluster.at(0).key(BRAND, "write").await);
    }
    // Late enough that all posts are stored before, also on a busy machine.
    let times = [40, 41, 42].map(|seconds| keys[0].after_creation(Duration::from_secs(seconds)));
    let mut calls = JoinSet::new();
    for number in 0..POSTS {
        let draft = json!({"text": format!("number {number}"), "channels": ["feed"], "mode": "schedule",
            "scheduled_at": times[number % times.len()]});
        let agent = cluster.agent(number % cluster.count(), &keys[number % keys.len()]);
        calls.spawn(call_until_accepted(agent, "create_post", draft, format!("post-{number}")));
    }
    calls.join_all().await;
    // The killed instance may be publishing at that moment. The others continue.
    eventually("the first post in the feed", async || {
        let feed = cluster.at(0).get(&format!("/feeds/{BRAND}/feed.json")).await.json();
        (feed["items"].as_array().map_or(0, Vec::len) > 0).then_some(())
    })
    .await;
    tokio::time::sleep(Duration::from_millis(random.random_range(0..1500))).await;
    let victim = random.random_range(1..cluster.count());
    cluster.instances[victim].kill();
    let reader = cluster.at(0).key(BRAND, "read").await;
    eventually("the last post in the feed", async || {
        let feed = cluster.at(0).get(&format!("/feeds/{BRAND}/feed.json")).await.expect_status(200).json();
        (feed["items"].as_array().map_or(0, Vec::len) == POSTS).then_some(())
    })
    .await;
    cluster.instances[victim].start().await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let feed = cluster.at(victim).get(&format!("/feeds/{BRAND}/feed.json")).await.expect_status(200).json();
    assert_eq!(feed["items"].as_array().map(Vec::len), Some(POSTS));
    let posts = posts(&cluster, &reader).await;
    assert_eq!(posts.len(), POSTS);
    for post in posts {
        let target = &post["targets"][0];
        assert_eq!(target["status"], "published", "{post}");
        // A worker that was killed may have begun the first attempt.
        assert!(target["attempts"] == 1 || target["attempts"] == 2, "{post}");
        assert_eq!(target["published_at"], post["scheduled_at"], "published at its time: {post}");
    }
}

/// A site, and a cluster that may audit it.
async fn start_with_site(more: &[&str]) -> (Site, Cluster) {
    let page = "<html lang=en><title>The home of good coffee beans</title><h1>Home</h1>";
    let site = Site::with(&[("/", &format!("{page}<a href=/menu>Menu</a>")), ("/menu", page)]).await;
    let arguments = [&["--outbound-allow", site.authority()], more].concat();
    let cluster = Cluster::start(ClusterOptions { arguments: &arguments, ..ClusterOptions::default() }).await;
    (site, cluster)
}

async fn put_website(cluster: &Cluster, brand: &str, site: &Site) {
    let body = json!({"name": "Acme", "website": site.url, "plan_id": PLAN});
    cluster.operator(0).put(&format!("/api/admin/brands/{brand}"), &body).await.expect_status(200);
}

/// The status and the attempts of all audits.
async fn audit_jobs(cluster: &Cluster) -> Vec<(String, i64)> {
    let mut database =
        sqlx::PgConnection::connect(&cluster.database).await.expect("a connection to PostgreSQL");
    let sql = "SELECT status, attempts FROM jobs WHERE kind = 'audit'";
    sqlx::query_as(sql).fetch_all(&mut database).await.expect("the SQL runs")
}

async fn wait_for_audits(cluster: &Cluster) -> Vec<(String, i64)> {
    eventually("the end of all audits", async || {
        let jobs = audit_jobs(cluster).await;
        jobs.iter().all(|(status, _)| status == "done" || status == "failed").then_some(jobs)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_job_is_executed_by_one_worker() {
    const AUDITS: usize = 12;
    // The default lease is so long that no worker loses it, also on a busy machine.
    let (site, cluster) = start_with_site(&[]).await;
    let mut calls = JoinSet::new();
    for number in 0..AUDITS {
        let brand = format!("brand-{number}");
        cluster.add_brand(&brand, PLAN).await;
        put_website(&cluster, &brand, &site).await;
        let key = cluster.at(0).key(&brand, "write").await;
        let agent = cluster.agent(number % cluster.count(), &key);
        calls.spawn(async move { agent.call("run_audit", &json!({})).await.tool_result() });
    }
    calls.join_all().await;
    assert_eq!(wait_for_audits(&cluster).await, vec![("done".to_owned(), 1); AUDITS]);
    assert_eq!(site.request_count("/menu"), AUDITS, "each audit reads the page once");
}

/// The first worker is killed, or frozen until another one has finished the job.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_of_a_failed_instance_is_taken_over() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    for killed in [true, false] {
        let (site, mut cluster) = start_with_site(&["--job-lease", "4"]).await;
        put_website(&cluster, BRAND, &site).await;
        let key = cluster.at(0).key(BRAND, "write").await;
        // The other workers are frozen, so the first instance takes the job. Restarting them would take longer on a busy
        // machine than the crawl waits for a response.
        let others = [cluster.instances[1].freeze(), cluster.instances[2].freeze()];
        site.respond_only_to(0);
        let started = cluster.agent(0, &key).call("run_audit", &json!({})).await.tool_result();
        let requested = async || (site.request_count("/robots.txt") > 0).then_some(());
        eventually("a request of the crawl", requested).await;
        drop(others);
        tokio::time::sleep(Duration::from_millis(random.random_range(0..1500))).await;
        let frozen = if killed {
            cluster.instances[0].kill();
            None
        } else {
            Some(cluster.instances[0].freeze())
        };
        site.respond_to_all();
        assert_eq!(wait_for_audits(&cluster).await, [("done".to_owned(), 2)], "killed: {killed}");
        let arguments = json!({"audit_id": started["id"]});
        let audit = cluster.agent(1, &key).call("get_audit", &arguments).await.tool_result();
        assert_eq!(
            (&audit["status"], &audit["summary"]["html_pages"]),
            (&json!("done"), &json!(2)),
            "{audit}"
        );
        if let Some(frozen) = frozen {
            // The first worker continues, and notices that it has lost the lease.
            drop(frozen);
            let late = async || cluster.instances[0].log().contains("\"message\":\"job").then_some(());
            eventually("the end of the first worker", late).await;
            // Time for a wrong write.
            tokio::time::sleep(Duration::from_millis(300)).await;
            let later = cluster.agent(2, &key).call("get_audit", &arguments).await.tool_result();
            assert_eq!((later, wait_for_audits(&cluster).await), (audit, vec![("done".to_owned(), 2)]));
        }
    }
}

/// A mail is `uncertain` if its worker is killed before the reply of the mail server. All other mails are sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mails_are_sent_once_when_an_instance_is_killed() {
    const MAILS: usize = 12;
    const WORKERS_PER_INSTANCE: usize = 2;
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let smtp = Smtp::start();
    let url = format!("smtp://127.0.0.1:{}?tls=none", smtp.port());
    let arguments = ["--job-lease", "4", "--smtp-url", &url, "--mail-from", "reports@svc.example"];
    let mut cluster =
        Cluster::start(ClusterOptions { arguments: &arguments, ..ClusterOptions::default() }).await;
    let list = json!({"recipients": ["ada@example.com"]});
    let admin = cluster.at(0);
    admin.put(&format!("/api/brands/{BRAND}/report-recipients"), &list).await.expect_status(200);
    eventually("the confirmation mail", async || (smtp.received().len() == 1).then_some(())).await;
    let confirm = admin.anonymous_request(reqwest::Method::POST, &smtp.received()[0].link("/confirm/"));
    send(confirm).await.expect_status(200);
    let key = cluster.at(0).key(BRAND, "write").await;
    let mut calls = JoinSet::new();
    for number in 0..MAILS {
        let agent = cluster.agent(number % cluster.count(), &key);
        let report = json!({"period": "last_7_days"});
        calls.spawn(call_until_accepted(agent, "send_report_email", report, format!("mail-{number}")));
    }
    let ordered = calls.join_all().await;
    tokio::time::sleep(Duration::from_millis(random.random_range(0..300))).await;
    let victim = random.random_range(1..cluster.count());
    cluster.instances[victim].kill();
    let reader = cluster.agent(0, &cluster.at(0).key(BRAND, "read").await);
    let mails = eventually_with_key("the final state of all mails", async || {
        let listing = reader.poll_tool("list_report_emails", &json!({"limit": 100})).await?;
        let mails = listing["items"].as_array().expect("a list").clone();
        let open = |mail: &Value| matches!(mail["status"].as_str(), Some("queued" | "sending"));
        let reports: Vec<Value> = mails.into_iter().filter(|mail| mail["report_id"].is_string()).collect();
        (!reports.iter().any(open)).then_some(reports)
    })
    .await;
    assert_eq!((ordered.len(), mails.len()), (MAILS, MAILS));
    let received = smtp.received();
    let mut uncertain = 0;
    for mail in mails {
        let id = format!("<{}@svc.example>", mail["email_id"].as_str().expect("an id"));
        let accepted = received.iter().filter(|mail| mail.header("message-id") == id).count();
        match mail["status"].as_str() {
            Some("sent") => assert_eq!(accepted, 1, "{mail}"),
            Some("uncertain") => {
                uncertain += 1;
                assert!(accepted <= 1, "{mail}");
            }
            _ => panic!("{mail}"),
        }
    }
    assert!(uncertain <= WORKERS_PER_INSTANCE, "{uncertain} mails are uncertain");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn activity_of_all_instances_is_recorded() {
    let cluster = Cluster::start(ClusterOptions::default()).await;
    let mut expected: BTreeMap<String, usize> = BTreeMap::new();
    for instance in 0..cluster.count() {
        for _ in 0..3 {
            let key = cluster.at(instance).key(BRAND, "read").await;
            // Each key is used on all instances, so that they write records of the same keys.
            for other in 0..cluster.count() {
                let agent = cluster.agent(other, &key);
                for _ in 0..5 {
                    agent.list_tools().await.expect_status(200);
                    agent.call("get_brand", &json!({})).await.tool_result();
                    agent.call("create_post", &json!({})).await.expect_status(403);
                }
            }
            expected.insert(key.key_id, 15 * cluster.count());
        }
    }
    for (key_id, count) in &expected {
        let path = format!("/api/brands/{BRAND}/mcp-activity?key_id={key_id}&limit=200");
        let arrived = async || {
            let events = cluster.at(0).get(&path).await.expect_status(200).json();
            let events = events["events"].as_array().expect("a list").clone();
            // Denied requests are one event for each minute, with their number.
            let used = events.iter().filter(|event| event["kind"] != "created");
            let used: u64 = used.filter_map(|event| event["count"].as_u64()).sum();
            (used == *count as u64).then_some(())
        };
        eventually("every use in the activity", arrived).await;
    }
    let usage =
        cluster.at(1).get(&format!("/api/brands/{BRAND}/mcp-usage?days=1")).await.expect_status(200).json();
    let lines = usage["usage"].as_array().expect("a list");
    for (key_id, count) in &expected {
        let of_key = lines.iter().filter(|line| line["key_id"] == key_id.as_str());
        let calls: u64 = of_key.filter_map(|line| line["calls"].as_u64()).sum();
        // Denied requests are not counted as calls.
        assert_eq!(calls, (*count as u64) * 2 / 3, "{usage}");
    }
    let keys = cluster.at(2).get(&format!("/api/brands/{BRAND}/mcp-keys")).await.expect_status(200).json();
    for key in keys["keys"].as_array().expect("a list") {
        assert!(key["last_used_at"].is_string(), "{key}");
    }
    for instance in &cluster.instances {
        assert!(!instance.log().contains("the store"), "an instance could not write: {}", instance.log());
    }
}

/// Each instance writes its buffered records of the same keys, in a different order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_writes_of_activity_do_not_deadlock() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let cluster = Cluster::start(ClusterOptions::default()).await;
    let mut keys = Vec::new();
    for _ in 0..20 {
        keys.push(cluster.at(0).key(BRAND, "read").await);
    }
    let mut agents = JoinSet::new();
    for instance in 0..cluster.count() {
        let clients: Vec<_> = keys.iter().map(|key| cluster.agent(instance, key)).collect();
        let mut random = StdRng::seed_from_u64(random.random());
        agents.spawn(async move {
            for _ in 0..15 * clients.len() {
                let agent = &clients[random.random_range(0..clients.len())];
                let response = match random.random_range(0..5) {
                    0 => agent.list_tools().await,
                    1 => agent.call("get_brand", &json!({})).await,
                    2 => agent.call("list_posts", &json!({})).await,
                    3 => agent.call("no_such_tool", &json!({})).await,
                    _ => agent.call("create_post", &json!({})).await,
                };
                assert!(matches!(response.status, 200 | 403 | 404 | 429), "{response:?}");
            }
        });
    }
    agents.join_all().await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    for instance in &cluster.instances {
        assert!(!instance.log().contains("deadlock"), "{}", instance.log());
    }
}
