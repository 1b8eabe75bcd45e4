//! Every quota: its default, the limit of a plan, what people and agents see of it, and that it is the brand's own.

use serde_json::{Value, json};
use svc_mcp_access::Quota;
use svc_mcp_testkit::Smtp;

use crate::{
    reports::{add_recipients, with_mail},
    support::{AppOptions, BRAND, OTHER_BRAND, Reply, TestApp},
};

/// A brand, its administrator, a key, and a key whose calls wait for approval.
struct Tenant<'a> {
    app: &'a TestApp,
    brand: &'static str,
    user: &'static str,
    key: String,
    asking_key: String,
}

/// A service without workers: nothing ends, so that counts stand still.
async fn app_without_workers() -> TestApp {
    let arguments = vec!["--job-workers=0".into()];
    TestApp::with(AppOptions { arguments, local_rate_limit: true, ..AppOptions::default() }).await
}

impl<'a> Tenant<'a> {
    async fn new(app: &'a TestApp, brand: &'static str, user: &'static str) -> Self {
        let key = async |approval: &str| {
            let body = json!({"label": approval, "scope": "write", "approval": approval});
            app.create_key_as(user, brand, body).await.api_key
        };
        Self { app, brand, user, key: key("none").await, asking_key: key("outward").await }
    }

    /// Uses one of the quota. Each number is another use.
    async fn use_one(&self, quota: Quota, number: u32) -> Reply {
        let text = format!("{} {number}", quota.as_str());
        let post = |mode: &str| json!({"text": text, "channels": ["feed"], "mode": mode});
        let (tool, arguments) = match quota {
            Quota::OpenLongJobs | Quota::AuditsPerDay | Quota::StoredAudits => {
                let pages = number + if quota == Quota::OpenLongJobs { 10 } else { 20 };
                ("run_audit", json!({"max_pages": pages, "wait_seconds": 0}))
            }
            Quota::QueuedTargets => {
                let mut later = post("schedule");
                later["scheduled_at"] = "2026-12-01T00:00:00Z".into();
                ("create_post", later)
            }
            Quota::Drafts | Quota::PostsPerDay => ("create_post", post("draft")),
            Quota::ConcurrentWaits => ("run_audit", json!({"max_pages": 7, "wait_seconds": 1})),
            Quota::AnalysesPerDay | Quota::StoredAnalyses => {
                ("run_analysis", json!({"kind": "content", "text": text, "wait_seconds": 0}))
            }
            Quota::KeywordSearchesPerDay => ("keyword_research_search", json!({"seeds": [text]})),
            Quota::Schedules => {
                let day = number + 1;
                ("create_schedule", json!({"kind": "audit", "every": "month", "day": day, "at": "09:00"}))
            }
            Quota::PendingApprovals => {
                return self.app.call(&self.asking_key, "create_post", post("now")).await;
            }
            Quota::ConnectionTestsPerHour => {
                let path = format!("/api/brands/{}/channels/feed/test", self.brand);
                return self.app.post(&path).bearer(&self.app.token(self.user)).send().await;
            }
            Quota::Keys => {
                let path = format!("/api/brands/{}/mcp-keys", self.brand);
                let token = self.app.token(self.user);
                return self.app.post(&path).bearer(&token).json(&json!({"label": text})).await;
            }
            Quota::ReportEmailsPerDay => ("send_report_email", json!({"period": "last_7_days"})),
        };
        self.app.call(&self.key, tool, arguments).await
    }

    /// All quotas as people see them.
    async fn usage(&self) -> Value {
        let path = format!("/api/brands/{}/mcp-usage", self.brand);
        let reply = self.app.get(&path).bearer(&self.app.token(self.user)).send().await.expect_status(200);
        let quotas = reply.body["quotas"].as_array().unwrap();
        let named = quotas.iter().map(|quota| (quota["quota"].as_str().unwrap().to_owned(), quota.clone()));
        named.collect::<serde_json::Map<_, _>>().into()
    }

    /// One quota in the list of quotas.
    async fn listed(&self, quota: Quota) -> Value {
        let path = format!("/api/brands/{}/quotas", self.brand);
        let reply = self.app.get(&path).bearer(&self.app.token(self.user)).send().await.expect_status(200);
        let quotas = reply.body["quotas"].as_array().unwrap();
        quotas.iter().find(|found| found["name"] == quota.as_str()).unwrap().clone()
    }

    async fn used(&self, quota: Quota) -> u32 {
        let usage = self.usage().await;
        usage[quota.as_str()]["used"].as_u64().unwrap().try_into().unwrap()
    }

