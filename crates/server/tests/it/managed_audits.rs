//! Audits as people start and read them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    audits::{app_for, run_job},
    support::{BRAND, OTHER_BRAND, Reply, Site, TestApp, eventually},
};

const HOME: &str = "<html lang=en><title>The home of good coffee beans</title><h1>Home</h1><a href=/menu>Menu</a> \
    <a href=/gone>Gone</a>";
const MENU: &str = "<html lang=en><title>All that we have on the menu</title><h1>Menu</h1><a href=/>Home</a>";

fn path(rest: &str) -> String {
    format!("/api/brands/{BRAND}/audits{rest}")
}

async fn run(app: &TestApp, user: &str, body: Value) -> Reply {
    app.post(&path("")).bearer(&app.token(user)).json(&body).await
}

async fn list(app: &TestApp, query: &str) -> Value {
    app.get(&path(query)).bearer(&app.token("ben")).send().await.expect_status(200).body
}

/// The audit after its end, as people read it.
async fn ended(app: &TestApp, audit_id: &Value) -> Value {
    let path = path(&format!("/{}", audit_id.as_str().unwrap()));
    eventually("the end of the audit", async || {
        let audit = app.get(&path).bearer(&app.token("ben")).send().await.expect_status(200).body;
        audit["finished_at"].is_string().then_some(audit)
    })
    .await
}

#[tokio::test]
async fn person_runs_an_audit_and_reads_what_to_fix() {
    let site = Site::with(&[("/", HOME), ("/menu", MENU)]).await;
    let app = app_for(&[&site]).await;
    let started = run(&app, "ben", json!({})).await.expect_status(202);
    let audit_id = started.body["audit_id"].clone();
    assert_eq!(started.header("location"), path(&format!("/{}", audit_id.as_str().unwrap())));
    assert_eq!(
        (&started.body["status"], &started.body["requested_by"], &started.body["requested_by_kind"]),
        (&json!("queued"), &json!("ben"), &json!("person"))
    );
    let audit = ended(&app, &audit_id).await;
    assert_eq!((&audit["status"], &audit["summary"]["score"]), (&json!("done"), &json!(33.3)), "{audit}");
    assert_eq!((&audit["requested_by"], &audit["requested_by_kind"]), (&json!("ben"), &json!("person")));
    // It says the same as the tool.
    let key = app.create_key(json!({"label": "agent", "scope": "write"})).await;
    let seen = app.call(&key.api_key, "get_audit", json!({"audit_id": audit_id})).await.result().clone();
    assert_eq!(audit["fixes"], seen["fixes"]);
    assert!(audit["fixes"][0]["pages"].as_array().is_some_and(|pages| !pages.is_empty()), "{audit}");

    // One of an agent and one of a person are in the same list, newest first.
    app.clock.advance(Duration::from_secs(1));
    run_job(&app, &key.api_key, "run_audit", json!({})).await;
    let first = list(&app, "?limit=1").await;
    assert_eq!((&first["total"], first["audits"].as_array().unwrap().len()), (&json!(2), 1));
    let row = &first["audits"][0];
    assert_eq!(
        (&row["requested_by"], &row["requested_by_kind"]),
        (&json!(key.key_id), &json!("key")),
        "{row}"
    );
    let rest = list(&app, &format!("?cursor={}", first["next_cursor"].as_str().unwrap())).await;
    let row = &rest["audits"][0];
    assert_eq!((&row["audit_id"], &rest["next_cursor"]), (&audit_id, &Value::Null));
    assert_eq!(
        (&row["score"], &row["pages"], &row["errors"], &row["progress"], &row["end"]),
        (&json!(33.3), &json!(3), &audit["summary"]["counts"]["errors"], &Value::Null, &json!("complete")),
        "{row}"
    );
    assert_eq!((&row["url"], &row["finished_at"]), (&audit["start_url"], &audit["finished_at"]));
}

