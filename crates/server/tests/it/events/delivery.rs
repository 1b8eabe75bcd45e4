use std::time::Duration;

use serde_json::json;
use svc_mcp_access::Clock;

use super::{
    DELIVERIES, EventReceiver, OPERATOR_SECRET, add_endpoint, app_with, deliveries, label,
    operator_arguments, put_endpoint, wait_for_deliveries,
};
use crate::support::{AppOptions, OTHER_BRAND, TestApp};

#[tokio::test]
async fn event_is_signed_as_standard_webhooks_describes() {
    let receiver = EventReceiver::start().await;
    let app = app_with(Vec::new()).await;
    let secret = add_endpoint(&app, "crm", &receiver).await;
    let key = app.create_key(json!({"label": "a private label"})).await;
    let event = receiver.wait_for_count(1).await.remove(0);
    assert!(event.is_signed_with(&secret), "{event:?}");
    assert!(!event.is_signed_with(OPERATOR_SECRET));
    assert_eq!(event.header("content-type"), "application/json");
    assert_eq!(event.header("webhook-timestamp"), (app.clock.now().millis() / 1000).to_string());
    let body = event.body();
    assert_eq!(
        (&body["type"], &body["timestamp"]),
        (&json!("key.created"), &json!("2026-11-15T00:00:00.000Z"))
    );
    assert_eq!(body["data"], json!({"brand_id": "acme", "key_id": key.key_id, "actor": "ada"}));
    assert!(!event.raw.contains("private label") && !event.raw.contains(&key.api_key));
    let delivered = wait_for_deliveries(&app, "delivered", 1).await.remove(0);
    assert_eq!(delivered["event_id"], event.id());
    assert_eq!((&delivered["last_status"], &delivered["attempts"]), (&json!(204), &json!(1)));
    assert_eq!(delivered["endpoint_id"], "crm");
}

#[tokio::test]
async fn operator_and_brand_get_the_same_event_with_their_own_signatures() {
    let (operator, brand) = (EventReceiver::start().await, EventReceiver::start().await);
    let app = app_with(operator_arguments(&operator)).await;
    let secret = add_endpoint(&app, "crm", &brand).await;
    app.key("read").await;
    app.create_key_as("eve", OTHER_BRAND, json!({"label": "other"})).await;
    let at_brand = brand.wait_for_count(1).await.remove(0);
    let is_both = |events: &[super::ReceivedEvent]| {
        events.iter().filter(|event| event.kind() == "key.created").count() == 2
    };
    let at_operator = operator.wait_for("both keys", is_both).await;
    assert!(at_brand.is_signed_with(&secret));
    assert!(at_operator.iter().all(|event| event.is_signed_with(OPERATOR_SECRET)));
    assert!(at_operator.iter().any(|event| event.id() == at_brand.id()));
    // The brand gets neither the events of the operator nor those of another brand.
    let kinds: Vec<String> = brand.events().iter().map(super::ReceivedEvent::kind).collect();
    assert_eq!(kinds, ["key.created"]);
}

#[tokio::test]
async fn event_is_sent_again_on_request_with_the_same_id() {
    let receiver = EventReceiver::start().await;
    let app = app_with(Vec::new()).await;
    add_endpoint(&app, "crm", &receiver).await;
    app.key("read").await;
    let delivery = wait_for_deliveries(&app, "delivered", 1).await.remove(0);
    let id = delivery["delivery_id"].as_str().unwrap();
    let path = format!("{DELIVERIES}/{id}/resend");
    app.clock.advance(Duration::from_mins(5));
    let resent = app.post(&path).bearer(&app.token("ada")).send().await.expect_status(200);
    assert_eq!((&resent.body["status"], &resent.body["attempts"]), (&json!("pending"), &json!(0)));
    let events = receiver.wait_for_count(2).await;
    assert_eq!((events[0].id(), &events[0].raw), (events[1].id(), &events[1].raw));
    // The time of the try is in the signature, so a receiver accepts it.
    assert_ne!(events[0].header("webhook-timestamp"), events[1].header("webhook-timestamp"));
    wait_for_deliveries(&app, "delivered", 1).await;
    // The operator can do the same.
    let path = format!("/api/admin/event-deliveries/{id}/resend");
    app.post(&path).bearer(&app.operator()).send().await.expect_status(200);
    receiver.wait_for_count(3).await;
    // An endpoint that is off gets nothing.
    wait_for_deliveries(&app, "delivered", 1).await;
    put_endpoint(&app, "crm", json!({"url": receiver.url, "enabled": false})).await.expect_status(200);
    app.post(&path).bearer(&app.operator()).send().await.expect_problem(409, "endpoint_off");
    for unknown in ["dlv_unknown", "a.b"] {
        let path = format!("{DELIVERIES}/{unknown}/resend");
        app.post(&path).bearer(&app.token("ada")).send().await.expect_problem(404, "not_found");
    }
}