    /// One quota as the agent sees it.
    async fn seen_by_agent(&self, quota: Quota) -> Value {
        let key = if quota == Quota::PendingApprovals { &self.asking_key } else { &self.key };
        let brand = self.app.call(key, "get_brand", json!({})).await.result().clone();
        let quotas = brand["quotas"].as_array().unwrap();
        assert_eq!(quotas.len(), Quota::ALL.len());
        quotas.iter().find(|found| found["quota"] == quota.as_str()).unwrap().clone()
    }
}

#[track_caller]
fn assert_allowed(reply: &Reply, quota: Quota) {
    match quota {
        Quota::Keys => assert_eq!(reply.status, 201, "{}", reply.text),
        Quota::ConnectionTestsPerHour => assert_eq!(reply.body["ok"], true, "{}", reply.text),
        _ => assert_eq!(reply.body["isError"], false, "{quota:?}: {}", reply.text),
    }
}

/// The members of a refusal.
#[track_caller]
fn refusal(reply: &Reply, quota: Quota) -> Value {
    if quota == Quota::Keys {
        assert_eq!((reply.status, reply.code()), (409, "key_limit_reached"), "{}", reply.text);
        return reply.body.clone();
    }
    if quota == Quota::ConnectionTestsPerHour {
        assert_eq!((reply.status, reply.code()), (409, "quota_reached"), "{}", reply.text);
        return reply.body.clone();
    }
    assert_eq!((reply.status, &reply.body["isError"]), (200, &json!(true)), "{quota:?}: {}", reply.text);
    assert_eq!(reply.body["structuredContent"]["code"], "quota_reached", "{}", reply.text);
    reply.body["structuredContent"].clone()
}

/// Whether one more than the limit is refused. The others let the call go on without a wait, or delete what is oldest.
fn refuses(quota: Quota) -> bool {
    !matches!(quota, Quota::ConcurrentWaits | Quota::StoredAnalyses | Quota::StoredAudits)
}

/// Each of these frees by itself, at a time that is known.
fn has_time(quota: Quota) -> bool {
    quota.is_daily()
        || matches!(quota, Quota::QueuedTargets | Quota::PendingApprovals | Quota::ConnectionTestsPerHour)
}

#[tokio::test]
async fn every_quota_has_its_default_and_the_limit_of_the_plan() {
    let app = app_without_workers().await;
    let (acme, umbrella) =
        (Tenant::new(&app, BRAND, "ada").await, Tenant::new(&app, OTHER_BRAND, "eve").await);
    let defaults = acme.usage().await;
    for quota in Quota::ALL {
        assert_eq!(defaults[quota.as_str()]["limit"], quota.default_limit(), "{quota:?}");
    }
    for quota in
        Quota::ALL.iter().copied().filter(|quota| refuses(*quota) && *quota != Quota::ReportEmailsPerDay)
    {
        // Other quotas must not be in the way.
        let limits = |limit: u32| json!({"open_long_jobs": 1_000, "keys": 1_000, (quota.as_str()): limit});
        let before = acme.used(quota).await;
        app.set_quotas(limits(before + 1)).await.expect_status(200);
        assert_allowed(&acme.use_one(quota, 0).await, quota);
        let refused = refusal(&acme.use_one(quota, 1).await, quota);
        assert_eq!(
            (&refused["quota"], &refused["limit"], &refused["used"]),
            (&json!(quota.as_str()), &json!(before + 1), &json!(before + 1)),
        );
        let shown = acme.usage().await[quota.as_str()].clone();
        let listed = acme.listed(quota).await;
        for field in ["limit", "used", "frees_at"] {
            assert_eq!(shown[field], refused[field], "{quota:?}: {field}");
            assert_eq!(listed[field], refused[field], "{quota:?}: {field}");
        }
        assert_eq!(shown["frees_at"].is_string(), has_time(quota), "{quota:?}: {shown}");
        let seen = acme.seen_by_agent(quota).await;
        for field in ["limit", "used", "frees_at"] {
            assert_eq!(seen.get(field).unwrap_or(&Value::Null), &shown[field], "{quota:?}: {field}");
        }
        // The other brand on the same plan has a quota of its own.
        let theirs = umbrella.used(quota).await;
        app.set_quotas(limits(theirs + 1)).await.expect_status(200);
        assert_allowed(&umbrella.use_one(quota, 0).await, quota);
        refusal(&umbrella.use_one(quota, 1).await, quota);
        assert_eq!(acme.used(quota).await, before + 1, "{quota:?}");
        // A lower limit deletes nothing, and a higher one frees at once.
        app.set_quotas(limits(0)).await.expect_status(200);
        let refused = refusal(&acme.use_one(quota, 2).await, quota);
        assert_eq!((&refused["limit"], &refused["used"]), (&json!(0), &json!(before + 1)), "{quota:?}");
        assert_eq!(refused["frees_at"], Value::Null, "waiting does not help: {quota:?}");
        app.set_quotas(limits(before + 2)).await.expect_status(200);
        assert_allowed(&acme.use_one(quota, 3).await, quota);
        refusal(&acme.use_one(quota, 4).await, quota);
    }
}

