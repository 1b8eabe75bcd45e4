//! Mails to approvers, with a real mail server.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::{ReceivedMail, Smtp};

use crate::{
    reports::{add_recipients, wait_for_mails, with_mail},
    support::{BRAND, Reply, TestApp},
};

const ADA: &str = "ada@example.com";
const BEN: &str = "ben@example.com";

/// Calls of one mail are collected for this long.
const COLLECTION_TIME: Duration = Duration::from_secs(15);

async fn put_address(app: &TestApp, user: &str, role: &str, email: &str) {
    let path = format!("/api/admin/brands/{BRAND}/members/{user}");
    let body = json!({"role": role, "email": email});
    app.put(&path).bearer(&app.operator()).json(&body).await.expect_status(200);
}

async fn set_emails(app: &TestApp, user: &str, enabled: bool) -> Reply {
    let path = format!("/api/brands/{BRAND}/approval-settings/emails");
    app.put(&path).bearer(&app.token(user)).json(&json!({"enabled": enabled})).await
}

/// A key whose changes all need approval.
async fn held_key(app: &TestApp, user: &str) -> String {
    let body = json!({"label": format!("Key of <{user}>"), "scope": "write", "approval": "all"});
    app.create_key_as(user, BRAND, body).await.api_key
}

/// Makes a call that waits for approval, and returns its id.
async fn request(app: &TestApp, key: &str) -> String {
    let post = json!({"text": "Hello", "channels": ["feed"], "mode": "draft"});
    let reply = app.call(key, "create_post", post).await;
    let waiting = reply.result();
    assert_eq!(waiting["status"], "awaiting_approval", "{}", reply.text);
    waiting["approval_id"].as_str().unwrap().to_owned()
}

/// All mails, after one more that the same workers have sent.
async fn mails_after_another(app: &TestApp, smtp: &Smtp, to: &str) -> Vec<ReceivedMail> {
    add_recipients(app, smtp, &[to]).await;
    smtp.received().into_iter().filter(|mail| mail.to() != to).collect()
}

#[tokio::test]
async fn approver_gets_one_mail_in_ten_minutes_with_what_waits() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    put_address(&app, "ada", "admin", "Ada@Example.com").await;
    set_emails(&app, "ada", true).await.expect_status(204);
    let key = held_key(&app, "ada").await;
    let first = request(&app, &key).await;
    request(&app, &key).await;
    app.clock.advance(COLLECTION_TIME);
    let mail = wait_for_mails(&smtp, 1).await.remove(0);
    assert_eq!((mail.to(), mail.fact("defects")), (ADA, &json!([])));
    assert_eq!(mail.header("subject"), format!("2 actions of {BRAND} wait for your approval"));
    let (text, html) = (mail.part("text/plain"), mail.part("text/html"));
    assert!(text.contains("- Create post, key “Key of <ada>”"), "{text}");
    assert!(html.contains("Create post, key “Key of &#60;ada&#62;”"), "{html}");
    assert!(text.contains("requested 15 November 2026, 00:00 UTC, expires 18 November 2026, 00:00 UTC"));
    for part in [text, html] {
        assert_eq!(part.matches("https://").count(), 1, "{part}");
        assert!(part.contains("https://svc.example/settings/mcp"), "{part}");
        assert!(!part.contains("/approve") && !part.contains(&first), "{part}");
    }
    assert!(mail.headers("list-unsubscribe").is_empty());

    // The third call waits for the end of the ten minutes.
    request(&app, &key).await;
    app.clock.advance(Duration::from_mins(9));
    assert_eq!(mails_after_another(&app, &smtp, "rita@example.com").await.len(), 1);
    app.clock.advance(Duration::from_mins(1));
    let mail = wait_for_mails(&smtp, 3).await.remove(2);
    assert_eq!(mail.to(), ADA);
    assert_eq!(mail.header("subject"), format!("3 actions of {BRAND} wait for your approval"));
    // Nothing new waits, so there is no third mail.
    app.clock.advance(Duration::from_hours(1));
    assert_eq!(mails_after_another(&app, &smtp, "rob@example.com").await.len(), 3);
}

