//! Keys that expire soon, and keys that nobody uses.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::Smtp;

use crate::{
    reports::{add_recipients, wait_for_mails, with_mail},
    support::{BRAND, CreatedKey, TestApp, eventually},
};

fn days(count: u64) -> Duration {
    Duration::from_hours(24 * count)
}

async fn put_address(app: &TestApp, user: &str, role: &str, email: Option<&str>) {
    let path = format!("/api/admin/brands/{BRAND}/members/{user}");
    let body = json!({"role": role, "email": email});
    app.put(&path).bearer(&app.operator()).json(&body).await.expect_status(200);
}

/// A key of `ben` that expires after 20 days.
async fn expiring_key(app: &TestApp) -> CreatedKey {
    let body = json!({"label": "Claude", "expires_at": "2026-12-05T00:00:00Z"});
    app.create_key_as("ben", BRAND, body).await
}

/// Waits for this many notices. Returns their reasons, oldest first.
async fn wait_for_notices(app: &TestApp, count: usize) -> Vec<String> {
    let path = format!("/api/brands/{BRAND}/mcp-activity?kind=expiring");
    eventually(&format!("{count} notices"), async || {
        let reply = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
        let events = reply.body["events"].as_array().unwrap().clone();
        assert!(events.iter().all(|event| event["actor"] == "svc-mcp" && event["outcome"] == "ok"));
        let reason = |event: &Value| event["reason"].as_str().unwrap().to_owned();
        (events.len() >= count).then(|| events.iter().rev().map(reason).collect())
    })
    .await
}

/// The subjects of all mails about keys, after another mail that the same workers have sent.
async fn subjects(app: &TestApp, smtp: &Smtp, other: &str) -> Vec<String> {
    add_recipients(app, smtp, &[other]).await;
    let subject = |mail: &svc_mcp_testkit::ReceivedMail| mail.header("subject").to_owned();
    smtp.received().iter().map(subject).filter(|subject| subject.contains("key")).collect()
}

#[tokio::test]
async fn creator_gets_a_mail_14_3_and_1_days_before() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    put_address(&app, "ada", "admin", Some("ada@example.com")).await;
    put_address(&app, "ben", "member", Some("Ben@Example.com")).await;
    let key = expiring_key(&app).await;
    app.clock.advance(days(6));
    let mail = wait_for_mails(&smtp, 1).await.remove(0);
    assert_eq!((mail.to(), mail.fact("defects")), ("ben@example.com", &json!([])));
    assert_eq!(mail.header("subject"), format!("The MCP key “Claude” of {BRAND} expires in 14 days"));
    let text = mail.part("text/plain");
    assert!(text.contains("Expires: 5 December 2026, 00:00 UTC"), "{text}");
    assert!(text.contains("https://svc.example/settings/mcp"), "{text}");
    assert!(!text.contains(&key.api_key[14..]), "{text}");
    // There is a notice for a paused key too.
    app.set_paused("ben", &key.key_id, true).await.expect_status(200);
    app.clock.advance(days(11));
    wait_for_mails(&smtp, 2).await;
    app.clock.advance(days(2));
    wait_for_mails(&smtp, 3).await;
    app.clock.advance(days(1));
    assert_eq!(wait_for_notices(&app, 3).await, ["in_14_days", "in_3_days", "in_1_day"]);
    let subject = |left: &str| format!("The MCP key “Claude” of {BRAND} expires in {left}");
    assert_eq!(
        subjects(&app, &smtp, "rita@example.com").await,
        [subject("14 days"), subject("3 days"), subject("1 day")]
    );
}

#[tokio::test]
async fn after_an_outage_the_creator_gets_one_mail_and_no_second_one() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    put_address(&app, "ben", "member", Some("ben@example.com")).await;
    expiring_key(&app).await;
    app.clock.advance(days(19) + Duration::from_hours(4));
    assert_eq!(wait_for_notices(&app, 1).await, ["in_1_day"]);
    let app = app.restart_with("--log=info").await;
    app.clock.advance(Duration::from_mins(10));
    let subject = format!("The MCP key “Claude” of {BRAND} expires in 20 hours");
    assert_eq!(subjects(&app, &smtp, "rita@example.com").await, [subject]);
    assert_eq!(wait_for_notices(&app, 1).await, ["in_1_day"]);
}

#[tokio::test]
async fn mail_of_a_key_that_was_revoked_meanwhile_is_not_sent() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    put_address(&app, "ben", "member", Some("ben@example.com")).await;
    let app = app.restart_with("--job-workers=0").await;
    let key = expiring_key(&app).await;
    app.clock.advance(days(6));
    wait_for_notices(&app, 1).await;
    app.revoke(&key.key_id).await;
    let app = app.restart_with("--job-workers=2").await;
    assert_eq!(subjects(&app, &smtp, "rita@example.com").await, [""; 0]);
}

#[tokio::test]
async fn event_is_recorded_without_an_address_and_without_a_mail_server() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    put_address(&app, "ada", "admin", Some("ada@example.com")).await;
    expiring_key(&app).await;
    app.clock.advance(days(6));
    assert_eq!(wait_for_notices(&app, 1).await, ["in_14_days"]);
    assert_eq!(subjects(&app, &smtp, "rita@example.com").await, [""; 0]);

    let app = TestApp::new().await;
    put_address(&app, "ben", "member", Some("ben@example.com")).await;
    expiring_key(&app).await;
    app.clock.advance(days(6));
    assert_eq!(wait_for_notices(&app, 1).await, ["in_14_days"]);
}

#[tokio::test]
async fn key_is_idle_after_90_days() {
    let app = TestApp::with_local_rate_limit().await;
    let idle_since = async |key: &CreatedKey| {
        let path = format!("/api/brands/{BRAND}/mcp-keys");
        let reply = app.get(&path).bearer(&app.token("ada")).send().await.expect_status(200);
        let keys = reply.body["keys"].as_array().unwrap();
        keys.iter().find(|listed| listed["key_id"] == key.key_id.as_str()).unwrap()["idle_since"].clone()
    };
    let (unused, used) =
        (app.create_key(json!({"label": "unused"})).await, app.create_key(json!({"label": "used"})).await);
    let expiry = "2027-02-20T00:00:00Z";
    let expired = app.create_key(json!({"label": "expired", "expires_at": expiry})).await;
    app.clock.advance(days(89));
    assert_eq!(idle_since(&unused).await, Value::Null);
    app.list_tools(&used.api_key).await.expect_status(200);
    app.clock.advance(days(1));
    assert_eq!(idle_since(&unused).await, "2026-11-15T00:00:00.000Z");
    assert_eq!(idle_since(&expired).await, "2026-11-15T00:00:00.000Z");
    eventually("the use is recorded", async || (idle_since(&used).await.is_null()).then_some(())).await;
    app.clock.advance(days(89));
    assert_eq!(idle_since(&used).await, "2027-02-12T00:00:00.000Z");
    assert_eq!(idle_since(&expired).await, Value::Null);
    app.list_tools(&unused.api_key).await.expect_status(200);
    eventually("the use is recorded", async || (idle_since(&unused).await.is_null()).then_some(())).await;
}
