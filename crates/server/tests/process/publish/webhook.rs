//! A receiver that verifies with the reference implementation of Standard Webhooks.

use serde_json::{Value, json};

use super::{Other, World};
use crate::support::Place;

pub(super) async fn receiver_of(world: &World, settings: Value) -> Other {
    let receiver = Other::python("webhooks.py").await;
    let mut settings = settings;
    settings["url"] = json!(format!("{}/hook", receiver.url));
    let given = settings["secret"].clone();
    let put = world.put_channel("hook", "webhook", settings).await;
    let secret = if given.is_null() { put["secret"].clone() } else { given };
    receiver.post("/secret", &json!({"secret": secret})).await.expect(204);
    receiver
}

async fn signed_posts_arrive(place: Place) {
    let world = World::new(place).await;
    let receiver = receiver_of(&world, json!({})).await;
    let post = json!({
        "text": "Grüße 👋 “quoted” \u{2028} & <b>",
        "title": "A title",
        "link": "https://acme.example/?a=1&b=2",
        "media": [{"url": "https://acme.example/1.png", "alt": "One"}],
        "channels": ["hook"],
        "mode": "now",
    });
    let target = world.publish(post.clone()).await;
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
    world.running.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_posts_arrive_on_sqlite() {
    signed_posts_arrive(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_posts_arrive_on_postgresql() {
    signed_posts_arrive(Place::postgres()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_of_the_receivers_own_signs_and_another_one_does_not() {
    let world = World::new(Place::sqlite()).await;
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let receiver = receiver_of(&world, json!({"secret": secret})).await;
    let post = json!({"text": "Hello", "channels": ["hook"], "mode": "now"});
    world.publish(post.clone()).await;
    receiver.post("/secret", &json!({"secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"})).await.expect(204);
    world.publish(post).await;
    let log = receiver.log().await;
    assert_eq!(log[0]["verified"], true, "{log:?}");
    assert_ne!(log[1]["verified"], true, "{log:?}");
    assert!(!world.running.stop().contains("MfKQ9r8"));
}
