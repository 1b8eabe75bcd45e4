//! Audits and reports that repeat.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::Smtp;

use crate::{
    audits::app_for,
    reports::{add_recipients, wait_for_mails, with_mail},
    support::{BRAND, OTHER_BRAND, Reply, Site, TestApp, eventually},
};

const HOME: &str = "<html lang=en><title>The home of good coffee beans</title><h1>Home</h1>";
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// The clock of a test starts on Sunday, 15 November 2026, 00:00 UTC.
fn mondays(kind: &str) -> Value {
    json!({"kind": kind, "every": "week", "weekday": "monday", "at": "09:00"})
}

async fn set_time_zone(app: &TestApp, zone: &str) {
    let path = format!("/api/brands/{BRAND}");
    let body = json!({"time_zone": zone});
    app.request("PATCH", &path).bearer(&app.token("ada")).json(&body).await.expect_status(200);
}

/// The schedules as people see them, newest first.
async fn schedules(app: &TestApp) -> Vec<Value> {
    schedules_of(app, BRAND, "ada").await
}

async fn schedules_of(app: &TestApp, brand: &str, user: &str) -> Vec<Value> {
    let path = format!("/api/brands/{brand}/schedules");
    let list = app.get(&path).bearer(&app.token(user)).send().await.expect_status(200);
    list.body["schedules"].as_array().unwrap().clone()
}

/// Waits until the newest schedule of the brand has run at or after this time.
async fn run_since(app: &TestApp, time: &str) -> Value {
    newest_run_since(app, BRAND, "ada", time).await
}

async fn newest_run_since(app: &TestApp, brand: &str, user: &str, time: &str) -> Value {
    eventually(&format!("a run at {time}"), async || {
        let schedule = schedules_of(app, brand, user).await.remove(0);
        let has_run = schedule["last_run_at"].as_str().is_some_and(|at| at >= time);
        has_run.then_some(schedule)
    })
    .await
}

async fn audits(app: &TestApp, key: &str) -> Value {
    app.call(key, "list_audits", json!({})).await.result()["total"].clone()
}

fn failure(reply: &Reply) -> &Value {
    assert_eq!((reply.status, &reply.body["isError"]), (200, &json!(true)), "{}", reply.text);
    &reply.body["structuredContent"]
}

#[tokio::test]
async fn weekly_audit_runs_at_its_local_time_and_is_made_up_for_once() {
    let site = Site::with(&[("/", HOME)]).await;
    let app = app_for(&[&site]).await;
    set_time_zone(&app, "Europe/Berlin").await;
    let key = app.key("write").await;
    let created = app.call(&key, "create_schedule", mondays("audit")).await.result().clone();
    let schedule = &created["schedule"];
    assert_eq!(schedule["next_at"], "2026-11-16T09:00:00+01:00", "{created}");
    assert_eq!((&schedule["time_zone"], &schedule["weekday"]), (&json!("Europe/Berlin"), &json!("monday")));
    assert_eq!((created.get("notes"), schedule.get("day")), (None, None));

    app.clock.advance(32 * HOUR);
    let schedule = run_since(&app, "2026-11-16T08:00").await;
    assert_eq!(schedule["next_at"], "2026-11-23T09:00:00+01:00");
    assert!(schedule.get("last_failure").is_none(), "{schedule}");
    let reader = app.key("read").await;
    let audit = app.call(&reader, "get_audit", json!({"audit_id": schedule["last_id"]})).await;
    assert_eq!(audit.result()["audit_id"], schedule["last_id"]);
    eventually("the end of the audit", async || {
        let key = app.key("read").await;
        let audit = app.call(&key, "get_audit", json!({"audit_id": schedule["last_id"]})).await;
        (audit.result()["status"] == "done").then_some(())
    })
    .await;

    // Nothing ran for a month: one run, and then the next Monday.
    app.clock.advance(30 * DAY + 2 * HOUR);
    let schedule = run_since(&app, "2026-12-16").await;
    assert_eq!(schedule["next_at"], "2026-12-21T09:00:00+01:00");
    let reader = app.key("read").await;
    assert_eq!(audits(&app, &reader).await, 2);
}

