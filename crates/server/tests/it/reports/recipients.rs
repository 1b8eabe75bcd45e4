//! The recipients of reports: the list, confirmation and unsubscription.

use futures_util::future::join_all;
use serde_json::json;
use svc_mcp_testkit::Smtp;

use super::{
    RECIPIENTS, add_recipients, failure_code, list_recipients, put, send, wait_for_mails, wait_for_status,
    week, with_mail,
};
use crate::support::{BRAND, OTHER_BRAND, TestApp, eventually};

#[tokio::test]
async fn invalid_addresses_are_refused() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    for (bad, field) in [
        (json!(["ada@example.com\r\nBcc: eve@example.com"]), "recipients[0]"),
        (json!(["ada@example.com, eve@example.com"]), "recipients[0]"),
        (json!(["Ada <ada@example.com>"]), "recipients[0]"),
        (json!(["ada@example.com", "ada"]), "recipients[1]"),
        (json!(["ada@exam\u{0}ple.com"]), "recipients[0]"),
        (json!([7]), "recipients[0]"),
        (json!("ada@example.com"), "recipients"),
        (json!(vec!["ada@example.com"; 51]), "recipients"),
    ] {
        let reply = app.put(RECIPIENTS).bearer(&app.token("ada")).json(&json!({"recipients": bad})).await;
        assert_eq!(reply.expect_problem(422, "invalid_request").faulty_fields(), [field], "{bad}");
    }
    let unknown =
        app.put(RECIPIENTS).bearer(&app.token("ada")).json(&json!({"recipients": [], "cc": []})).await;
    assert_eq!(unknown.expect_problem(422, "invalid_request").faulty_fields(), ["cc"]);
    assert!(list_recipients(&app).await.is_empty());
}

#[tokio::test]
async fn list_is_only_for_administrators() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    app.get(RECIPIENTS).bearer(&app.token("ben")).send().await.expect_problem(403, "not_admin");
    let body = json!({"recipients": ["ben@example.com"]});
    app.put(RECIPIENTS).bearer(&app.token("ben")).json(&body).await.expect_problem(403, "not_admin");
    app.put(RECIPIENTS).bearer(&app.token("eve")).json(&body).await.expect_problem(404, "not_found");
    assert!(list_recipients(&app).await.is_empty());
}

#[tokio::test]
async fn recipients_need_a_mail_server() {
    let app = TestApp::new().await;
    put(&app, &["ada@example.com"]).await.expect_problem(409, "mail_not_configured");
    put(&app, &[]).await.expect_status(200);
    assert_eq!(failure_code(&send(&app, week()).await), "mail_not_configured");
    let preview = app.call(&app.key("read").await, "preview_report", week()).await;
    assert_eq!(preview.result()["period"], json!({"from": "2026-11-09", "to": "2026-11-15"}));
}

#[tokio::test]
async fn confirmation_is_sent_once() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    for list in [&["ada@example.com"][..], &["ada@example.com", "ben@example.com"]] {
        put(&app, list).await.expect_status(200);
    }
    // A removed recipient gets no confirmation mail, so both mails are awaited first.
    let mut recipients: Vec<String> =
        wait_for_mails(&smtp, 2).await.iter().map(|mail| mail.to().to_owned()).collect();
    for list in [&[][..], &["ada@example.com"]] {
        put(&app, list).await.expect_status(200);
    }
    recipients.sort();
    assert_eq!(recipients, ["ada@example.com", "ben@example.com"]);
    // After a day a removed recipient who is added again is asked again.
    put(&app, &[]).await.expect_status(200);
    app.clock.advance(std::time::Duration::from_hours(25));
    put(&app, &["ben@example.com"]).await.expect_status(200);
    assert_eq!(wait_for_mails(&smtp, 3).await[2].to(), "ben@example.com");
    assert_eq!(smtp.received().len(), 3);
}

/// Otherwise an administrator could flood a stranger by saving the same list many times at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_lists_send_one_confirmation() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    let replies = join_all((0..30).map(|_| put(&app, &["stranger@example.com"]))).await;
    for reply in replies {
        reply.expect_status(200);
    }
    // Mails are sent in order, so after the next one no earlier one is left.
    wait_for_mails(&smtp, 1).await;
    put(&app, &["stranger@example.com", "next@example.com"]).await.expect_status(200);
    let received = eventually("the mail to the next one", async || {
        let received = smtp.received();
        received.iter().any(|mail| mail.to() == "next@example.com").then_some(received)
    })
    .await;
    let to_stranger = received.iter().filter(|mail| mail.to() == "stranger@example.com").count();
    assert_eq!((to_stranger, received.len()), (1, 2));
}