#[tokio::test]
async fn deliveries_are_listed_by_brand_endpoint_and_status() {
    let (receiver, operator) = (EventReceiver::start().await, EventReceiver::start().await);
    let app = app_with(operator_arguments(&operator)).await;
    add_endpoint(&app, "crm", &receiver).await;
    add_endpoint(&app, "chat", &receiver).await;
    let key = app.create_key(json!({"label": "one"})).await;
    label(&app, &key.key_id, "two").await;
    wait_for_deliveries(&app, "delivered", 4).await;
    assert_eq!(deliveries(&app, "endpoint=crm").await.len(), 2);
    assert!(deliveries(&app, "endpoint=unknown").await.is_empty());
    assert!(deliveries(&app, "status=failed").await.is_empty());
    let first = format!("{DELIVERIES}?limit=3");
    let first = app.get(&first).bearer(&app.token("ada")).send().await.expect_status(200);
    let next = first.body["next_cursor"].as_str().unwrap();
    let second =
        app.get(&format!("{DELIVERIES}?limit=3&cursor={next}")).bearer(&app.token("ada")).send().await;
    assert_eq!(second.body["event_deliveries"].as_array().unwrap().len(), 1);
    assert_eq!(second.body["next_cursor"], json!(null));
    let all = "/api/admin/event-deliveries?limit=100&brand=acme";
    let all = app.get(all).bearer(&app.operator()).send().await.expect_status(200);
    let all = all.body["event_deliveries"].as_array().unwrap().clone();
    let of = |endpoint: &str| all.iter().filter(|delivery| delivery["endpoint_id"] == endpoint).count();
    assert_eq!((of("crm"), of("chat")), (2, 2));
    assert!(of("operator") >= 2, "{all:?}");
}

#[tokio::test]
async fn private_address_is_refused_by_the_guarded_client() {
    let receiver = EventReceiver::start().await;
    // Without --outbound-allow.
    let app = TestApp::with(AppOptions { local_rate_limit: true, ..AppOptions::default() }).await;
    add_endpoint(&app, "inside", &receiver).await;
    app.key("read").await;
    let tried = crate::support::eventually("a failed try", async || {
        let pending = deliveries(&app, "status=pending").await;
        pending.into_iter().find(|delivery| delivery["last_error"].is_string())
    })
    .await;
    let error = tried["last_error"].as_str().unwrap();
    assert!(error.contains("not a public server") && !error.contains("127.0.0.1"), "{error}");
    assert!(receiver.events().is_empty());
}

#[tokio::test]
async fn redirect_is_a_failed_try() {
    let receiver = EventReceiver::start().await;
    receiver.answer_with(302);
    let app = app_with(Vec::new()).await;
    add_endpoint(&app, "crm", &receiver).await;
    app.key("read").await;
    receiver.wait_for_count(1).await;
    let tried = crate::support::eventually("a failed try", async || {
        let pending = deliveries(&app, "status=pending").await;
        pending.into_iter().find(|delivery| delivery["last_status"] == 302)
    })
    .await;
    assert_eq!(tried["last_error"], "It answered 302.");
}
