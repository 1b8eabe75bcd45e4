//! The report tools: arguments, results and the daily limit.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::Smtp;

use super::{
    add_recipients, failure_code, publish_post, send, wait_for_mails, wait_for_status, week, with_mail,
};
use crate::support::TestApp;

/// Asserts that a result is valid for the tool's `outputSchema`.
async fn assert_valid(app: &TestApp, tool: &str, result: &Value) {
    let list = app.list_tools(&app.key("write").await).await.body;
    let tool = list["tools"].as_array().unwrap().iter().find(|known| known["name"] == tool).unwrap();
    let schema = jsonschema::validator_for(&tool["outputSchema"]).unwrap();
    let errors: Vec<String> = schema.iter_errors(result).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {result}");
}

#[tokio::test]
async fn every_result_fits_its_schema() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    publish_post(&app, "Hello").await;
    add_recipients(&app, &smtp, &["ada@example.com"]).await;
    for arguments in [
        week(),
        json!({"period": "last_7_days", "dry_run": true, "sections": ["posts"], "note": "Hello"}),
        json!({"period": "2026-10-01/2026-10-31", "recipients": ["ada@example.com"]}),
    ] {
        let sent = send(&app, arguments).await;
        assert_valid(&app, "send_report_email", sent.result()).await;
    }
    wait_for_status(&app, "sent", 2).await;
    let key = app.key("read").await;
    for (tool, arguments) in [
        ("preview_report", json!({"period": "this_month"})),
        ("preview_report", json!({"period": "last_30_days", "sections": ["audit", "usage"]})),
        ("list_report_emails", json!({})),
        ("list_report_emails", json!({"status": "failed"})),
        ("list_report_emails", json!({"limit": 1})),
        ("get_brand", json!({})),
    ] {
        let reply = app.call(&key, tool, arguments).await;
        assert_valid(&app, tool, reply.result()).await;
    }
    let refused = send(&app, json!({"period": "last_7_days", "recipients": ["eve@example.com"]})).await;
    assert_eq!(failure_code(&refused), "recipient_not_confirmed");
    let failed = refused.body["structuredContent"].as_object().unwrap();
    assert_eq!(failed.keys().collect::<Vec<_>>(), ["code", "hint", "message", "retryable"]);
}

#[tokio::test]
async fn invalid_arguments_are_named() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for (arguments, field) in [
        (json!({}), "period"),
        (json!({"period": "yesterday"}), "period"),
        (json!({"period": "2026-02-30/2026-03-01"}), "period"),
        (json!({"period": "2026-03-01/2026-02-01"}), "period"),
        (json!({"period": "last_7_days", "sections": []}), "sections"),
        (json!({"period": "last_7_days", "sections": ["money"]}), "sections[0]"),
        (json!({"period": "last_7_days", "recipients": []}), "recipients"),
        (json!({"period": "last_7_days", "note": ""}), "note"),
        (json!({"period": "last_7_days", "note": "  "}), "note"),
        (json!({"period": "last_7_days", "note": "x".repeat(2001)}), "note"),
        (json!({"period": "last_7_days", "to": "eve@example.com"}), "to"),
    ] {
        let reply =
            app.call(&key, "send_report_email", arguments).await.expect_problem(422, "invalid_arguments");
        assert_eq!(reply.faulty_fields(), [field], "{}", reply.text);
    }
    let read = app.key("read").await;
    app.call(&read, "send_report_email", week()).await.expect_problem(403, "insufficient_scope");
}

#[tokio::test]
async fn a_dry_run_sends_nothing() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    add_recipients(&app, &smtp, &["ada@example.com", "ben@example.com"]).await;
    let tried = send(&app, json!({"period": "last_7_days", "dry_run": true})).await;
    assert_eq!(tried.result()["recipients"], json!(["a…@example.com", "b…@example.com"]));
    assert_eq!((&tried.result()["emails"], &tried.result()["report_id"]), (&json!([]), &Value::Null));
    assert_eq!(tried.result()["mails_left_today"], 20);
    let key = app.key("read").await;
    assert_eq!(app.call(&key, "list_report_emails", json!({})).await.result()["total"], 0);
}

