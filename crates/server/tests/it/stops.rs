//! When trust ends, work stops: every change × every kind of queued work.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_access::Clock;
use svc_mcp_testkit::{QueuedWork, Smtp, StopChange, WorkEnd};

use crate::{
    reports::add_recipients,
    support::{AppOptions, BRAND, CreatedKey, OTHER_BRAND, Receiver, Reply, Site, TestApp, eventually},
};

const HOME: &str = "<html lang=en><title>The home of good coffee beans</title><h1>Home</h1>";

struct StopsTest {
    app: TestApp,
    receiver: Receiver,
    smtp: Smtp,
    site: Site,
    others_site: Site,
    /// The key of another brand, which nothing happens to.
    others: String,
}

/// The ids of what a key has queued.
struct Queued {
    webhook_post: Value,
    feed_post: Value,
    audit: Value,
    analysis: Value,
    approval: Value,
}

impl StopsTest {
    async fn new() -> Self {
        let (receiver, smtp) = (Receiver::start().await, Smtp::start());
        let (site, others_site) = (Site::with(&[("/", HOME)]).await, Site::with(&[("/", HOME)]).await);
        let arguments = vec![
            "--outbound-allow=127.0.0.1".to_owned(),
            format!("--smtp-url=smtp://127.0.0.1:{}?tls=none", smtp.port()),
            "--mail-from=reports@svc.example".into(),
            // One worker for each group takes the jobs one after the other.
            "--job-workers=1".into(),
        ];
        let options = AppOptions { arguments, local_rate_limit: true, ..AppOptions::default() };
        let app = TestApp::with(options).await;
        app.put_sites(&site.url, &[]).await;
        let body = json!({"name": "Umbrella", "website": others_site.url, "plan_id": "business"});
        let path = format!("/api/admin/brands/{OTHER_BRAND}");
        app.put(&path).bearer(&app.operator()).json(&body).await.expect_status(200);
        for (brand, user) in [(BRAND, "ada"), (OTHER_BRAND, "eve")] {
            let settings = json!({"url": format!("{}/{brand}", receiver.url)});
            let path = format!("/api/brands/{brand}/channels/hook");
            let body = json!({"kind": "webhook", "settings": settings});
            app.put(&path).bearer(&app.token(user)).json(&body).await.expect_status(200);
        }
        add_recipients(&app, &smtp, &["rita@example.com"]).await;
        let others =
            app.create_key_as("eve", OTHER_BRAND, json!({"label": "others", "scope": "write"})).await;
        Self { app, receiver, smtp, site, others_site, others: others.api_key }
    }

    async fn restart_with(self, argument: &str) -> Self {
        Self { app: self.app.restart_with(argument).await, ..self }
    }

    /// Queues one piece of each kind. Posts are due in a minute, everything else at once.
    async fn queue(&self, created: &CreatedKey) -> Queued {
        let key = &*created.api_key;
        let at = self.app.clock.now().plus(Duration::from_mins(1)).to_string();
        let post = async |channel: &str| {
            let post =
                json!({"text": "Hello", "channels": [channel], "mode": "schedule", "scheduled_at": at});
            self.app.call(key, "create_post", post).await.result()["post"]["post_id"].clone()
        };
        let (webhook_post, feed_post) = (post("hook").await, post("feed").await);
        self.app.call(key, "send_report_email", json!({"period": "last_7_days"})).await.result();
        let audit = self.app.call(key, "run_audit", json!({})).await.result()["id"].clone();
        let text = json!({"kind": "content", "text": "Green tea is wonderful."});
        let analysis = self.app.call(key, "run_analysis", text).await.result()["id"].clone();
        // From now on the key asks first.
        let path = format!("/api/brands/{BRAND}/mcp-keys/{}", created.key_id);
        let request = self.app.request("PATCH", &path).bearer(&self.app.token("ada"));
        request.json(&json!({"approval": "outward"})).await.expect_status(200);
        let held = json!({"text": "Hello", "channels": ["hook"], "mode": "now"});
        let approval = self.app.call(key, "create_post", held).await.result()["approval_id"].clone();
        Queued { webhook_post, feed_post, audit, analysis, approval }
    }

