//! The three tools: what they take, what they tell, and how many mails they may order.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_testkit::Smtp;

use super::{confirmed, failure, in_state, mails, published, send, week, with_mail};
use crate::support::TestApp;

/// Whether a result is what the tool's `outputSchema` promises.
async fn assert_fits(app: &TestApp, tool: &str, result: &Value) {
    let list = app.list_tools(&app.key("write").await).await.body;
    let tool = list["tools"].as_array().unwrap().iter().find(|known| known["name"] == tool).unwrap();
    let schema = jsonschema::validator_for(&tool["outputSchema"]).unwrap();
    let faults: Vec<String> = schema.iter_errors(result).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?} in {result}");
}

#[tokio::test]
async fn every_result_fits_its_schema() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    published(&app, "Hello").await;
    confirmed(&app, &smtp, &["ada@example.com"]).await;
    for arguments in [
        week(),
        json!({"period": "last_7_days", "dry_run": true, "sections": ["posts"], "note": "Hello"}),
        json!({"period": "2026-10-01/2026-10-31", "recipients": ["ada@example.com"]}),
    ] {
        let sent = send(&app, arguments).await;
        assert_fits(&app, "send_report_email", sent.result()).await;
    }
    in_state(&app, "sent", 2).await;
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
        assert_fits(&app, tool, reply.result()).await;
    }
    let refused = send(&app, json!({"period": "last_7_days", "recipients": ["eve@example.com"]})).await;
    assert_eq!(failure(&refused), "recipient_not_confirmed");
    let failed = refused.body["structuredContent"].as_object().unwrap();
    assert_eq!(failed.keys().collect::<Vec<_>>(), ["code", "hint", "message", "retryable"]);
}

#[tokio::test]
async fn wrong_arguments_are_told() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for (arguments, field) in [
        (json!({}), "period"),
        (json!({"period": "yesterday"}), "period"),
        (json!({"period": "2026-02-30/2026-03-01"}), "arguments"),
        (json!({"period": "2026-03-01/2026-02-01"}), "arguments"),
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
    confirmed(&app, &smtp, &["ada@example.com", "ben@example.com"]).await;
    let tried = send(&app, json!({"period": "last_7_days", "dry_run": true})).await;
    assert_eq!(tried.result()["recipients"], json!(["a…@example.com", "b…@example.com"]));
    assert_eq!((&tried.result()["emails"], &tried.result()["report_id"]), (&json!([]), &Value::Null));
    assert_eq!(tried.result()["mails_left_today"], 20);
    let key = app.key("read").await;
    assert_eq!(app.call(&key, "list_report_emails", json!({})).await.result()["total"], 0);
}

#[tokio::test]
async fn recipients_are_named_whole_or_masked() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    confirmed(&app, &smtp, &["ada@example.com", "alan@example.com", "ben@example.com"]).await;
    let to = async |recipients: Value| {
        send(&app, json!({"period": "last_7_days", "recipients": recipients, "dry_run": true})).await
    };
    assert_eq!(to(json!(["b…@example.com"])).await.result()["recipients"], json!(["b…@example.com"]));
    assert_eq!(to(json!(["BEN@example.com", "b…@example.com"])).await.result()["emails"], json!([]));
    assert_eq!(to(json!(["ADA@example.com"])).await.result()["recipients"], json!(["a…@example.com"]));
    // Two of them look alike masked; nobody is told who else there is.
    for unclear in [json!(["a…@example.com"]), json!(["ben@example.com", "eve@example.com"])] {
        let refused = to(unclear).await;
        assert_eq!(failure(&refused), "recipient_not_confirmed");
        assert!(!refused.text.contains("@example.com"), "{}", refused.text);
    }
}

#[tokio::test]
async fn the_day_has_twenty_mails_however_many_ask_at_once() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    confirmed(&app, &smtp, &["ada@example.com", "ben@example.com", "cyd@example.com"]).await;
    let key = app.key("write").await;
    let calls = (0..10).map(|_| app.call(&key, "send_report_email", week()));
    let replies = futures_util::future::join_all(calls).await;
    let (refused, ordered): (Vec<_>, Vec<_>) =
        replies.iter().partition(|reply| reply.expect_ok()["isError"] == true);
    assert_eq!((ordered.len(), refused.len()), (6, 4));
    for reply in refused {
        assert_eq!(failure(reply), "daily_limit_reached");
        assert_eq!(reply.body["structuredContent"]["retryable"], true);
    }
    // Two are left, and no more.
    let to = |people: Value| json!({"period": "last_7_days", "recipients": people});
    send(&app, to(json!(["ada@example.com", "ben@example.com"]))).await.result();
    let over = send(&app, to(json!(["ada@example.com"]))).await;
    assert_eq!(failure(&over), "daily_limit_reached");
    in_state(&app, "sent", 20).await;
    assert_eq!(mails(&smtp, 23).await.len(), 23);
    // The next day is another day.
    app.clock.advance(Duration::from_hours(24));
    assert_eq!(send(&app, to(json!(["ada@example.com"]))).await.result()["mails_left_today"], 19);
    assert_eq!(mails(&smtp, 24).await.len(), 24);
}

#[tokio::test]
async fn an_idempotency_key_orders_once() {
    let smtp = Smtp::start();
    let app = with_mail(&smtp).await;
    confirmed(&app, &smtp, &["ada@example.com"]).await;
    let key = app.key("write").await;
    let body = json!({"name": "send_report_email", "arguments": week()});
    let call = || app.post("/mcp/v1/tools/call").bearer(&key).header("idempotency-key", "once").json(&body);
    let (first, second) = (call().await, call().await);
    assert_eq!(first.result(), second.result());
    assert_eq!(second.header("idempotency-replayed"), "true");
    in_state(&app, "sent", 1).await;
    assert_eq!(smtp.received().len(), 2);
}
