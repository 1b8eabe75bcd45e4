//! When trust ends, work stops, whichever instance holds it: every change × every kind of queued work.
//!
//! Work is queued on one instance, the change is made on another, and then the workers of all three run.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_mcp_testkit::{
    Api, Key, QueuedWork, Site, Smtp, StopChange, WorkEnd,
    cluster::{Cluster, ClusterOptions},
    eventually, eventually_with_key, send,
};

const HOME: &str = "<html lang=en><title>The home of good coffee beans</title><h1>Home</h1>";
/// After the keys were created. The clocks of the instances are set ahead of both.
const POSTS_DUE: Duration = Duration::from_mins(10);
const KEY_EXPIRES: Duration = Duration::from_mins(15);

/// One change, with a brand of its own.
struct Case {
    change: StopChange,
    brand: String,
    /// It also receives the posts, at `/hook`.
    site: Site,
    instance: usize,
    key: Key,
    queued: Vec<(QueuedWork, Value)>,
}

struct StopsTable {
    cluster: Cluster,
    smtp: Smtp,
    /// A member without rights of an administrator, who makes the keys.
    ben: String,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_change_stops_every_kind_of_work_on_all_instances() {
    let smtp = Smtp::start();
    let url = format!("smtp://127.0.0.1:{}?tls=none", smtp.port());
    let arguments = ["--outbound-allow", "127.0.0.1", "--smtp-url", &url, "--mail-from", "r@svc.example"];
    let cluster = Cluster::start(ClusterOptions { arguments: &arguments, ..ClusterOptions::default() }).await;
    let ben = cluster.program.run_ok(&["token", "--user", "ben", "--ttl", "7d"]);
    let mut table = StopsTable { cluster, smtp, ben };
    let mut cases = Vec::new();
    for (number, change) in StopChange::ALL.into_iter().enumerate() {
        cases.push(table.prepare(change, number).await);
    }
    // The work is queued and the changes are made while no worker runs.
    table.cluster.restart_with("0", "").await;
    for case in &mut cases {
        table.queue(case).await;
    }
    for case in &cases {
        table.make_change(case).await;
    }
    table.cluster.restart_with("2", "+30m").await;
    for case in cases.iter().filter(|case| !case.change.holds_work()) {
        table.check(case).await;
    }
    // Brands take turns, so workers that have done new work of another brand have seen what is held.
    table.let_workers_take_turns(&cases[0]).await;
    for case in cases.iter().filter(|case| case.change.holds_work()) {
        for work in QueuedWork::ALL {
            assert_eq!(table.sent(case, work).await, 0, "{:?}, {work:?}: it is held", case.change);
        }
        match case.change {
            StopChange::Paused => {
                table.person(case.instance).set_paused(&case.key, false).await.expect_status(200);
            }
            StopChange::PlanOff => table.put_plan(case, true).await,
            StopChange::BrandSuspended => table.operate(case, "resume").await,
            _ => {}
        }
    }
    table.cluster.restart_with("2", "+45m").await;
    let taken_back = [StopChange::Paused, StopChange::PlanOff, StopChange::BrandSuspended];
    for case in cases.iter().filter(|case| taken_back.contains(&case.change)) {
        table.check(case).await;
    }
    table.cluster.restart_with("2", "+26h").await;
    let for_a_day =
        |case: &&Case| case.change.holds_work() && case.change.end_of(QueuedWork::Mail) != WorkEnd::Done;
    for case in cases.iter().filter(for_a_day) {
        table.wait_for_jobs(case).await;
        table.put_plan(case, true).await;
        table.operate(case, "resume").await;
        table.check(case).await;
    }
    for instance in &table.cluster.instances {
        assert!(!instance.log().contains("deadlock"), "{}", instance.log());
    }
}

impl StopsTable {
    fn person(&self, instance: usize) -> Api {
        self.cluster.at(instance).with_bearer(&self.ben)
    }

    async fn prepare(&self, change: StopChange, number: usize) -> Case {
        let brand = format!("brand-{number}");
        self.cluster.add_brand(&brand, &brand).await;
        let site = Site::with(&[("/", HOME), ("/hook", "{}")]).await;
        let body = json!({"name": "Acme", "website": site.url, "plan_id": brand});
        let operator = self.cluster.operator(0);
        operator.put(&format!("/api/admin/brands/{brand}"), &body).await.expect_status(200);
        let path = format!("/api/admin/brands/{brand}/members/ben");
        operator.put(&path, &json!({"role": "member"})).await.expect_status(200);
        let hook = json!({"kind": "webhook", "settings": {"url": format!("{}/hook", site.url)}});
        let admin = self.cluster.at(0);
        admin.put(&format!("/api/brands/{brand}/channels/hook"), &hook).await.expect_status(200);
        let to = recipient(&brand);
        let path = format!("/api/brands/{brand}/report-recipients");
        admin.put(&path, &json!({"recipients": [to]})).await.expect_status(200);
        let mail = eventually("the confirmation mail", async || {
            self.smtp.received().into_iter().find(|mail| mail.to() == to)
        })
        .await;
        let confirm = admin.anonymous_request(Method::POST, &mail.link("/confirm/"));
        send(confirm).await.expect_status(200);
        let instance = number % self.cluster.count();
        let key = self.person(instance).key(&brand, "write").await;
        Case { change, brand, site, instance, key, queued: Vec::new() }
    }

