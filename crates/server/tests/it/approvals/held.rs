//! Which calls are held. A call that is held changes nothing.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_access::Clock;
use svc_mcp_testkit::Smtp;

use super::{ApprovalsTest, is_held, new_key, now};
use crate::{
    reports::add_recipients,
    support::{BRAND, CreatedKey, Site, eventually},
};

const HOME: &str = "<html lang=en><title>Acme Coffee</title><h1>Coffee beans, roasted for you</h1><p>We roast coffee beans in \
    small batches. Our coffee beans come from farms that we know by name, and we send fresh coffee beans every Monday.</p>";
const LATER: &str = "2026-11-20T00:00:00Z";

/// What a call would change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Nothing,
    /// Only people of the brand notice it.
    Inside,
    /// People outside see it.
    Outside,
}

struct Case {
    tool: &'static str,
    arguments: Value,
    effect: Effect,
}

/// A service with a site and a confirmed recipient of reports. No worker runs, so that only calls change anything.
struct TableTest {
    test: ApprovalsTest,
    site: Site,
    smtp: Smtp,
    key: CreatedKey,
}

impl TableTest {
    async fn new(rule: &str) -> Self {
        let (site, smtp) = (Site::with(&[("/", HOME)]).await, Smtp::start());
        let arguments = vec![
            format!("--smtp-url=smtp://127.0.0.1:{}?tls=none", smtp.port()),
            "--mail-from=reports@svc.example".into(),
        ];
        let test = ApprovalsTest::with(arguments).await;
        test.app.put_sites(&site.url, &[]).await;
        add_recipients(&test.app, &smtp, &["rita@example.com"]).await;
        let key = new_key(&test.app, "ben", rule).await;
        Self { test: test.restart_with("--job-workers=0").await, site, smtp, key }
    }

    /// The id of a new post of another key.
    async fn post(&self, mode: &str) -> Value {
        let mut post = json!({"text": mode, "channels": ["feed"], "mode": mode});
        if mode == "schedule" {
            post["scheduled_at"] = json!(LATER);
        }
        let created = self.test.call(&self.test.free_key, "create_post", post).await;
        created.result()["post"]["post_id"].clone()
    }

    async fn cases(&self) -> Vec<Case> {
        let case = |tool, arguments, effect| Case { tool, arguments, effect };
        let post = |mode: &str, more: Value| {
            let mut post = json!({"text": "new", "channels": ["feed"], "mode": mode});
            post.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            post
        };
        let changed = |post_id: Value| json!({"post_id": post_id, "text": "changed"});
        let id = |post_id: Value| json!({"post_id": post_id});
        vec![
            case("create_post", post("draft", json!({})), Effect::Inside),
            case("create_post", post("now", json!({})), Effect::Outside),
            case("create_post", post("schedule", json!({"scheduled_at": LATER})), Effect::Outside),
            case("create_post", post("now", json!({"dry_run": true})), Effect::Nothing),
            case("update_post", changed(self.post("draft").await), Effect::Inside),
            case("update_post", changed(self.post("schedule").await), Effect::Outside),
            // The post has this text already.
            case(
                "update_post",
                json!({"post_id": self.post("schedule").await, "text": "schedule"}),
                Effect::Nothing,
            ),
            case("publish_post", id(self.post("draft").await), Effect::Outside),
            case("cancel_post", id(self.post("schedule").await), Effect::Inside),
            case("withdraw_post", id(self.post("now").await), Effect::Outside),
            case("send_report_email", json!({"period": "last_7_days"}), Effect::Outside),
            case("send_report_email", json!({"period": "last_7_days", "dry_run": true}), Effect::Nothing),
            case("run_audit", json!({}), Effect::Inside),
            case("run_analysis", json!({"kind": "content", "text": "Green tea is good."}), Effect::Inside),
            case("keyword_research_search", json!({"seeds": ["coffee beans"]}), Effect::Inside),
            case("get_brand", json!({}), Effect::Nothing),
            case("list_posts", json!({}), Effect::Nothing),
            case("validate_post", json!({"text": "x", "channels": ["feed"]}), Effect::Nothing),
            case("preview_report", json!({"period": "last_7_days"}), Effect::Nothing),
            case("list_approvals", json!({}), Effect::Nothing),
        ]
    }

    /// Everything that a call could have changed.
    async fn state(&self) -> Value {
        let posts = self.test.call(&self.test.free_key, "list_posts", json!({"limit": 100})).await;
        let mut totals = Vec::new();
        for tool in ["list_report_emails", "list_audits", "list_analyses", "list_keyword_searches"] {
            let list = self.test.call(&self.test.free_key, tool, json!({})).await;
            totals.push(list.result()["total"].clone());
        }
        json!({
            "posts": posts.result(),
            "totals": totals,
            "feed": self.test.feed().await,
            "requests": self.site.request_count("/"),
            "mails": self.smtp.received().len(),
        })
    }

