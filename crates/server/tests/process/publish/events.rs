//! Events, verified with the reference implementation of Standard Webhooks.

use serde_json::json;

use super::ExternalServer;
use crate::support::{Sandbox, TestService, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn events_are_verified_by_the_reference_implementation() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let receiver = ExternalServer::python("webhooks.py").await;
    let body = json!({"url": format!("{}/events", receiver.url)});
    let endpoint =
        test.admin().put("/api/brands/acme/event-endpoints/crm", &body).await.expect_status(200).json();
    receiver.post("/secret", &json!({"secret": endpoint["secret"]})).await.expect_status(204);
    let key = test.admin().create_key("acme", &json!({"label": "Grüße 👋"})).await;
    let log = eventually("the event", async || {
        let log = receiver.log().await;
        (!log.is_empty()).then_some(log)
    })
    .await;
    assert_eq!(
        (log.len(), &log[0]["verified"], &log[0]["type"]),
        (1, &json!(true), &json!("application/json"))
    );
    let body = &log[0]["body"];
    assert_eq!((&body["type"], &body["data"]["key_id"]), (&json!("key.created"), &key["key_id"]));
    // A receiver with another secret refuses it, and the service shows the answer.
    let other = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    receiver.post("/secret", &json!({"secret": other})).await.expect_status(204);
    test.admin().create_key("acme", &json!({"label": "second"})).await;
    receiver.wait_for_request(|entry| entry["verified"] != json!(true)).await;
    test.service.stop();
}

/// The command does not know the operator's endpoint, and writes the event anyway.
async fn operator_gets_the_event_of_a_command(sandbox: Sandbox) {
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let receiver = ExternalServer::python("webhooks.py").await;
    receiver.post("/secret", &json!({"secret": secret})).await.expect_status(204);
    sandbox.add_brand("acme", "ada");
    let service =
        sandbox.serve(&["--events-url", &format!("{}/events", receiver.url), "--events-secret", secret]);
    sandbox.run_ok(&["admin", "members", "set", "acme", "zoe", "--role", "member"]);
    let log = eventually("the event", async || {
        let log = receiver.log().await;
        (!log.is_empty()).then_some(log)
    })
    .await;
    assert_eq!((log.len(), &log[0]["verified"]), (1, &json!(true)), "{log:?}");
    let data = json!({"brand_id": "acme", "user_id": "zoe", "role": "member", "actor": "svc-mcp-admin"});
    assert_eq!((&log[0]["body"]["type"], &log[0]["body"]["data"]), (&json!("member.added"), &data));
    service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn operator_gets_the_event_of_a_command_on_sqlite() {
    operator_gets_the_event_of_a_command(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn operator_gets_the_event_of_a_command_on_postgresql() {
    operator_gets_the_event_of_a_command(Sandbox::postgres()).await;
}