#[tokio::test]
async fn stored_results_are_counted_and_never_refused() {
    let app = app_without_workers().await;
    let acme = Tenant::new(&app, BRAND, "ada").await;
    for quota in [Quota::StoredAnalyses, Quota::StoredAudits] {
        app.set_quotas(json!({(quota.as_str()): 1})).await.expect_status(200);
        for number in 0..2 {
            assert_allowed(&acme.use_one(quota, number).await, quota);
        }
        let shown = acme.usage().await[quota.as_str()].clone();
        assert_eq!(shown, json!({"quota": quota.as_str(), "limit": 1, "used": 2, "frees_at": null}));
        assert_eq!(acme.seen_by_agent(quota).await, json!({"quota": quota.as_str(), "limit": 1, "used": 2}));
    }
}

#[tokio::test]
async fn plan_limits_the_calls_that_wait() {
    let app = app_without_workers().await;
    let acme = Tenant::new(&app, BRAND, "ada").await;
    let quota = Quota::ConcurrentWaits;
    app.set_quotas(json!({"concurrent_waits": 0})).await.expect_status(200);
    let note = acme.use_one(quota, 0).await.result()["note"].clone();
    assert!(note.as_str().unwrap().contains("get_audit"), "{note}");
    assert_eq!(acme.usage().await[quota.as_str()]["limit"], 0);
    app.set_quotas(json!({"concurrent_waits": 1})).await.expect_status(200);
    assert_eq!(acme.use_one(quota, 0).await.result()["note"], Value::Null, "it waits");
    assert_eq!(acme.used(quota).await, 0, "it has ended");
}

#[tokio::test]
async fn plan_limits_report_mails() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    add_recipients(&app, &smtp, &["ada@example.com"]).await;
    let acme = Tenant::new(&app, BRAND, "ada").await;
    let quota = Quota::ReportEmailsPerDay;
    assert_eq!(acme.usage().await[quota.as_str()]["limit"], 20);
    app.set_quotas(json!({"report_emails_per_day": 1})).await.expect_status(200);
    assert_allowed(&acme.use_one(quota, 0).await, quota);
    let refused = refusal(&acme.use_one(quota, 1).await, quota);
    assert_eq!(
        (&refused["quota"], &refused["limit"], &refused["used"]),
        (&json!(quota.as_str()), &json!(1), &json!(1))
    );
    assert_eq!(refused["frees_at"], "2026-11-16T00:00:00.000Z");
    let shown = acme.usage().await[quota.as_str()].clone();
    assert_eq!((&shown["used"], &shown["frees_at"]), (&refused["used"], &refused["frees_at"]));
    assert_eq!(acme.seen_by_agent(quota).await["frees_at"], refused["frees_at"]);
    app.set_quotas(json!({"report_emails_per_day": 2})).await.expect_status(200);
    assert_allowed(&acme.use_one(quota, 2).await, quota);
}

#[tokio::test]
async fn usage_is_for_members_of_the_brand() {
    let app = TestApp::new().await;
    app.key("read").await;
    let list = async |user: &str| {
        let path = format!("/api/brands/{BRAND}/quotas");
        app.get(&path).bearer(&app.token(user)).send().await
    };
    let quotas = list("ben").await.expect_status(200).body["quotas"].as_array().unwrap().clone();
    let names: Vec<&str> = quotas.iter().map(|quota| quota["name"].as_str().unwrap()).collect();
    assert_eq!(names, Quota::ALL.iter().map(|quota| quota.as_str()).collect::<Vec<_>>());
    let keys = quotas.iter().find(|quota| quota["name"] == "keys").unwrap();
    assert_eq!(keys, &json!({"name": "keys", "limit": 50, "used": 1, "frees_at": null}));
    list("eve").await.expect_problem(404, "not_found");
    let path = format!("/api/brands/{BRAND}/mcp-usage");
    let quotas = async |user: &str| app.get(&path).bearer(&app.token(user)).send().await;
    assert_eq!(
        quotas("ben").await.expect_status(200).body["quotas"].as_array().unwrap().len(),
        Quota::ALL.len()
    );
    quotas("eve").await.expect_problem(404, "not_found");
}
