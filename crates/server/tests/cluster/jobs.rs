//! Work beside the requests: one job, one worker, whoever dies.

use std::{collections::BTreeMap, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sqlx::Connection;
use svc_mcp_access::Timestamp;
use tokio::task::JoinSet;

use svc_mcp_testkit::{
    Key, Site, Smtp,
    cluster::{BRAND, Cluster, PLAN, Wishes},
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
    let arguments = ["--job-lease", "2"];
    let mut cluster = Cluster::start(Wishes { arguments: &arguments, ..Wishes::default() }).await;
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

/// A site, and a cluster that may audit it, with leases that are short enough to wait for.
async fn with_a_site() -> (Site, Cluster) {
    let page = "<html lang=en><title>The home of good coffee beans</title><h1>Home</h1>";
    let site = Site::with(&[("/", &format!("{page}<a href=/menu>Menu</a>")), ("/menu", page)]).await;
    let arguments = ["--job-lease", "2", "--outbound-allow", site.authority()];
    let cluster = Cluster::start(Wishes { arguments: &arguments, ..Wishes::default() }).await;
    (site, cluster)
}

async fn give_site(cluster: &Cluster, brand: &str, site: &Site) {
    let about = json!({"name": "Acme", "website": site.url, "plan_id": PLAN});
    let operator = cluster.at(0).with(&cluster.operator);
    operator.put(&format!("/api/admin/brands/{brand}"), &about).await.expect(200);
}

/// How often jobs were taken, and how they ended.
async fn jobs_of(cluster: &Cluster) -> Vec<(String, i64)> {
    let mut database = sqlx::PgConnection::connect(&cluster.database).await.expect("a connection");
    let sql = "SELECT status, attempts FROM jobs WHERE kind = 'audit'";
    sqlx::query_as(sql).fetch_all(&mut database).await.expect("it takes SQL")
}

async fn all_done(cluster: &Cluster) -> Vec<(String, i64)> {
    eventually("the end of all audits", async || {
        let jobs = jobs_of(cluster).await;
        jobs.iter().all(|(status, _)| status == "done" || status == "failed").then_some(jobs)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_job_has_one_worker() {
    const AUDITS: usize = 12;
    let (site, cluster) = with_a_site().await;
    let mut calls = JoinSet::new();
    for number in 0..AUDITS {
        let brand = format!("brand-{number}");
        cluster.add_brand(&brand, PLAN).await;
        give_site(&cluster, &brand, &site).await;
        let key = cluster.at(0).key(&brand, "write").await;
        let agent = cluster.agent(number % cluster.count(), &key);
        calls.spawn(async move { agent.call("run_audit", &json!({})).await.structured() });
    }
    calls.join_all().await;
    assert_eq!(all_done(&cluster).await, vec![("done".to_owned(), 1); AUDITS]);
    assert_eq!(site.times_asked("/menu"), AUDITS, "each page was read once for each audit");
}

/// The one who dies is killed, or stands still until after another one has done its work.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_work_of_a_dead_instance_is_taken_over() {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    for killed in [true, false] {
        let (site, mut cluster) = with_a_site().await;
        give_site(&cluster, BRAND, &site).await;
        let key = cluster.at(0).key(BRAND, "write").await;
        // The job is the first one's: there is nobody else.
        cluster.instances[1].stop().await;
        cluster.instances[2].stop().await;
        site.answer_only(0);
        let begun = cluster.agent(0, &key).call("run_audit", &json!({})).await.structured();
        let asked = async || (site.times_asked("/robots.txt") > 0).then_some(());
        eventually("a crawl that waits for the site", asked).await;
        cluster.instances[1].start().await;
        cluster.instances[2].start().await;
        tokio::time::sleep(Duration::from_millis(random.random_range(0..1500))).await;
        let frozen = if killed {
            cluster.instances[0].kill();
            None
        } else {
            Some(cluster.instances[0].freeze())
        };
        site.answer_all();
        assert_eq!(all_done(&cluster).await, [("done".to_owned(), 2)], "killed: {killed}");
        let look = json!({"audit_id": begun["id"]});
        let audit = cluster.agent(1, &key).call("get_audit", &look).await.structured();
        assert_eq!(
            (&audit["status"], &audit["summary"]["html_pages"]),
            (&json!("done"), &json!(2)),
            "{audit}"
        );
        if let Some(frozen) = frozen {
            // It goes on where it stood, and finds that the job is another's.
            drop(frozen);
            let late = async || cluster.instances[0].log().contains("\"outcome\":").then_some(());
            eventually("a worker that lets go", late).await;
            // Whatever it wanted to write.
            tokio::time::sleep(Duration::from_millis(300)).await;
            let again = cluster.agent(2, &key).call("get_audit", &look).await.structured();
            assert_eq!((again, all_done(&cluster).await), (audit, vec![("done".to_owned(), 2)]));
        }
    }
}

/// A worker that dies between handing a mail over and the server's answer leaves it `uncertain`; every other mail is sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mails_are_sent_once_also_when_an_instance_dies() {
    const MAILS: usize = 12;
    const WORKERS_OF_AN_INSTANCE: usize = 2;
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let smtp = Smtp::start();
    let url = format!("smtp://127.0.0.1:{}?tls=none", smtp.port());
    let arguments = ["--job-lease", "2", "--smtp-url", &url, "--mail-from", "reports@svc.example"];
    let mut cluster = Cluster::start(Wishes { arguments: &arguments, ..Wishes::default() }).await;
    let list = json!({"recipients": ["ada@example.com"]});
    let admin = cluster.at(0);
    admin.put(&format!("/api/brands/{BRAND}/report-recipients"), &list).await.expect(200);
    eventually("the question", async || (smtp.received().len() == 1).then_some(())).await;
    let yes = admin.bare(reqwest::Method::POST, &smtp.received()[0].link("/confirm/"));
    svc_mcp_testkit::answered(yes).await.expect(200);
    let key = cluster.at(0).key(BRAND, "write").await;
    let mut calls = JoinSet::new();
    for number in 0..MAILS {
        let agent = cluster.agent(number % cluster.count(), &key);
        let report = json!({"period": "last_7_days"});
        calls.spawn(async move { agent.call("send_report_email", &report).await.structured() });
    }
    let ordered = calls.join_all().await;
    tokio::time::sleep(Duration::from_millis(random.random_range(0..300))).await;
    let victim = random.random_range(1..cluster.count());
    cluster.instances[victim].kill();
    let reader = cluster.agent(0, &cluster.at(0).key(BRAND, "read").await);
    let mails = eventually("the end of all mails", async || {
        tokio::time::sleep(Duration::from_millis(700)).await;
        let listing = reader.call("list_report_emails", &json!({"limit": 100})).await.structured();
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
        let taken = received.iter().filter(|taken| taken.header("message-id") == id).count();
        match mail["status"].as_str() {
            Some("sent") => assert_eq!(taken, 1, "{mail}"),
            Some("uncertain") => {
                uncertain += 1;
                assert!(taken <= 1, "{mail}");
            }
            _ => panic!("{mail}"),
        }
    }
    assert!(uncertain <= WORKERS_OF_AN_INSTANCE, "{uncertain} mails are uncertain");
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
