//! What becomes of a mail when the mail server is down, busy, unwilling, or gone in the middle.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::Smtp;

use super::{confirmed, in_state, mails, send, week, with_mail};
use crate::support::TestApp;

const ADA: &str = "ada@example.com";

/// One who wants reports, and a mail that was ordered for them while the server behaves so.
async fn ordered(smtp: &Smtp, app: &TestApp, behaviour: &Value) {
    confirmed(app, smtp, &[ADA]).await;
    smtp.behave(behaviour);
    send(app, week()).await.result();
}

#[tokio::test]
async fn a_mail_waits_for_a_server_that_is_down() {
    let mut smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    confirmed(&app, &smtp, &[ADA]).await;
    smtp.stop();
    send(&app, week()).await.result();
    let waiting = super::eventually("a try", async || {
        let queued = in_state(&app, "queued", 1).await;
        (queued[0]["attempts"] == 1).then(|| queued[0].clone())
    })
    .await;
    assert!(
        waiting["answer"].as_str().unwrap().starts_with("the mail server cannot be reached"),
        "{waiting}"
    );
    assert_eq!((&waiting["handed_over_at"], &waiting["ended_at"]), (&Value::Null, &Value::Null));
    smtp.start_again();
    // Its time has not come: nothing happens before that.
    assert_eq!(smtp.received().len(), 1);
    app.clock.advance(Duration::from_mins(1));
    let sent = in_state(&app, "sent", 1).await;
    assert_eq!(sent[0]["attempts"], 2);
    assert_eq!(mails(&smtp, 2).await.len(), 2);
}

#[tokio::test]
async fn a_mail_that_is_turned_away_for_now_is_sent_later() {
    for step in ["rcpt", "data"] {
        let smtp = Smtp::start();
        let app = with_mail(&smtp).await;
        ordered(&smtp, &app, &json!({step: "451 4.7.1 Greylisted, try again"})).await;
        let waiting = super::eventually("a try", async || {
            let queued = in_state(&app, "queued", 1).await;
            queued.into_iter().find(|mail| mail["attempts"] == 1)
        })
        .await;
        assert_eq!(waiting["answer"], "451 4.7.1 Greylisted, try again", "{step}");
        smtp.behave(&json!({}));
        app.clock.advance(Duration::from_mins(1));
        let sent = in_state(&app, "sent", 1).await.remove(0);
        assert_eq!((&sent["email_id"], &sent["attempts"]), (&waiting["email_id"], &json!(2)), "{step}");
        let mail = mails(&smtp, 2).await.remove(1);
        assert_eq!(
            mail.header("message-id"),
            format!("<{}@svc.example>", sent["email_id"].as_str().unwrap())
        );
        assert_eq!(smtp.received().len(), 2, "{step}");
    }
}

#[tokio::test]
async fn a_mail_is_not_tried_for_ever() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    ordered(&smtp, &app, &json!({"rcpt": "450 4.2.1 The mailbox is busy"})).await;
    let key = app.key("read").await;
    let mut tries = 0;
    let failed = loop {
        let list = app.call(&key, "list_report_emails", json!({})).await;
        let mail = list.result()["items"][0].clone();
        let tried = mail["attempts"].as_u64().unwrap();
        match mail["status"].as_str().unwrap() {
            "failed" => break mail,
            "queued" if tried > tries => {
                tries = tried;
                app.clock.advance(Duration::from_mins(90));
            }
            _ => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    };
    assert_eq!(
        (&failed["attempts"], &failed["answer"]),
        (&json!(14), &json!("450 4.2.1 The mailbox is busy"))
    );
    assert_eq!(smtp.received().len(), 1);
}

#[tokio::test]
async fn a_mail_that_is_refused_for_good_has_failed() {
    for (step, answer) in [("rcpt", "550 5.1.1 No such user here"), ("data", "554 5.7.1 It looks like spam")]
    {
        let smtp = Smtp::start();
        let app = with_mail(&smtp).await;
        ordered(&smtp, &app, &json!({step: answer})).await;
        let failed = in_state(&app, "failed", 1).await.remove(0);
        assert_eq!((&failed["attempts"], &failed["answer"]), (&json!(1), &json!(answer)), "{step}");
        smtp.behave(&json!({}));
        app.clock.advance(Duration::from_hours(24));
        send(&app, week()).await.result();
        in_state(&app, "sent", 1).await;
        assert_eq!(smtp.received().len(), 2, "{step}: the question, and the one that was ordered later");
    }
}

#[tokio::test]
async fn a_server_that_hangs_up_may_have_the_mail() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    ordered(&smtp, &app, &json!({"data": "drop"})).await;
    let uncertain = in_state(&app, "uncertain", 1).await.remove(0);
    assert!(uncertain["answer"].as_str().unwrap().contains("before the mail server said"), "{uncertain}");
    assert!(uncertain["ended_at"].is_string());
    smtp.behave(&json!({}));
    app.clock.advance(Duration::from_hours(24));
    send(&app, week()).await.result();
    in_state(&app, "sent", 1).await;
    assert_eq!(smtp.received().len(), 2, "it is not sent again");
}