#[tokio::test]
async fn recipients_are_given_as_address_or_mask() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    add_recipients(&app, &smtp, &["ada@example.com", "alan@example.com", "ben@example.com"]).await;
    let to = async |recipients: Value| {
        send(&app, json!({"period": "last_7_days", "recipients": recipients, "dry_run": true})).await
    };
    assert_eq!(to(json!(["b…@example.com"])).await.result()["recipients"], json!(["b…@example.com"]));
    assert_eq!(to(json!(["BEN@example.com", "b…@example.com"])).await.result()["emails"], json!([]));
    assert_eq!(to(json!(["ADA@example.com"])).await.result()["recipients"], json!(["a…@example.com"]));
    // The error names who is wrong, masked, and no other recipient. Two of them have the same mask.
    for (unclear, names) in [
        (json!(["a…@example.com"]), "a…@example.com"),
        (
            json!(["ben@example.com", "eve@example.com", "Zoe@elsewhere.example"]),
            "z…@elsewhere.example, e…@example.com",
        ),
        (json!(["ben@example.com", "the boss"]), "the boss"),
    ] {
        let refused = to(unclear).await;
        assert_eq!(failure_code(&refused), "recipient_not_confirmed");
        let failure = &refused.body["structuredContent"];
        let message = failure["message"].as_str().unwrap();
        assert!(message.contains(&format!(": {names}. Nothing was sent")), "{message}");
        assert!(
            !refused.text.contains("b…@example.com") && !refused.text.contains("eve@"),
            "{}",
            refused.text
        );
    }
    let hint = to(json!(["eve@example.com"])).await.body["structuredContent"]["hint"].to_string();
    assert!(hint.contains("PUT /api/brands/acme/report-recipients"), "{hint}");
}

#[tokio::test]
async fn daily_limit_of_twenty_mails_holds_for_concurrent_calls() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    add_recipients(&app, &smtp, &["ada@example.com", "ben@example.com", "cyd@example.com"]).await;
    let key = app.key("write").await;
    let calls = (0..10).map(|_| app.call(&key, "send_report_email", week()));
    let replies = futures_util::future::join_all(calls).await;
    let (refused, ordered): (Vec<_>, Vec<_>) =
        replies.iter().partition(|reply| reply.expect_ok()["isError"] == true);
    assert_eq!((ordered.len(), refused.len()), (6, 4));
    for reply in refused {
        assert_eq!(failure_code(reply), "quota_reached");
        assert_eq!(reply.body["structuredContent"]["quota"], "report_emails_per_day");
        assert_eq!(reply.body["structuredContent"]["retryable"], true);
    }
    // Two mails are left.
    let to = |people: Value| json!({"period": "last_7_days", "recipients": people});
    send(&app, to(json!(["ada@example.com", "ben@example.com"]))).await.result();
    let over = send(&app, to(json!(["ada@example.com"]))).await;
    assert_eq!(failure_code(&over), "quota_reached");
    wait_for_status(&app, "sent", 20).await;
    assert_eq!(wait_for_mails(&smtp, 23).await.len(), 23);
    // The next day has a new limit.
    app.clock.advance(Duration::from_hours(24));
    assert_eq!(send(&app, to(json!(["ada@example.com"]))).await.result()["mails_left_today"], 19);
    assert_eq!(wait_for_mails(&smtp, 24).await.len(), 24);
}

#[tokio::test]
async fn idempotency_key_sends_one_report() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    add_recipients(&app, &smtp, &["ada@example.com"]).await;
    let key = app.key("write").await;
    let body = json!({"name": "send_report_email", "arguments": week()});
    let call = || app.post("/mcp/v1/tools/call").bearer(&key).header("idempotency-key", "once").json(&body);
    let (first, second) = (call().await, call().await);
    assert_eq!(first.result(), second.result());
    assert_eq!(second.header("idempotency-replayed"), "true");
    wait_for_status(&app, "sent", 1).await;
    assert_eq!(smtp.received().len(), 2);
}

#[tokio::test]
async fn equal_report_of_the_last_minutes_is_noted() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    add_recipients(&app, &smtp, &["ada@example.com", "ben@example.com"]).await;
    let first = send(&app, week()).await.result().clone();
    assert_eq!(first["notes"], Value::Null);
    let again = send(&app, week()).await;
    let note = again.result()["notes"][0].as_str().unwrap();
    assert!(note.contains(first["report_id"].as_str().unwrap()), "{note}");
    for other in [
        json!({"period": "last_30_days"}),
        json!({"period": "last_7_days", "recipients": ["ada@example.com"]}),
        json!({"period": "last_7_days", "note": "Hello"}),
    ] {
        assert_eq!(send(&app, other).await.result()["notes"], Value::Null);
    }
    app.clock.advance(Duration::from_mins(11));
    assert_eq!(send(&app, week()).await.result()["notes"], Value::Null);
}