    /// Queues one piece of each kind.
    async fn queue(&self, case: &mut Case) {
        let due = case.key.after_creation(POSTS_DUE);
        if case.change == StopChange::Expired {
            let expires_at = case.key.after_creation(KEY_EXPIRES);
            let body = json!({"label": "short", "scope": "write", "expires_at": expires_at});
            let created = self.person(case.instance).create_key(&case.brand, &body).await;
            case.key = Key::from_created(&case.brand, &created);
        }
        let agent = self.cluster.agent(case.instance, &case.key);
        let call = async |tool: &str, arguments: Value| agent.call(tool, &arguments).await.tool_result();
        for (work, channel) in [(QueuedWork::WebhookPost, "hook"), (QueuedWork::FeedPost, "feed")] {
            let post =
                json!({"text": "Hello", "channels": [channel], "mode": "schedule", "scheduled_at": due});
            case.queued.push((work, call("create_post", post).await["post"]["post_id"].clone()));
        }
        call("send_report_email", json!({"period": "last_7_days"})).await;
        case.queued.push((QueuedWork::Mail, Value::Null));
        case.queued.push((QueuedWork::Audit, call("run_audit", json!({})).await["id"].clone()));
        let text = json!({"kind": "content", "text": "Green tea is wonderful."});
        case.queued.push((QueuedWork::Analysis, call("run_analysis", text).await["id"].clone()));
        // From now on the key asks first.
        let rule = self.cluster.at(case.instance).request(Method::PATCH, &case.key.path());
        send(rule.json(&json!({"approval": "outward"}))).await.expect_status(200);
        let held = json!({"text": "Hello", "channels": ["hook"], "mode": "now"});
        case.queued.push((QueuedWork::HeldPost, call("create_post", held).await["approval_id"].clone()));
    }

    /// Makes the change on another instance than the one that has queued the work.
    async fn make_change(&self, case: &Case) {
        let other = (case.instance + 1) % self.cluster.count();
        match case.change {
            StopChange::Revoked => {
                let cancelled = json!({"posts": 2, "mails": 1, "jobs": 2, "approvals": 1, "schedules": 0});
                assert_eq!(self.revoke(other, case, "").await, cancelled);
            }
            StopChange::RevokedButKept => {
                let cancelled = json!({"posts": 0, "mails": 0, "jobs": 0, "approvals": 1, "schedules": 0});
                assert_eq!(self.revoke(other, case, "?queued=keep").await, cancelled);
            }
            StopChange::OwnerRemoved => self.cluster.remove_member(other, &case.brand, "ben").await,
            StopChange::Paused | StopChange::PausedForADay => {
                self.cluster.at(other).set_paused(&case.key, true).await.expect_status(200);
            }
            StopChange::PlanOff | StopChange::PlanOffForADay => self.put_plan(case, false).await,
            StopChange::BrandSuspended | StopChange::BrandSuspendedForADay => {
                self.operate(case, "suspend").await;
            }
            // Its time comes with the next clock.
            StopChange::Expired => {}
        }
    }

    async fn revoke(&self, instance: usize, case: &Case, query: &str) -> Value {
        let request =
            self.cluster.at(instance).request(Method::DELETE, &format!("{}{query}", case.key.path()));
        let answer = send(request.header("Prefer", "return=representation")).await.expect_status(200).json();
        assert_eq!(answer["already_sending"], json!({"posts": 0, "mails": 0, "jobs": 0}), "{answer}");
        answer["cancelled"].clone()
    }

    async fn put_plan(&self, case: &Case, mcp_enabled: bool) {
        let plan = json!({"name": "Business", "mcp_enabled": mcp_enabled});
        let path = format!("/api/admin/plans/{}", case.brand);
        self.cluster.operator(case.instance).put(&path, &plan).await.expect_status(200);
    }

    /// Suspends or resumes the brand, on another instance than the one that has queued the work.
    async fn operate(&self, case: &Case, action: &str) {
        let other = (case.instance + 1) % self.cluster.count();
        let path = format!("/api/admin/brands/{}/{action}", case.brand);
        self.cluster.operator(other).post(&path, &json!({})).await.expect_status(200);
    }