    /// Calls every tool. Only calls with these effects are held.
    async fn check(&self, held: &[Effect]) {
        for Case { tool, arguments, effect } in self.cases().await {
            let name = format!("{tool} {arguments}");
            let before = self.state().await;
            let reply = self.test.call(&self.key.api_key, tool, arguments).await;
            // The reply was checked against the `outputSchema` of the tool.
            assert_eq!(is_held(&reply), held.contains(&effect), "{name}: {}", reply.text);
            if is_held(&reply) {
                self.check_answer(&name, reply.result());
                assert_eq!(self.state().await, before, "{name} changes nothing");
            }
        }
    }

    fn check_answer(&self, name: &str, answer: &Value) {
        assert_eq!(answer["poll_with"], "get_approval", "{name}");
        assert!(answer["approval_id"].as_str().is_some_and(|id| !id.is_empty()), "{name}: {answer}");
        let expires_at = self.test.app.clock.now().plus(Duration::from_hours(72)).to_string();
        assert_eq!(answer["expires_at"], expires_at, "{name}");
        // A search asks others, so it does not run before the approval.
        assert_eq!(answer["preview"].is_null(), name.starts_with("keyword_research_search"), "{name}");
    }
}

#[tokio::test]
async fn key_without_a_rule_is_never_held() {
    TableTest::new("none").await.check(&[]).await;
}

#[tokio::test]
async fn rule_outward_holds_what_people_outside_see() {
    TableTest::new("outward").await.check(&[Effect::Outside]).await;
}

#[tokio::test]
async fn rule_all_holds_every_change() {
    TableTest::new("all").await.check(&[Effect::Inside, Effect::Outside]).await;
}

#[tokio::test]
async fn preview_is_the_output_of_the_tool() {
    let test = ApprovalsTest::new().await;
    let reply = test.call(&test.key.api_key, "create_post", now("soon")).await;
    let preview = &reply.result()["preview"];
    assert_eq!(
        (&preview["post"]["text"], &preview["post"]["targets"][0]["channel"]),
        (&json!("soon"), &json!("feed"))
    );
    assert_eq!(test.post_count().await, 0);
}

#[tokio::test]
async fn call_that_fails_is_not_held() {
    let test = ApprovalsTest::new().await;
    let unknown = json!({"text": "x", "channels": ["nowhere"], "mode": "now"});
    let reply = test.call(&test.key.api_key, "create_post", unknown).await;
    assert_eq!(reply.expect_ok()["isError"], true, "{}", reply.text);
    let invalid = test.call(&test.key.api_key, "create_post", now("")).await;
    invalid.expect_problem(422, "invalid_arguments");
    assert_eq!(test.list("ada", "").await.expect_status(200).body["total"], 0);
}

#[tokio::test]
async fn repeated_call_has_one_approval() {
    let test = ApprovalsTest::new().await;
    let body = json!({"name": "create_post", "arguments": now("once")});
    let send = async || {
        let request = test.app.post("/mcp/v1/tools/call").bearer(&test.key.api_key);
        request.header("idempotency-key", "one").json(&body).await.expect_status(200)
    };
    let (first, second) = (send().await, send().await);
    assert_eq!((first.header("idempotency-replayed"), second.header("idempotency-replayed")), ("", "true"));
    assert_eq!(first.text, second.text);
    assert_eq!(test.list("ada", "").await.body["total"], 1);
    // Also after the approval: the agent finds the result with get_approval.
    let approval_id = first.result()["approval_id"].as_str().unwrap();
    test.look_and_approve("ada", approval_id).await.expect_status(200);
    assert_eq!(send().await.text, first.text);
    assert_eq!(test.feed().await, ["once"]);
}

#[tokio::test]
async fn held_call_is_in_the_activity() {
    let test = ApprovalsTest::new().await;
    test.hold("create_post", now("later")).await;
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}/activity?kind=call", test.key.key_id);
    let event = eventually("the event of the call", async || {
        let page = test.app.get(&path).bearer(&test.app.token("ada")).send().await.expect_status(200);
        page.body["events"].get(0).cloned()
    })
    .await;
    assert_eq!(
        (&event["tool"], &event["outcome"], &event["reason"]),
        (&json!("create_post"), &json!("ok"), &json!("awaiting_approval"))
    );
}
