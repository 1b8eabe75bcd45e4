//! Attempts to publish on Mastodon whose outcome is unknown. Mastodon forgets an idempotency key after an hour.

use std::time::Duration;

use serde_json::{Value, json};
use svc_mcp_access::Clock;

use crate::{
    publishing::{PublishingTest, has_ended, is_waiting},
    support::LOST,
};

/// A service with a Mastodon account as the channel `fediverse`. Its server sends these replies.
async fn start(replies: impl IntoIterator<Item = u16>) -> PublishingTest {
    let test = PublishingTest::new().await;
    let settings = json!({"server": test.receiver.url, "access_token": "x"});
    test.put_channel("fediverse", "mastodon", settings).await;
    test.receiver.respond_with(replies.into_iter().map(|status| (status, None)));
    test
}

async fn create(test: &PublishingTest) -> Value {
    let post = json!({"text": "once", "channels": ["fediverse"], "mode": "now"});
    test.call("create_post", post).await["post"].clone()
}

/// Makes the attempts at their times until the target has ended.
async fn finish(test: &PublishingTest, post: &Value) -> Value {
    let mut target = post["targets"][0].clone();
    while !has_ended(&target) {
        let attempts = target["attempts"].as_u64();
        test.advance_to_next_attempt(&target);
        target = test
            .wait_for_target(post, |target| {
                has_ended(target) || is_waiting(target) && target["attempts"].as_u64() > attempts
            })
            .await;
    }
    target
}

#[track_caller]
fn assert_uncertain(target: &Value) {
    assert_eq!(
        (&target["status"], &target["next_attempt_at"]),
        (&json!("uncertain"), &Value::Null),
        "{target}"
    );
    let error = target["error"].as_str().unwrap();
    assert!(error.contains("look at the account before you create it again"), "{error}");
}

#[tokio::test]
async fn lost_answer_is_not_repeated_after_55_minutes() {
    let test = start([LOST]).await;
    let post = create(&test).await;
    let first = &post["targets"][0];
    assert!(is_waiting(first) && first["attempts"] == 1, "{first}");
    // The queue stands still.
    test.app.clock.advance(Duration::from_mins(56));
    let target = test.wait_for_target(&post, has_ended).await;
    assert_uncertain(&target);
    assert_eq!(target["attempts"], 1);
    assert_eq!(test.receiver.requests().len(), 1);
    let listed = test.call("list_posts", json!({"status": "uncertain"})).await;
    assert_eq!(listed["total"], 1, "{listed}");
}

#[tokio::test]
async fn lost_answer_is_repeated_in_time_with_the_same_key() {
    let test = start([LOST, 502, 429]).await;
    let post = create(&test).await;
    let target = finish(&test, &post).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("published"), &json!(4)), "{target}");
    let requests = test.receiver.requests();
    let keys: Vec<&str> = requests.iter().map(|request| request.header("idempotency-key")).collect();
    assert!(!keys[0].is_empty() && keys.iter().all(|key| *key == keys[0]), "{keys:?}");
}

#[tokio::test]
async fn repeated_attempts_without_an_answer_end_within_the_hour() {
    let test = start([LOST; 20]).await;
    let begun = test.app.clock.now();
    let post = create(&test).await;
    let target = finish(&test, &post).await;
    assert_uncertain(&target);
    assert!(test.app.clock.now() < begun.plus(Duration::from_hours(1)), "{target}");
    assert!(test.receiver.requests().len() >= 5, "{target}");
}

/// The refusal of a later attempt says nothing about the first one.
#[tokio::test]
async fn refusal_after_a_lost_answer_is_uncertain() {
    let test = start([LOST, 401]).await;
    let target = finish(&test, &create(&test).await).await;
    assert_uncertain(&target);
    assert!(target["error"].as_str().unwrap().contains("(401"), "{target}");
}

#[tokio::test]
async fn known_outcome_is_never_uncertain() {
    let test = start([422]).await;
    let target = finish(&test, &create(&test).await).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("failed"), &json!(1)), "{target}");

    let test = start([503; 5]).await;
    let begun = test.app.clock.now();
    let target = finish(&test, &create(&test).await).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("published"), &json!(6)), "{target}");
    assert!(test.app.clock.now() > begun.plus(Duration::from_hours(2)), "retries take longer than an hour");
}
