//! Quotas of a brand, as agents, people and the operator see them.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use svc_mcp_access::Quota;

use crate::support::{BRAND, OTHER_BRAND, Reply, TestApp};

const PLAN: &str = "/api/admin/plans/business";

/// Changes these quotas of the plan.
async fn change_quotas(app: &TestApp, quotas: Value) -> Reply {
    let body = json!({"name": "Business", "mcp_enabled": true, "quotas": quotas});
    app.put(PLAN).bearer(&app.operator()).json(&body).await
}

/// The result of a call that a quota refuses.
#[track_caller]
fn refusal(reply: &Reply) -> &Value {
    assert_eq!((reply.status, &reply.body["isError"]), (200, &json!(true)), "{}", reply.text);
    assert_eq!(reply.body["structuredContent"]["code"], "quota_reached", "{}", reply.text);
    &reply.body["structuredContent"]
}

fn draft(text: &str) -> Value {
    json!({"text": text, "channels": ["feed"]})
}

#[tokio::test]
async fn daily_quota_is_explained_and_frees_at_midnight() {
    let app = TestApp::with_local_rate_limit().await;
    app.set_quotas(json!({"posts_per_day": 2})).await.expect_status(200);
    let key = app.key("write").await;
    let once = async |text: &str| {
        let body = json!({"name": "create_post", "arguments": draft(text)});
        app.post("/mcp/v1/tools/call").bearer(&key).header("idempotency-key", text).json(&body).await
    };
    let first = once("one").await;
    first.result();
    once("two").await.result();
    let refused = app.call(&key, "create_post", draft("three")).await;
    let failure = refusal(&refused);
    assert_eq!(
        (&failure["quota"], &failure["limit"], &failure["used"]),
        (&json!("posts_per_day"), &json!(2), &json!(2))
    );
    assert_eq!(
        (&failure["frees_at"], &failure["retryable"]),
        (&json!("2026-11-16T00:00:00.000Z"), &json!(true))
    );
    // What was committed is answered from its record.
    let repeated = once("one").await;
    assert_eq!((repeated.header("idempotency-replayed"), &repeated.text), ("true", &first.text));
    // A dry run needs nothing, and another brand has its own quota.
    let mut dry_run = draft("four");
    dry_run["dry_run"] = true.into();
    app.call(&key, "create_post", dry_run).await.result();
    let theirs = app.create_key_as("eve", OTHER_BRAND, json!({"label": "theirs", "scope": "write"})).await;
    app.call(&theirs.api_key, "create_post", draft("theirs")).await.result();
    app.clock.advance(Duration::from_hours(24));
    app.call(&key, "create_post", draft("tomorrow")).await.result();
}

#[tokio::test]
async fn concurrent_calls_do_not_exceed_a_quota() {
    let app = TestApp::with_local_rate_limit().await;
    app.set_quotas(json!({"drafts": 5})).await.expect_status(200);
    let (one, other) = (app.key("write").await, app.key("write").await);
    let calls = (0..20).map(|number| {
        let key = if number % 2 == 0 { &one } else { &other };
        app.call(key, "create_post", draft("many"))
    });
    let replies = join_all(calls).await;
    let refused: Vec<&Reply> = replies.iter().filter(|reply| reply.expect_ok()["isError"] == true).collect();
    assert_eq!(refused.len(), 15);
    for reply in refused {
        assert_eq!(refusal(reply)["frees_at"], Value::Null);
    }
    assert_eq!(app.call(&one, "list_posts", json!({})).await.result()["total"], 5);
}

#[tokio::test]
async fn every_write_tool_is_refused_by_its_quota() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let later = json!({"text": "x", "channels": ["feed"], "mode": "schedule", "scheduled_at": "2026-12-01T00:00:00Z"});
    for (quota, tool, arguments) in [
        ("posts_per_day", "create_post", draft("x")),
        ("drafts", "create_post", draft("x")),
        ("queued_targets", "create_post", later),
        ("open_long_jobs", "run_audit", json!({})),
        ("audits_per_day", "run_audit", json!({})),
        ("open_long_jobs", "run_analysis", json!({"kind": "content", "text": "Tea"})),
        ("analyses_per_day", "run_analysis", json!({"kind": "content", "text": "Tea"})),
        ("keyword_searches_per_day", "keyword_research_search", json!({"seeds": ["tea"]})),
    ] {
        app.set_quotas(json!({quota: 0})).await.expect_status(200);
        let refused = app.call(&key, tool, arguments).await;
        let failure = refusal(&refused);
        assert_eq!((&failure["quota"], &failure["limit"]), (&json!(quota), &json!(0)), "{tool}");
        assert_eq!((&failure["frees_at"], &failure["retryable"]), (&Value::Null, &json!(false)), "{tool}");
    }
}