#[tokio::test]
async fn weekly_report_is_mailed_to_all_confirmed_people() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    let key = app.key("write").await;
    let created = app.call(&key, "create_schedule", mondays("report")).await.result().clone();
    assert!(created["notes"][0].as_str().unwrap().contains("No recipient has confirmed"), "{created}");
    app.clock.advance(34 * HOUR);
    let schedule = run_since(&app, "2026-11-16").await;
    assert!(schedule["last_failure"].as_str().unwrap().contains("has confirmed yet"), "{schedule}");

    add_recipients(&app, &smtp, &["ada@example.com", "ben@example.com"]).await;
    app.clock.advance(7 * DAY);
    let schedule = run_since(&app, "2026-11-23").await;
    assert!(schedule.get("last_failure").is_none(), "{schedule}");
    let reports = wait_for_mails(&smtp, 4).await.split_off(2);
    let mut people: Vec<_> = reports.iter().map(|mail| mail.to().to_owned()).collect();
    people.sort();
    assert_eq!(people, ["ada@example.com", "ben@example.com"]);
    let reader = app.key("read").await;
    let mails = app.call(&reader, "list_report_emails", json!({})).await;
    assert_eq!(mails.result()["items"][0]["report_id"], schedule["last_id"]);
}

#[tokio::test]
async fn report_needs_a_mail_server() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let refused = app.call(&key, "create_schedule", mondays("report")).await;
    assert_eq!(failure(&refused)["code"], "mail_not_configured");
    let path = format!("/api/brands/{BRAND}/schedules");
    let refused = app.post(&path).bearer(&app.token("ada")).json(&mondays("report")).await;
    refused.expect_problem(409, "mail_not_configured");
}

#[tokio::test]
async fn revoked_key_has_no_schedules() {
    let app = TestApp::with_local_rate_limit().await;
    for query in ["", "?queued=keep"] {
        let key = app.create_key(json!({"label": "mortal", "scope": "write"})).await;
        app.call(&key.api_key, "create_schedule", mondays("audit")).await.result();
        let path = format!("/api/brands/{BRAND}/mcp-keys/{}{query}", key.key_id);
        let revoke = app.delete(&path).bearer(&app.token("ada")).header("prefer", "return=representation");
        let answer = revoke.send().await.expect_status(200).body;
        assert_eq!(answer["cancelled"]["schedules"], 1, "{query}: {answer}");
        assert_eq!(schedules(&app).await, Vec::<Value>::new(), "{query}");
    }
    // Also if the person who created the key leaves.
    let key = app.create_key_as("ben", BRAND, json!({"label": "ben's", "scope": "write"})).await;
    app.call(&key.api_key, "create_schedule", mondays("audit")).await.result();
    app.remove_member(BRAND, "ben").await;
    assert_eq!(schedules(&app).await, Vec::<Value>::new());
    app.clock.advance(8 * DAY);
    let reader = app.key("read").await;
    assert_eq!(audits(&app, &reader).await, 0);
}

#[tokio::test]
async fn schedule_of_a_paused_key_waits_until_it_is_resumed() {
    let site = Site::with(&[("/", HOME)]).await;
    let app = app_for(&[&site]).await;
    let key = app.create_key(json!({"label": "pausing", "scope": "write"})).await;
    app.call(&key.api_key, "create_schedule", mondays("audit")).await.result();
    app.set_paused("ada", &key.key_id, true).await.expect_status(200);
    app.clock.advance(HOUR);
    let other = app.key("write").await;
    let later = json!({"kind": "audit", "every": "week", "weekday": "monday", "at": "09:01"});
    app.call(&other, "create_schedule", later).await.result();
    // Longer than other work waits. When the later one has run, a worker has seen the first one too.
    app.clock.advance(5 * DAY);
    run_since(&app, "2026-11-20").await;
    let paused = schedules(&app).await.remove(1);
    assert_eq!((&paused["at"], paused.get("last_run_at")), (&json!("09:00"), None), "{paused}");
    app.set_paused("ada", &key.key_id, false).await.expect_status(200);
    let resumed = eventually("a run after the pause", async || {
        let schedule = schedules(&app).await.remove(1);
        schedule.get("last_run_at").is_some().then_some(schedule)
    })
    .await;
    assert_eq!(resumed["next_at"], "2026-11-23T09:00:00+00:00");
}