    async fn make(&self, change: StopChange, key: &CreatedKey) {
        match change {
            StopChange::Revoked => {
                let cancelled = json!({"posts": 2, "mails": 1, "jobs": 2, "approvals": 1, "schedules": 0});
                assert_eq!(self.revoke(key, "").await, told(&cancelled));
            }
            StopChange::RevokedButKept => {
                let cancelled = json!({"posts": 0, "mails": 0, "jobs": 0, "approvals": 1, "schedules": 0});
                assert_eq!(self.revoke(key, "?queued=keep").await, told(&cancelled));
            }
            StopChange::OwnerRemoved => self.app.remove_member(BRAND, "ben").await,
            StopChange::Paused | StopChange::PausedForADay => {
                self.app.set_paused("ada", &key.key_id, true).await.expect_status(200);
            }
            StopChange::PlanOff | StopChange::PlanOffForADay => self.put_plan("starter").await,
            StopChange::BrandSuspended | StopChange::BrandSuspendedForADay => self.operate("suspend").await,
            StopChange::Expired => {
                self.app.clock.advance(Duration::from_secs(90));
                self.app.list_tools(&key.api_key).await.expect_problem(401, "key_invalid");
            }
        }
        self.app.clock.advance(Duration::from_mins(2));
    }

    async fn revoke(&self, key: &CreatedKey, query: &str) -> Value {
        let path = format!("/api/brands/{BRAND}/mcp-keys/{}{query}", key.key_id);
        let request = self.app.delete(&path).bearer(&self.app.token("ada"));
        let reply = request.header("prefer", "return=representation").send().await.expect_status(200);
        assert_eq!(reply.header("preference-applied"), "return=representation");
        reply.body
    }

    /// Suspends or resumes the brand.
    async fn operate(&self, action: &str) {
        let path = format!("/api/admin/brands/{BRAND}/{action}");
        self.app.post(&path).bearer(&self.app.operator()).send().await.expect_status(200);
    }

    async fn put_plan(&self, plan: &str) {
        let body = json!({"name": "Acme", "website": self.site.url, "plan_id": plan});
        let path = format!("/api/admin/brands/{BRAND}");
        self.app.put(&path).bearer(&self.app.operator()).json(&body).await.expect_status(200);
    }

    /// Returns when the workers have taken every job that is due: brands take turns, and the other brand has as many.
    async fn let_workers_take_turns(&self) {
        for round in 0..4 {
            let post = json!({"text": "Hello", "channels": ["hook"], "mode": "now"});
            let post = self.app.call(&self.others, "create_post", post).await;
            assert_eq!(post.result()["post"]["targets"][0]["status"], "published", "{}", post.text);
            let text = json!({"kind": "content", "text": format!("Tea {round}."), "wait_seconds": 25});
            let analysis = self.app.call(&self.others, "run_analysis", text).await;
            let site = json!({"wait_seconds": 25, "max_pages": round + 1});
            let audit = self.app.call(&self.others, "run_audit", site).await;
            for job in [analysis, audit] {
                assert_eq!(job.result()["status"], "done", "{}", job.text);
            }
        }
        assert!(self.others_site.request_count("/") > 0);
    }