#[tokio::test]
async fn unsubscribed_recipient_stays_so_until_a_new_confirmation() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    let links = add_recipients(&app, &smtp, &["ada@example.com", "ben@example.com"]).await;
    send(&app, week()).await.result();
    let reports = wait_for_mails(&smtp, 4).await.split_off(2);
    let to_ada = reports.iter().find(|mail| mail.to() == "ada@example.com").unwrap();
    let stop = to_ada.link("/unsubscribe/");
    app.post(&stop).send().await.expect_status(200);
    app.post(&stop).send().await.expect_status(200);
    let no =
        [("ada@example.com".into(), "suppressed".into()), ("ben@example.com".into(), "confirmed".into())];
    assert_eq!(list_recipients(&app).await, no);
    // Setting the list again, or removing and adding a recipient, changes nothing and sends no mail.
    for list in [&["ada@example.com", "ben@example.com"][..], &[], &["ada@example.com", "ben@example.com"]] {
        app.clock.advance(std::time::Duration::from_hours(30));
        put(&app, list).await.expect_status(200);
    }
    assert_eq!(list_recipients(&app).await, no);
    let refused = send(&app, json!({"period": "last_7_days", "recipients": ["ada@example.com"]})).await;
    assert_eq!(failure_code(&refused), "recipient_not_confirmed");
    let ordered = send(&app, week()).await;
    assert_eq!(ordered.result()["recipients"], json!(["b…@example.com"]));
    assert_eq!(wait_for_mails(&smtp, 5).await[4].to(), "ben@example.com");
    // Only the link of the confirmation mail subscribes again.
    app.post(&links[0]).send().await.expect_status(200);
    assert_eq!(list_recipients(&app).await[0].1, "confirmed");
    assert_eq!(smtp.received().len(), 5);
}

#[tokio::test]
async fn unsubscription_cancels_queued_mails() {
    let mut smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    add_recipients(&app, &smtp, &["ada@example.com"]).await;
    send(&app, week()).await.result();
    let stop = wait_for_mails(&smtp, 2).await[1].link("/unsubscribe/");
    wait_for_status(&app, "sent", 1).await;
    smtp.stop();
    send(&app, week()).await.result();
    let waiting = wait_for_status(&app, "queued", 1).await;
    assert_eq!(waiting.len(), 1);
    app.post(&stop).send().await.expect_status(200);
    smtp.start_again();
    app.clock.advance(std::time::Duration::from_hours(1));
    let failed = wait_for_status(&app, "failed", 1).await;
    assert!(failed[0]["answer"].as_str().unwrap().contains("does not want it"), "{failed:?}");
    assert_eq!(smtp.received().len(), 2);
}

#[tokio::test]
async fn link_is_valid_only_for_its_brand_and_purpose() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    let confirm = add_recipients(&app, &smtp, &["ada@example.com"]).await.remove(0);
    send(&app, week()).await.result();
    let stop = wait_for_mails(&smtp, 2).await[1].link("/unsubscribe/");
    wait_for_status(&app, "sent", 1).await;
    let token = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    for path in [
        stop.replace(BRAND, OTHER_BRAND),
        format!("/unsubscribe/{BRAND}/{}", token(&confirm)),
        format!("/confirm/{BRAND}/{}", token(&stop)),
        format!("/unsubscribe/{BRAND}/{}", "A".repeat(43)),
        format!("/unsubscribe/{BRAND}/x"),
        format!("/unsubscribe/%00/{}", token(&stop)),
    ] {
        for method in ["GET", "POST"] {
            let reply = app.request(method, &path).send().await.expect_status(404);
            assert!(reply.text.contains("This link is not valid"), "{method} {path}: {}", reply.text);
            assert!(!reply.text.contains("example.com"));
        }
    }
    assert_eq!(list_recipients(&app).await[0].1, "confirmed");
}

#[tokio::test]
async fn get_brand_masks_recipients() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    add_recipients(&app, &smtp, &["ada@example.com"]).await;
    put(&app, &["ada@example.com", "ben@example.com"]).await.expect_status(200);
    let brand = app.call(&app.key("read").await, "get_brand", json!({})).await;
    let expected = json!([
        {"recipient": "a…@example.com", "status": "confirmed"},
        {"recipient": "b…@example.com", "status": "pending"},
    ]);
    assert_eq!(brand.result()["report_recipients"], expected);
    assert!(!brand.text.contains("ada@example.com"));
}