#[tokio::test]
async fn report_waits_for_approval_and_audit_does_not() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    let key = app.create_key(json!({"label": "asks", "scope": "write", "approval": "outward"})).await;
    let audit = app.call(&key.api_key, "create_schedule", mondays("audit")).await;
    assert_eq!(audit.result()["schedule"]["kind"], "audit");
    let held = app.call(&key.api_key, "create_schedule", mondays("report")).await;
    assert_eq!(held.result()["status"], "awaiting_approval");
    assert_eq!(held.result()["preview"]["schedule"]["next_at"], "2026-11-16T09:00:00+00:00");
    assert_eq!(schedules(&app).await.len(), 1);
    let path = format!("/api/brands/{BRAND}/approvals/{}", held.result()["approval_id"].as_str().unwrap());
    let view = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
    let approve = app.post(&format!("{path}/approve")).bearer(&app.token("ada"));
    approve.json(&json!({"digest": view.body["digest"]})).await.expect_status(200);
    let kinds: Vec<Value> = schedules(&app).await.iter().map(|schedule| schedule["kind"].clone()).collect();
    assert!(kinds.contains(&json!("report")), "{kinds:?}");
}

#[tokio::test]
async fn equal_schedule_is_made_once_and_a_brand_has_a_quota() {
    let app = TestApp::new().await;
    let body = json!({"name": "Business", "mcp_enabled": true, "quotas": {"schedules": 2}});
    app.put("/api/admin/plans/business").bearer(&app.operator()).json(&body).await.expect_status(200);
    let key = app.key("write").await;
    let first = app.call(&key, "create_schedule", mondays("audit")).await.result().clone();
    let again = app.call(&key, "create_schedule", mondays("audit")).await.result().clone();
    assert_eq!(again["schedule"], first["schedule"]);
    assert!(again["notes"][0].as_str().unwrap().contains("exists already"), "{again}");
    let monthly = |day: u8| json!({"kind": "audit", "every": "month", "day": day, "at": "23:30"});
    let last_day = app.call(&key, "create_schedule", monthly(31)).await.result().clone();
    assert_eq!(last_day["schedule"]["next_at"], "2026-11-30T23:30:00+00:00");
    assert!(last_day["notes"][0].as_str().unwrap().contains("last day"), "{last_day}");
    let refused = app.call(&key, "create_schedule", monthly(1)).await;
    assert_eq!(
        (&failure(&refused)["code"], &failure(&refused)["quota"]),
        (&json!("quota_reached"), &json!("schedules"))
    );
    // A deleted one is free again.
    let id = first["schedule"]["schedule_id"].clone();
    let deleted = app.call(&key, "delete_schedule", json!({"schedule_id": id})).await;
    assert_eq!(deleted.result()["deleted"]["schedule_id"], id);
    let gone = app.call(&key, "delete_schedule", json!({"schedule_id": id})).await;
    assert_eq!(failure(&gone)["code"], "not_found");
    app.call(&key, "create_schedule", monthly(1)).await.result();
    let listed = app.call(&key, "list_schedules", json!({"limit": 1})).await.result().clone();
    assert_eq!((&listed["total"], listed["items"].as_array().unwrap().len()), (&json!(2), 1));
    let rest = json!({"limit": 1, "cursor": listed["next_cursor"]});
    let rest = app.call(&key, "list_schedules", rest).await.result().clone();
    assert_ne!(rest["items"][0]["schedule_id"], listed["items"][0]["schedule_id"]);
}