    /// The status of the work and its reason, as an agent of the brand sees them.
    async fn state_of(&self, queued: &Queued, work: QueuedWork, observer: &str) -> (String, Value) {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let call =
            async |tool: &str, arguments: Value| -> Reply { self.app.call(observer, tool, arguments).await };
        match work {
            QueuedWork::WebhookPost | QueuedWork::FeedPost => {
                let post_id =
                    if work == QueuedWork::FeedPost { &queued.feed_post } else { &queued.webhook_post };
                let post = call("get_post", json!({"post_id": post_id})).await;
                let target = &post.result()["targets"][0];
                (text(&target["status"]), target["error"].clone())
            }
            QueuedWork::Mail => {
                let mails = call("list_report_emails", json!({})).await;
                let mail = &mails.result()["items"][0];
                (text(&mail["status"]), mail["answer"].clone())
            }
            QueuedWork::Audit => {
                let audit = call("get_audit", json!({"audit_id": queued.audit})).await;
                (text(&audit.result()["status"]), audit.result()["failure"].clone())
            }
            QueuedWork::Analysis => {
                let analysis = call("get_analysis", json!({"analysis_id": queued.analysis})).await;
                (text(&analysis.result()["status"]), analysis.result()["failure"].clone())
            }
            QueuedWork::HeldPost => {
                let path =
                    format!("/api/brands/{BRAND}/approvals/{}", queued.approval.as_str().expect("an id"));
                let approval = self.app.get(&path).bearer(&self.app.token("ada")).send().await;
                let approval = approval.expect_status(200).body;
                (text(&approval["status"]), approval["reason"].clone())
            }
        }
    }

    /// Waits for the end of the work. A poll takes six seconds of the test's clock, because of the rate limit.
    async fn end_of(&self, queued: &Queued, work: QueuedWork, observer: &str) -> (String, Value) {
        eventually(&format!("the end of {work:?}"), async || {
            self.app.clock.advance(Duration::from_secs(6));
            let state = self.state_of(queued, work, observer).await;
            (!QueuedWork::is_open(&state.0)).then_some(state)
        })
        .await
    }

    /// How often the work has gone out.
    async fn sent(&self, work: QueuedWork) -> usize {
        match work {
            QueuedWork::WebhookPost => {
                let path = format!("/{BRAND}");
                self.receiver.requests().iter().filter(|request| request.path == path).count()
            }
            QueuedWork::FeedPost => {
                let feed = self.app.get(&format!("/feeds/{BRAND}/feed.json")).send().await;
                feed.body["items"].as_array().map_or(0, Vec::len)
            }
            // The first mail asked for the confirmation.
            QueuedWork::Mail => self.smtp.received().len() - 1,
            QueuedWork::Audit => self.site.request_count("/"),
            // An analysis sends nothing. A held post would be one more request at the webhook.
            QueuedWork::Analysis | QueuedWork::HeldPost => 0,
        }
    }

    async fn observer(&self) -> String {
        self.app.key("read").await
    }
}

fn told(cancelled: &Value) -> Value {
    json!({"cancelled": cancelled, "already_sending": {"posts": 0, "mails": 0, "jobs": 0}})
}

async fn check(change: StopChange) {
    // The work is queued while no worker runs.
    let test = StopsTest::new().await.restart_with("--job-workers=0").await;
    let expires_at = test.app.clock.now().plus(Duration::from_secs(80)).to_string();
    let expires_at = (change == StopChange::Expired).then_some(expires_at);
    let key = json!({"label": "ben's", "scope": "write", "expires_at": expires_at});
    let key = test.app.create_key_as("ben", BRAND, key).await;
    let queued = test.queue(&key).await;
    test.make(change, &key).await;
    let test = test.restart_with("--job-workers=1").await;

    if change.holds_work() {
        test.let_workers_take_turns().await;
        for work in QueuedWork::ALL {
            assert_eq!(test.sent(work).await, 0, "{change:?}, {work:?}: it is held");
        }
    }
    match change {
        StopChange::Paused => {
            test.app.set_paused("ben", &key.key_id, false).await.expect_status(200);
        }
        StopChange::PlanOff => {
            test.put_plan("business").await;
            test.app.clock.advance(Duration::from_mins(6));
        }
        StopChange::BrandSuspended => test.operate("resume").await,
        StopChange::PausedForADay | StopChange::PlanOffForADay | StopChange::BrandSuspendedForADay => {
            test.app.clock.advance(Duration::from_hours(25));
        }
        _ => {}
    }
    if change == StopChange::PlanOffForADay {
        // Nobody can look while the plan is off. The work is cancelled meanwhile.
        test.let_workers_take_turns().await;
        test.put_plan("business").await;
    }
    if change == StopChange::BrandSuspendedForADay {
        test.let_workers_take_turns().await;
        test.operate("resume").await;
    }
    let observer = test.observer().await;
    for work in QueuedWork::ALL {
        let (status, reason) = test.end_of(&queued, work, &observer).await;
        let case = format!("{change:?}, {work:?}: {status}, {reason}");
        let sent = test.sent(work).await;
        match change.end_of(work) {
            WorkEnd::Done => {
                assert!(QueuedWork::is_done(&status), "{case}");
                assert!(sent == 1 || work == QueuedWork::Analysis, "{case}: sent {sent} times");
            }
            WorkEnd::Cancelled(_, sentence) => {
                assert_eq!((status.as_str(), sent), ("cancelled", 0), "{case}");
                assert!(reason.as_str().unwrap_or_default().contains(sentence), "{case}");
            }
            WorkEnd::Pending => assert_eq!((status.as_str(), sent), ("pending", 0), "{case}"),
        }
    }
    check_activity(&test, change, &key).await;
}

