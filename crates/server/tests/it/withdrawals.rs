//! Published posts that are withdrawn.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    publishing::{PublishingTest, has_ended, is_waiting},
    support::BRAND,
};

fn id(post: &Value) -> Value {
    json!({"post_id": post["post_id"]})
}

async fn publish(test: &PublishingTest, text: &str, channels: &[&str]) -> Value {
    let post = json!({"text": text, "channels": channels, "mode": "now"});
    test.call("create_post", post).await["post"].clone()
}

async fn withdraw(test: &PublishingTest, post: &Value) -> Value {
    test.call("withdraw_post", id(post)).await
}

#[tokio::test]
async fn withdrawn_post_leaves_the_feed_and_its_page_is_gone() {
    let test = PublishingTest::new().await;
    let (post, other) = (publish(&test, "wrong", &["feed"]).await, publish(&test, "right", &["feed"]).await);
    let path = |post: &Value| {
        let url = post["targets"][0]["url"].as_str().unwrap();
        url.strip_prefix(&test.app.url).unwrap().to_owned()
    };
    let withdrawn = withdraw(&test, &post).await;
    let target = &withdrawn["targets"][0];
    assert_eq!((&target["status"], &target["done"]), (&json!("withdrawn"), &json!(true)));
    assert_eq!(withdrawn["post"]["version"], 2);
    test.app.get(&path(&post)).send().await.expect_problem(410, "gone");
    test.app.get(&path(&other)).send().await.expect_status(200);
    for file in ["atom.xml", "feed.json"] {
        let feed = test.app.get(&format!("/feeds/acme/{file}")).send().await.expect_status(200);
        assert!(feed.text.contains("right") && !feed.text.contains("wrong"), "{}", feed.text);
    }
    assert_eq!(test.call("list_posts", json!({"status": "withdrawn"})).await["total"], 1);
    // A second call answers the same and changes nothing.
    let again = withdraw(&test, &post).await;
    assert_eq!((&again["targets"], &again["post"]["version"]), (&withdrawn["targets"], &json!(2)));
    withdraw(&test, &other).await;
    test.app.get("/feeds/acme/feed.json").send().await.expect_problem(404, "not_found");
    assert_eq!(test.refusal("publish_post", id(&post)).await, "post_state");
}

#[tokio::test]
async fn webhook_receiver_is_told_until_it_answers() {
    let test = PublishingTest::new().await;
    let post = publish(&test, "wrong", &["hook"]).await;
    test.receiver.respond_with([(503, None), (500, None)]);
    let first = withdraw(&test, &post).await;
    assert_eq!(
        (&first["targets"][0]["status"], &first["targets"][0]["done"]),
        (&json!("withdrawing"), &json!(false))
    );
    let target = &first["post"]["targets"][0];
    assert!(is_waiting(target) && target["attempts"] == 1, "{first}");
    assert!(target["error"].as_str().unwrap().contains("answered 503"), "{first}");
    // Once is enough, and a withdrawal cannot be cancelled.
    assert_eq!(withdraw(&test, &post).await["post"]["version"], 2);
    assert_eq!(test.call("cancel_post", id(&post)).await["post"]["version"], 2);
    test.advance_to_next_attempt(target);
    let second = test.wait_for_target(&post, |target| is_waiting(target) && target["attempts"] == 2).await;
    test.advance_to_next_attempt(&second);
    let last = test.wait_for_target(&post, has_ended).await;
    assert_eq!((&last["status"], &last["error"]), (&json!("withdrawn"), &Value::Null));
    let requests = test.receiver.requests();
    assert_eq!(requests.len(), 4);
    assert_eq!(requests[1].body["type"], "post.withdrawn");
    assert_eq!(requests[1].body["data"]["post_id"], post["post_id"]);
    assert_eq!(requests[1].body["data"]["channel"], "hook");
    assert_ne!(requests[1].header("webhook-id"), requests[0].header("webhook-id"));
    for other in &requests[2..] {
        assert_eq!(
            (other.header("webhook-id"), &other.body),
            (requests[1].header("webhook-id"), &requests[1].body)
        );
    }
    test.create("other", "now").await;
    assert_eq!(test.receiver.requests().len(), 5, "nothing is sent twice");
}

#[tokio::test]
async fn refused_withdrawal_leaves_the_post_published_with_the_reason() {
    let test = PublishingTest::new().await;
    let post = publish(&test, "stays", &["hook"]).await;
    test.receiver.respond_with([(403, None)]);
    let refused = withdraw(&test, &post).await;
    let target = &refused["targets"][0];
    assert_eq!((&target["status"], &target["done"]), (&json!("published"), &json!(false)));
    assert!(target["message"].as_str().unwrap().contains("refused (403"), "{refused}");
    let error = refused["post"]["targets"][0]["error"].as_str().unwrap();
    assert!(error.contains("not withdrawn"), "{error}");
    let again = withdraw(&test, &post).await;
    assert_eq!(again["targets"][0]["status"], "withdrawn");
    assert_eq!(again["post"]["targets"][0]["error"], Value::Null);
}