#[tokio::test]
async fn faults_name_their_field_and_a_right_value() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let path = format!("/api/brands/{BRAND}/schedules");
    for (body, fields) in [
        (json!({"kind": "audit", "every": "week", "at": "9am"}), &["at", "weekday"][..]),
        (json!({"kind": "audit", "every": "month", "weekday": "monday", "at": "09:00"}), &["day", "weekday"]),
        (json!({"kind": "post", "every": "day", "day": 40}), &["at", "day", "every", "kind"]),
    ] {
        let refused = app.call(&key, "create_schedule", body.clone()).await;
        assert_eq!(refused.expect_problem(422, "invalid_arguments").faulty_fields(), fields);
        let refused = app.post(&path).bearer(&app.token("ada")).json(&body).await;
        assert_eq!(refused.expect_problem(422, "invalid_request").faulty_fields(), fields);
    }
}

#[tokio::test]
async fn administrator_makes_and_deletes_schedules() {
    let site = Site::with(&[("/", HOME)]).await;
    let app = app_for(&[&site]).await;
    let path = format!("/api/brands/{BRAND}/schedules");
    let post = async || app.post(&path).bearer(&app.token("ada")).json(&mondays("audit")).await;
    let created = post().await.expect_status(201);
    let schedule = created.body["schedule"].clone();
    let id = schedule["schedule_id"].as_str().unwrap();
    assert_eq!(created.header("location"), format!("{path}/{id}"));
    assert!(schedule.get("key_id").is_none(), "{schedule}");
    assert_eq!(post().await.expect_status(200).body["schedule"], schedule);
    assert_eq!(schedules(&app).await, std::slice::from_ref(&schedule));
    // It runs although no key has ordered it, and waits while the plan has no MCP.
    app.put_plan("other", true).await;
    app.put_brand(OTHER_BRAND, "other").await;
    let others = format!("/api/brands/{OTHER_BRAND}/schedules");
    app.post(&others).bearer(&app.token("eve")).json(&mondays("audit")).await.expect_status(201);
    app.put_plan("business", false).await;
    app.clock.advance(2 * DAY);
    newest_run_since(&app, OTHER_BRAND, "eve", "2026-11-17").await;
    assert!(schedules(&app).await[0].get("last_run_at").is_none());
    app.put_plan("business", true).await;
    app.clock.advance(HOUR);
    let ran = run_since(&app, "2026-11-17T01:00").await;
    assert!(ran["last_id"].as_str().unwrap().starts_with("audit_"), "{ran}");

    let one = format!("{path}/{id}");
    app.delete(&one).bearer(&app.token("ada")).send().await.expect_status(204);
    app.delete(&one).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");
    assert_eq!(schedules(&app).await, Vec::<Value>::new());
}

#[tokio::test]
async fn schedules_keep_their_time_of_day_in_another_time_zone() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let early = json!({"kind": "audit", "every": "week", "weekday": "monday", "at": "05:00"});
    app.call(&key, "create_schedule", early).await.result();
    app.clock.advance(HOUR);
    app.call(&key, "create_schedule", mondays("audit")).await.result();
    set_time_zone(&app, "Asia/Tokyo").await;
    assert_eq!(schedules(&app).await[0]["next_at"], "2026-11-16T09:00:00+09:00");
    // The operator can change it too. The job of the schedule moves with it.
    let body = json!({"name": "Acme", "website": "https://acme.example", "plan_id": "business",
        "time_zone": "Pacific/Honolulu"});
    app.put(&format!("/api/admin/brands/{BRAND}"))
        .bearer(&app.operator())
        .json(&body)
        .await
        .expect_status(200);
    assert_eq!(schedules(&app).await[0]["next_at"], "2026-11-16T09:00:00-10:00");
    app.clock.advance(39 * HOUR);
    eventually("the run at 05:00", async || schedules(&app).await[1].get("last_run_at").map(|_| ())).await;
    assert!(schedules(&app).await[0].get("last_run_at").is_none(), "it is 06:00 in Honolulu");
    app.clock.advance(3 * HOUR);
    run_since(&app, "2026-11-16T19:00").await;
}