#[tokio::test]
async fn decided_call_is_not_mailed() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    put_address(&app, "ada", "admin", ADA).await;
    set_emails(&app, "ada", true).await.expect_status(204);
    let approval = request(&app, &held_key(&app, "ada").await).await;
    let path = format!("/api/brands/{BRAND}/approvals/{approval}/reject");
    app.post(&path).bearer(&app.token("ada")).json(&json!({"reason": "No"})).await.expect_status(200);
    app.clock.advance(Duration::from_mins(1));
    assert!(mails_after_another(&app, &smtp, "rita@example.com").await.is_empty());
}

#[tokio::test]
async fn switched_off_mails_are_not_sent() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    put_address(&app, "ada", "admin", ADA).await;
    let key = held_key(&app, "ada").await;
    // They are off until the person wants them.
    request(&app, &key).await;
    set_emails(&app, "ada", true).await.expect_status(204);
    request(&app, &key).await;
    set_emails(&app, "ada", false).await.expect_status(204);
    request(&app, &key).await;
    app.clock.advance(Duration::from_hours(1));
    assert!(mails_after_another(&app, &smtp, "rita@example.com").await.is_empty());
}

#[tokio::test]
async fn member_gets_mails_only_about_calls_they_may_decide() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    put_address(&app, "ben", "member", BEN).await;
    set_emails(&app, "ben", true).await.expect_status(204);
    let (of_ada, of_ben) = (held_key(&app, "ada").await, held_key(&app, "ben").await);
    request(&app, &of_ada).await;
    app.clock.advance(Duration::from_mins(1));
    assert!(mails_after_another(&app, &smtp, "rita@example.com").await.is_empty());
    request(&app, &of_ben).await;
    app.clock.advance(COLLECTION_TIME);
    let mail = wait_for_mails(&smtp, 2).await.remove(1);
    assert_eq!(mail.to(), BEN);
    assert_eq!(mail.header("subject"), format!("1 action of {BRAND} waits for your approval"));

    // From now on only administrators decide.
    let path = format!("/api/brands/{BRAND}/approval-settings");
    let settings = app.request("PATCH", &path).bearer(&app.token("ada"));
    settings.json(&json!({"approvers": "admins"})).await.expect_status(200);
    request(&app, &of_ben).await;
    app.clock.advance(Duration::from_mins(11));
    assert_eq!(mails_after_another(&app, &smtp, "rob@example.com").await.len(), 2);
    put_address(&app, "ada", "admin", ADA).await;
    set_emails(&app, "ada", true).await.expect_status(204);
    request(&app, &of_ben).await;
    app.clock.advance(COLLECTION_TIME);
    let mail = wait_for_mails(&smtp, 4).await.remove(3);
    assert_eq!(mail.to(), ADA);
    assert_eq!(mail.header("subject"), format!("4 actions of {BRAND} wait for your approval"));
}

#[tokio::test]
async fn mails_need_an_address_and_a_membership() {
    let app = TestApp::new().await;
    let emails = async |user: &str| {
        let path = format!("/api/brands/{BRAND}/approval-settings");
        let reply = app.get(&path).bearer(&app.token(user)).send().await.expect_status(200);
        reply.body["emails"].clone()
    };
    let refused = set_emails(&app, "ben", true).await.expect_status(409);
    assert_eq!(refused.body["code"], "no_email_address");
    set_emails(&app, "ben", false).await.expect_status(204);
    set_emails(&app, "eve", true).await.expect_status(404);
    put_address(&app, "ben", "member", BEN).await;
    assert_eq!(emails("ben").await, Value::Bool(false));
    set_emails(&app, "ben", true).await.expect_status(204);
    assert_eq!((emails("ben").await, emails("ada").await), (Value::Bool(true), Value::Bool(false)));
}