#[tokio::test]
async fn withdrawal_ends_after_eight_attempts() {
    let test = PublishingTest::new().await;
    let post = publish(&test, "stays", &["hook"]).await;
    test.receiver.respond_with((0..8).map(|_| (503, None)));
    let mut target = withdraw(&test, &post).await["post"]["targets"][0].clone();
    for attempt in 2..=8 {
        test.advance_to_next_attempt(&target);
        target = test
            .wait_for_target(&post, |target| {
                target["attempts"] == attempt && (is_waiting(target) || has_ended(target))
            })
            .await;
    }
    assert_eq!(target["status"], "published");
    assert!(target["error"].as_str().unwrap().contains("tried 8 times"), "{target}");
}

#[tokio::test]
async fn mastodon_deletes_the_status() {
    let test = PublishingTest::new().await;
    let settings = json!({"server": test.receiver.url, "access_token": "x"});
    test.put_channel("fediverse", "mastodon", settings).await;
    let posts = [
        publish(&test, "one", &["fediverse"]).await,
        publish(&test, "two", &["fediverse"]).await,
        publish(&test, "three", &["fediverse"]).await,
        publish(&test, "four", &["fediverse"]).await,
    ];
    let before = test.receiver.requests().len();
    let withdrawn = withdraw(&test, &posts[0]).await;
    assert_eq!(withdrawn["targets"][0]["status"], "withdrawn", "{withdrawn}");
    let request = &test.receiver.requests()[before];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("DELETE", "/api/v1/statuses/1"));
    assert_eq!(request.header("authorization"), "Bearer x");
    // Somebody has deleted it already.
    test.receiver.respond_with([(404, None), (404, None)]);
    assert_eq!(withdraw(&test, &posts[1]).await["targets"][0]["status"], "withdrawn");
    let last = test.receiver.requests().pop().unwrap();
    assert_eq!((last.method.as_str(), last.header("authorization")), ("GET", ""));
    // The token is not allowed to delete it, and everybody can still read it.
    test.receiver.respond_with([(404, None), (200, None)]);
    let refused = withdraw(&test, &posts[2]).await;
    assert_eq!(refused["targets"][0]["status"], "published");
    assert!(refused["targets"][0]["message"].as_str().unwrap().contains("another account"), "{refused}");
    // Another server knows nothing about it.
    let settings =
        json!({"server": test.receiver.url.replace("127.0.0.1", "localhost"), "access_token": "x"});
    test.put_channel("fediverse", "mastodon", settings).await;
    let refused = withdraw(&test, &posts[3]).await;
    assert!(refused["targets"][0]["message"].as_str().unwrap().contains("another server"), "{refused}");
}

#[tokio::test]
async fn what_is_not_public_is_left_alone() {
    let test = PublishingTest::new().await;
    let draft = test.create("draft", "draft").await;
    let scheduled = test.create("later", "schedule").await;
    for post in [&draft, &scheduled] {
        let told = withdraw(&test, post).await;
        assert_eq!((&told["post"]["version"], &told["targets"][0]["done"]), (&json!(1), &json!(false)));
        assert!(told["targets"][0]["message"].as_str().unwrap().contains("cancel_post"), "{told}");
    }
    let removed = publish(&test, "removed", &["feed", "hook"]).await;
    let path = format!("/api/brands/{BRAND}/channels/hook");
    test.app.delete(&path).bearer(&test.app.token("ada")).send().await.expect_status(204);
    let told = withdraw(&test, &removed).await;
    assert_eq!(
        (&told["targets"][0]["status"], &told["targets"][1]["status"]),
        (&json!("withdrawn"), &json!("published"))
    );
    assert!(told["targets"][1]["message"].as_str().unwrap().contains("channel was removed"), "{told}");
    test.app.clock.advance(Duration::from_hours(1));
    assert_eq!(test.receiver.requests().len(), 1);
}

#[tokio::test]
async fn withdrawal_ends_when_its_key_is_revoked() {
    let test = PublishingTest::new().await;
    let post = publish(&test, "stays", &["hook"]).await;
    let key = test.app.create_key(json!({"label": "withdraws", "scope": "write"})).await;
    test.receiver.respond_with([(503, None)]);
    let withdrawing = test.app.call(&key.api_key, "withdraw_post", id(&post)).await.result().clone();
    let target = &withdrawing["post"]["targets"][0];
    assert!(is_waiting(target) && target["status"] == "withdrawing", "{withdrawing}");
    let path = format!("/api/brands/{BRAND}/mcp-keys/{}", key.key_id);
    let revoke = test.app.delete(&path).bearer(&test.app.token("ada"));
    let told = revoke.header("prefer", "return=representation").send().await.expect_status(200);
    assert_eq!(told.body["cancelled"]["posts"], 1, "{}", told.text);
    test.advance_to_next_attempt(target);
    let kept = test.call("get_post", id(&post)).await["targets"][0].clone();
    assert_eq!(kept["status"], "published");
    let error = kept["error"].as_str().unwrap();
    assert!(error.contains("not withdrawn") && error.contains("was revoked"), "{error}");
    // Another key can still withdraw it.
    assert_eq!(withdraw(&test, &post).await["targets"][0]["status"], "withdrawn");
    assert_eq!(test.receiver.requests().len(), 3);
}