/// The activity says what was cancelled, and why.
async fn check_activity(test: &StopsTest, change: StopChange, key: &CreatedKey) {
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}/activity?limit=200", key.key_id);
    let page = test.app.get(&path).bearer(&test.app.token("ada")).send().await.expect_status(200);
    let events = page.body["events"].as_array().unwrap();
    let of_kind = |kind: &str| events.iter().filter(|event| event["kind"] == kind).collect::<Vec<_>>();
    let cancelled = of_kind("cancelled");
    let total: u64 = cancelled.iter().map(|event| event["count"].as_u64().unwrap()).sum();
    match change.end_of(QueuedWork::Mail) {
        WorkEnd::Cancelled(code, _) => {
            assert_eq!(total, 5, "{change:?}: {cancelled:?}");
            assert!(cancelled.iter().all(|event| event["reason"] == code), "{change:?}: {cancelled:?}");
        }
        _ => assert_eq!(total, 0, "{change:?}: {cancelled:?}"),
    }
    if change == StopChange::RevokedButKept {
        assert_eq!(of_kind("revoked")[0]["reason"], "queued_work_kept");
    }
}

macro_rules! stops {
    ($($name:ident $change:ident,)+) => {$(
        #[tokio::test]
        async fn $name() {
            check(StopChange::$change).await;
        }
    )+};
}

stops! {
    revoke_cancels_all_queued_work Revoked,
    revoke_can_keep_queued_work RevokedButKept,
    removed_owner_cancels_all_queued_work OwnerRemoved,
    paused_key_holds_queued_work_until_it_is_resumed Paused,
    work_of_a_key_that_is_paused_for_a_day_is_cancelled PausedForADay,
    inactive_plan_holds_queued_work_until_it_is_active PlanOff,
    work_of_a_plan_that_is_inactive_for_a_day_is_cancelled PlanOffForADay,
    suspended_brand_holds_queued_work_until_it_is_resumed BrandSuspended,
    work_of_a_brand_that_is_suspended_for_a_day_is_cancelled BrandSuspendedForADay,
    expiry_stops_nothing_that_was_ordered_before Expired,
}

#[tokio::test]
async fn revoke_answers_204_unless_a_body_is_preferred() {
    let app = TestApp::new().await;
    let key = app.create_key(json!({"label": "a"})).await;
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    let delete = |query: &str| app.delete(&format!("{path}{query}")).bearer(&app.token("ada"));
    delete("?queued=maybe").send().await.expect_problem(422, "invalid_request");
    delete("?force=1").send().await.expect_problem(422, "invalid_request");
    app.list_tools(&key.api_key).await.expect_status(200);
    for query in ["", "?queued=cancel", "?queued=keep"] {
        assert_eq!(delete(query).send().await.expect_status(204).text, "");
        delete(query).header("prefer", "return=minimal").send().await.expect_status(204);
    }
    let told = delete("").header("prefer", "return=representation").send().await.expect_status(200);
    assert_eq!(
        told.body["cancelled"],
        json!({"posts": 0, "mails": 0, "jobs": 0, "approvals": 0, "schedules": 0})
    );
}