#[tokio::test]
async fn activity_names_the_person_who_ran_an_audit() {
    let app = TestApp::new().await;
    let started = run(&app, "ben", json!({})).await.expect_status(202);
    let activity = format!("/api/brands/{BRAND}/mcp-activity?kind=audit");
    let activity = app.get(&activity).bearer(&app.token("ada")).send().await.expect_status(200).body;
    let event = &activity["events"][0];
    assert_eq!(
        (&event["actor"], &event["tool"], &event["key_id"], &event["outcome"]),
        (&json!("ben"), &json!("run_audit"), &started.body["audit_id"], &json!("ok")),
        "{activity}"
    );
    let log = app.get("/api/admin/audit?action=audit.run").bearer(&app.operator()).send().await;
    let records = log.expect_status(200).body["records"].clone();
    assert_eq!((&records[0]["actor"], &records[0]["role"]), (&json!("ben"), &json!("member")));
    assert_eq!(records[0]["target"], json!({"kind": "audit", "id": started.body["audit_id"]}));
}

#[tokio::test]
async fn equal_audit_is_started_once_and_counts_for_the_quotas_of_agents() {
    let site = Site::with(&[("/", HOME), ("/menu", MENU)]).await;
    site.respond_only_to(1);
    let app = app_for(&[&site]).await;
    let first = run(&app, "ben", json!({})).await.expect_status(202);
    let again = run(&app, "ada", json!({"url": site.url})).await.expect_status(202);
    assert_eq!(again.body["audit_id"], first.body["audit_id"]);
    // It names the person who started it.
    assert_eq!(again.body["requested_by"], "ben");
    app.set_quotas(json!({"audits_per_day": 2})).await.expect_status(200);
    let other = json!({"url": format!("{}/menu", site.url)});
    run(&app, "ada", other).await.expect_status(202);
    let third = json!({"url": format!("{}/gone", site.url)});
    let refused = run(&app, "ada", third).await.expect_problem(409, "quota_reached");
    assert_eq!((&refused.body["quota"], &refused.body["used"]), (&json!("audits_per_day"), &json!(2)));
    // Agents and people share the quota.
    let key = app.key("write").await;
    let refused = app.call(&key, "run_audit", json!({"max_pages": 3})).await;
    assert_eq!(refused.body["structuredContent"]["quota"], "audits_per_day", "{}", refused.text);
    let kinds = app.get(&format!("/api/brands/{BRAND}/mcp-activity?kind=audit")).bearer(&app.token("ada"));
    assert_eq!(kinds.send().await.body["events"].as_array().unwrap().len(), 2);
    site.respond_to_all();
}

#[tokio::test]
async fn audits_are_for_members_of_the_brand_and_only_of_its_site() {
    let app = TestApp::new().await;
    let audit_id = run(&app, "ada", json!({})).await.expect_status(202).body["audit_id"].clone();
    let one = path(&format!("/{}", audit_id.as_str().unwrap()));
    run(&app, "eve", json!({})).await.expect_problem(404, "not_found");
    app.get(&path("")).bearer(&app.token("eve")).send().await.expect_problem(404, "not_found");
    app.get(&one).bearer(&app.token("eve")).send().await.expect_problem(404, "not_found");
    let theirs = one.replace(BRAND, OTHER_BRAND);
    app.get(&theirs).bearer(&app.token("eve")).send().await.expect_problem(404, "not_found");
    for unknown in ["/audit_unknown", "/%00", "/a%20b"] {
        app.get(&path(unknown)).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");
    }
    let refused = run(&app, "ada", json!({"url": "https://umbrella.example/"})).await;
    assert_eq!(refused.expect_problem(422, "invalid_request").faulty_fields(), ["url"]);
    assert_eq!(list(&app, "").await["total"], 1);
    // On a plan without MCP, people cannot run audits either.
    app.put_plan("business", false).await;
    run(&app, "ada", json!({"url": "https://acme.example/menu"})).await.expect_problem(403, "mcp_inactive");
}