    /// New work of another brand, on each instance. Each round has its own key: on a busy machine the polls of all
    /// rounds together are more than one key may send in a minute.
    async fn let_workers_take_turns(&self, case: &Case) {
        for round in 0..3 * self.cluster.count() {
            let key = self.cluster.at(0).key(&case.brand, "write").await;
            let agent = self.cluster.agent(round % self.cluster.count(), &key);
            let post = json!({"text": format!("Hello {round}"), "channels": ["feed"], "mode": "now"});
            agent.call("create_post", &post).await.tool_result();
            let text = json!({"kind": "content", "text": format!("Tea {round}.")});
            let analysis = agent.call("run_analysis", &text).await.tool_result();
            eventually_with_key("the analysis of another brand", async || {
                let arguments = json!({"analysis_id": analysis["id"]});
                let analysis = agent.poll_tool("get_analysis", &arguments).await?;
                (analysis["status"] == "done").then_some(())
            })
            .await;
        }
    }

    /// Waits until no job of the key is open.
    async fn wait_for_jobs(&self, case: &Case) {
        eventually("the end of all jobs", async || (self.open_jobs(case).await == 0).then_some(())).await;
    }

    async fn open_jobs(&self, case: &Case) -> i64 {
        use sqlx::Connection;
        let mut database =
            sqlx::PgConnection::connect(&self.cluster.database).await.expect("a connection to PostgreSQL");
        let sql = "SELECT COUNT(*) FROM jobs WHERE key_id = $1 AND status IN ('waiting', 'running')";
        sqlx::query_scalar(sql).bind(&case.key.key_id).fetch_one(&mut database).await.expect("the SQL runs")
    }

    async fn check(&self, case: &Case) {
        self.wait_for_jobs(case).await;
        let observer = self.cluster.at(0).key(&case.brand, "read").await;
        let agent = self.cluster.agent((case.instance + 2) % self.cluster.count(), &observer);
        for (work, id) in &case.queued {
            let (status, reason) = self.state_of(case, &agent, *work, id).await;
            let sent = self.sent(case, *work).await;
            let about = format!("{:?}, {work:?}: {status}, {reason}, sent {sent} times", case.change);
            match case.change.end_of(*work) {
                WorkEnd::Done => {
                    assert!(QueuedWork::is_done(&status), "{about}");
                    assert!(sent == 1 || *work == QueuedWork::Analysis, "{about}");
                }
                WorkEnd::Cancelled(_, sentence) => {
                    assert_eq!((status.as_str(), sent), ("cancelled", 0), "{about}");
                    assert!(reason.as_str().unwrap_or_default().contains(sentence), "{about}");
                }
                WorkEnd::Pending => assert_eq!((status.as_str(), sent), ("pending", 0), "{about}"),
            }
        }
    }

    /// The status of the work and its reason.
    async fn state_of(&self, case: &Case, agent: &Api, work: QueuedWork, id: &Value) -> (String, Value) {
        let call = async |tool: &str, arguments: Value| agent.call(tool, &arguments).await.tool_result();
        let (state, reason) = match work {
            QueuedWork::WebhookPost | QueuedWork::FeedPost => {
                (call("get_post", json!({"post_id": id})).await["targets"][0].clone(), "error")
            }
            QueuedWork::Mail => (call("list_report_emails", json!({})).await["items"][0].clone(), "answer"),
            QueuedWork::Audit => (call("get_audit", json!({"audit_id": id})).await, "failure"),
            QueuedWork::Analysis => (call("get_analysis", json!({"analysis_id": id})).await, "failure"),
            QueuedWork::HeldPost => {
                let path = format!("/api/brands/{}/approvals/{}", case.brand, id.as_str().expect("an id"));
                (self.cluster.at(case.instance).get(&path).await.expect_status(200).json(), "reason")
            }
        };
        (state["status"].as_str().expect("a status").to_owned(), state[reason].clone())
    }

    /// How often the work has gone out.
    async fn sent(&self, case: &Case, work: QueuedWork) -> usize {
        match work {
            QueuedWork::WebhookPost => case.site.request_count("/hook"),
            QueuedWork::FeedPost => {
                let feed = self.cluster.at(0).get(&format!("/feeds/{}/feed.json", case.brand)).await.json();
                feed["items"].as_array().map_or(0, Vec::len)
            }
            QueuedWork::Mail => {
                let to = recipient(&case.brand);
                // The first mail asked for the confirmation.
                self.smtp.received().iter().filter(|mail| mail.to() == to).count() - 1
            }
            QueuedWork::Audit => case.site.request_count("/"),
            // An analysis sends nothing. A held post would be one more request at the webhook.
            QueuedWork::Analysis | QueuedWork::HeldPost => 0,
        }
    }
}

fn recipient(brand: &str) -> String {
    format!("rita@{brand}.example")
}