#[tokio::test]
async fn quotas_of_a_plan_are_set_shown_and_kept() {
    let app = TestApp::new().await;
    let get = async || app.get(PLAN).bearer(&app.operator()).send().await.expect_status(200).body;
    let quotas = json!({"keys": 3, "posts_per_day": 1_000});
    let set = change_quotas(&app, quotas.clone()).await.expect_status(200).body;
    assert_eq!((&set["quotas"], &set), (&quotas, &get().await));
    let effective = &set["effective_quotas"];
    assert_eq!(effective.as_object().unwrap().len(), Quota::ALL.len());
    for quota in Quota::ALL {
        let expected = match quota {
            Quota::Keys => json!({"limit": 3, "default": false}),
            Quota::PostsPerDay => json!({"limit": 1_000, "default": false}),
            other => json!({"limit": other.default_limit(), "default": true}),
        };
        assert_eq!(effective[quota.as_str()], expected, "{quota:?}");
    }
    // What is left out is kept, and null restores a default.
    app.put_plan("business", true).await;
    assert_eq!(get().await["quotas"], quotas);
    change_quotas(&app, json!({})).await.expect_status(200);
    assert_eq!(get().await["quotas"], quotas);
    let changed =
        change_quotas(&app, json!({"posts_per_day": null, "drafts": 0})).await.expect_status(200).body;
    assert_eq!(changed["quotas"], json!({"keys": 3, "drafts": 0}));
    assert_eq!(changed["effective_quotas"]["posts_per_day"], json!({"limit": 500, "default": true}));
    // A limit that equals the default is still the plan's own.
    let same = change_quotas(&app, json!({"keys": 50, "drafts": null})).await.expect_status(200).body;
    assert_eq!(same["effective_quotas"]["keys"], json!({"limit": 50, "default": false}));
    change_quotas(&app, json!({"keys": null})).await.expect_status(200);
    assert_eq!(get().await.get("quotas"), None);
    for (wrong, field) in [
        (json!({"wishes": 3}), "quotas.wishes"),
        (json!({"keys": -1}), "quotas.keys"),
        (json!({"keys": 1_000_001}), "quotas.keys"),
        (json!({"keys": 1.5}), "quotas.keys"),
        (json!({"keys": "3"}), "quotas.keys"),
        (json!([]), "quotas"),
        (Value::Null, "quotas"),
    ] {
        let reply = change_quotas(&app, wrong).await.expect_problem(422, "invalid_request");
        assert_eq!(reply.faulty_fields(), [field], "{}", reply.text);
    }
    let unknown = change_quotas(&app, json!({"post_per_day": 3})).await;
    let message = unknown.body["errors"][0]["message"].as_str().unwrap();
    assert!(Quota::ALL.iter().all(|quota| message.contains(quota.as_str())), "{message}");
    assert_eq!(get().await.get("quotas"), None, "a refused change changes nothing");
}

#[tokio::test]
async fn key_quota_names_its_limit() {
    let app = TestApp::new().await;
    app.set_quotas(json!({"keys": 2})).await.expect_status(200);
    app.key("read").await;
    app.create_key(json!({"label": "short", "expires_at": "2026-12-01T00:00:00Z"})).await;
    let path = format!("/api/brands/{BRAND}/mcp-keys");
    let reply = app.post(&path).bearer(&app.token("ada")).json(&json!({"label": "one more"})).await;
    let problem = reply.expect_problem(409, "key_limit_reached").body;
    assert_eq!(
        (&problem["quota"], &problem["limit"], &problem["used"]),
        (&json!("keys"), &json!(2), &json!(2))
    );
    assert_eq!(problem["frees_at"], "2026-12-01T00:00:00.000Z");
}
