//! A receiver that verifies with the reference implementation of Standard Webhooks.

use serde_json::{Value, json};

use super::ExternalServer;
use crate::support::{Sandbox, TestService};

pub(super) async fn start_receiver(test: &TestService, settings: Value) -> ExternalServer {
    let receiver = ExternalServer::python("webhooks.py").await;
    let mut settings = settings;
    settings["url"] = json!(format!("{}/hook", receiver.url));
    let given = settings["secret"].clone();
    let channel = test.put_channel("hook", "webhook", settings).await;
    let secret = if given.is_null() { channel["secret"].clone() } else { given };
    receiver.post("/secret", &json!({"secret": secret})).await.expect_status(204);
    receiver
}

async fn signed_posts_arrive(sandbox: Sandbox) {
    let test = TestService::publishing(sandbox).await;
    let receiver = start_receiver(&test, json!({})).await;
    let post = json!({
        "text": "Grüße 👋 “quoted” \u{2028} & <b>",
        "title": "A title",
        "link": "https://acme.example/?a=1&b=2",
        "media": [{"url": "https://acme.example/1.png", "alt": "One"}],
        "channels": ["hook"],
        "mode": "now",
    });
    let target = test.publish(post.clone()).await;
    assert_eq!(
        (&target["status"], &target["attempts"], &target["url"]),
        (&json!("published"), &json!(1), &Value::Null)
    );
    let log = receiver.log().await;
    assert_eq!(log.len(), 1, "{log:?}");
    assert_eq!((&log[0]["verified"], &log[0]["type"]), (&json!(true), &json!("application/json")), "{log:?}");
    let body = &log[0]["body"];
    assert_eq!(
        (&body["type"], &body["data"]["brand_id"], &body["data"]["channel"]),
        (&json!("post.published"), &json!("acme"), &json!("hook"))
    );
    for field in ["text", "title", "link", "media"] {
        assert_eq!(body["data"][field], post[field]);
    }
    let post_id = body["data"]["post_id"].as_str().expect("an id");
    assert_eq!(log[0]["id"], format!("msg_{post_id}_hook"));
    assert_eq!(body["timestamp"], body["data"]["created_at"]);
    test.service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_posts_arrive_on_sqlite() {
    signed_posts_arrive(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_posts_arrive_on_postgresql() {
    signed_posts_arrive(Sandbox::postgres()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn configured_secret_signs_the_request() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let receiver = start_receiver(&test, json!({"secret": secret})).await;
    let post = json!({"text": "Hello", "channels": ["hook"], "mode": "now"});
    test.publish(post.clone()).await;
    receiver
        .post("/secret", &json!({"secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"}))
        .await
        .expect_status(204);
    test.publish(post).await;
    let log = receiver.log().await;
    assert_eq!(log[0]["verified"], true, "{log:?}");
    assert_ne!(log[1]["verified"], true, "{log:?}");
    assert!(!test.service.stop().contains("MfKQ9r8"));
}

#[tokio::test(flavor = "multi_thread")]
async fn receiver_gets_a_signed_event_when_a_post_is_withdrawn() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let receiver = start_receiver(&test, json!({})).await;
    test.publish(json!({"text": "Hello", "channels": ["hook"], "mode": "now"})).await;
    let target = test.withdraw().await;
    assert_eq!((&target["status"], &target["error"]), (&json!("withdrawn"), &Value::Null), "{target}");
    let log = receiver.log().await;
    assert_eq!((log.len(), &log[1]["verified"]), (2, &json!(true)), "{log:?}");
    let (published, withdrawn) = (&log[0]["body"], &log[1]["body"]);
    assert_eq!(withdrawn["type"], "post.withdrawn");
    for field in ["brand_id", "channel", "post_id"] {
        assert_eq!(withdrawn["data"][field], published["data"][field]);
    }
    let post_id = withdrawn["data"]["post_id"].as_str().expect("an id");
    assert_eq!(log[1]["id"], format!("msg_withdrawn_{post_id}_hook"));
}
