//! Delivery while the mail server is down, busy, refuses a mail, or closes the connection.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::Smtp;

use super::{add_recipients, mail_after_attempts, send, wait_for_mails, wait_for_status, week, with_mail};
use crate::support::TestApp;

const ADA: &str = "ada@example.com";

/// Adds a recipient, sets the behaviour of the server, and orders a report.
async fn order_report(smtp: &Smtp, app: &TestApp, behaviour: &Value) {
    add_recipients(app, smtp, &[ADA]).await;
    smtp.set_behaviour(behaviour);
    send(app, week()).await.result();
}

#[tokio::test]
async fn mail_waits_for_a_server_that_is_down() {
    let mut smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    add_recipients(&app, &smtp, &[ADA]).await;
    smtp.stop();
    send(&app, week()).await.result();
    let waiting = mail_after_attempts(&app, "queued", 1).await;
    assert!(
        waiting["answer"].as_str().unwrap().starts_with("the mail server cannot be reached"),
        "{waiting}"
    );
    assert_eq!((&waiting["handed_over_at"], &waiting["ended_at"]), (&Value::Null, &Value::Null));
    smtp.start_again();
    // Before the next attempt no mail is sent.
    assert_eq!(smtp.received().len(), 1);
    app.clock.advance(Duration::from_mins(1));
    let sent = wait_for_status(&app, "sent", 1).await;
    assert_eq!(sent[0]["attempts"], 2);
    assert_eq!(wait_for_mails(&smtp, 2).await.len(), 2);
}

#[tokio::test]
async fn temporarily_refused_mail_is_sent_later() {
    for step in ["rcpt", "data"] {
        let smtp = Smtp::start();
        let app = with_mail(&smtp).await;
        order_report(&smtp, &app, &json!({step: "451 4.7.1 Greylisted, try again"})).await;
        let waiting = mail_after_attempts(&app, "queued", 1).await;
        assert_eq!(waiting["answer"], "451 4.7.1 Greylisted, try again", "{step}");
        smtp.set_behaviour(&json!({}));
        app.clock.advance(Duration::from_mins(1));
        let sent = wait_for_status(&app, "sent", 1).await.remove(0);
        assert_eq!((&sent["email_id"], &sent["attempts"]), (&waiting["email_id"], &json!(2)), "{step}");
        let mail = wait_for_mails(&smtp, 2).await.remove(1);
        assert_eq!(
            mail.header("message-id"),
            format!("<{}@svc.example>", sent["email_id"].as_str().unwrap())
        );
        assert_eq!(smtp.received().len(), 2, "{step}");
    }
}

#[tokio::test]
async fn mail_fails_after_fourteen_attempts() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    order_report(&smtp, &app, &json!({"rcpt": "450 4.2.1 The mailbox is busy"})).await;
    for attempts in 1..14 {
        mail_after_attempts(&app, "queued", attempts).await;
        app.clock.advance(Duration::from_mins(90));
    }
    let failed = wait_for_status(&app, "failed", 1).await.remove(0);
    assert_eq!(
        (&failed["attempts"], &failed["answer"]),
        (&json!(14), &json!("450 4.2.1 The mailbox is busy"))
    );
    assert_eq!(smtp.received().len(), 1);
}

#[tokio::test]
async fn permanently_refused_mail_fails() {
    for (step, answer) in [("rcpt", "550 5.1.1 No such user here"), ("data", "554 5.7.1 It looks like spam")]
    {
        let smtp = Smtp::start();
        let app = with_mail(&smtp).await;
        order_report(&smtp, &app, &json!({step: answer})).await;
        let failed = wait_for_status(&app, "failed", 1).await.remove(0);
        assert_eq!((&failed["attempts"], &failed["answer"]), (&json!(1), &json!(answer)), "{step}");
        smtp.set_behaviour(&json!({}));
        app.clock.advance(Duration::from_hours(24));
        send(&app, week()).await.result();
        wait_for_status(&app, "sent", 1).await;
        assert_eq!(smtp.received().len(), 2, "{step}: the confirmation mail and the later report");
    }
}

#[tokio::test]
async fn mail_is_uncertain_if_the_server_closes_the_connection() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    order_report(&smtp, &app, &json!({"data": "drop"})).await;
    let uncertain = wait_for_status(&app, "uncertain", 1).await.remove(0);
    assert!(uncertain["answer"].as_str().unwrap().contains("before the mail server said"), "{uncertain}");
    assert!(uncertain["ended_at"].is_string());
    smtp.set_behaviour(&json!({}));
    app.clock.advance(Duration::from_hours(24));
    send(&app, week()).await.result();
    wait_for_status(&app, "sent", 1).await;
    assert_eq!(smtp.received().len(), 2, "the mail is not sent again");
}
