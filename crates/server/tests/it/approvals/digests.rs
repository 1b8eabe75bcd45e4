//! A person approves what the person saw, and nothing else.

use std::time::Duration;

use serde_json::{Value, json};

use super::{ApprovalsTest, now};
use crate::support::Receiver;

/// A draft of the key that asks, and the approval for its publication.
async fn draft_to_publish(test: &ApprovalsTest, text: &str) -> (Value, String) {
    let draft = json!({"text": text, "channels": ["feed"]});
    let draft = test.call(&test.key.api_key, "create_post", draft).await.result()["post"].clone();
    let approval_id = test.hold("publish_post", json!({"post_id": draft["post_id"]})).await;
    (draft["post_id"].clone(), approval_id)
}

#[tokio::test]
async fn wrong_digest_is_refused() {
    let test = ApprovalsTest::new().await;
    let approval_id = test.hold("create_post", now("hello")).await;
    let body = json!({"digest": "0".repeat(64)});
    test.approve("ada", &approval_id, body).await.expect_problem(409, "approval_changed");
    test.assert_still_waits(&approval_id).await;
    // The digest of another call is a wrong one too.
    let other = test.hold("create_post", now("other")).await;
    let body = json!({"digest": test.digest(&other).await});
    test.approve("ada", &approval_id, body).await.expect_problem(409, "approval_changed");
    test.assert_still_waits(&approval_id).await;
    test.approve("ada", &approval_id, json!({})).await.expect_problem(422, "invalid_request");
    test.assert_still_waits(&approval_id).await;
    assert_eq!(test.post_count().await, 0);
}

#[tokio::test]
async fn draft_that_changed_after_the_look_is_not_published() {
    let test = ApprovalsTest::new().await;
    let (post_id, approval_id) = draft_to_publish(&test, "good").await;
    let seen = test.view("ada", &approval_id).await;
    assert_eq!(seen["preview"]["post"]["text"], "good");
    let change = json!({"post_id": post_id, "text": "bad"});
    test.call(&test.key.api_key, "update_post", change).await.result();
    let body = json!({"digest": seen["digest"]});
    test.approve("ada", &approval_id, body).await.expect_problem(409, "approval_changed");
    test.assert_still_waits(&approval_id).await;

    let again = test.view("ada", &approval_id).await;
    assert_eq!(again["preview"]["post"]["text"], "bad");
    assert_ne!(again["digest"], seen["digest"]);
    let done = test.approve("ada", &approval_id, json!({"digest": again["digest"]})).await.expect_status(200);
    assert_eq!(done.body["status"], "done", "{}", done.text);
    assert_eq!(test.feed().await, ["bad"]);
}

#[tokio::test]
async fn every_part_of_a_draft_is_part_of_the_digest() {
    let test = ApprovalsTest::new().await;
    let (post_id, approval_id) = draft_to_publish(&test, "good").await;
    for (field, value) in [
        ("title", json!("T")),
        ("link", json!("https://acme.example/")),
        ("media", json!([{"url": "https://acme.example/1.png", "alt": "One"}])),
        ("media", json!([{"url": "https://acme.example/2.png", "alt": "One"}])),
        ("channels", json!(["feed", "hook"])),
    ] {
        let seen = test.digest(&approval_id).await;
        let change = json!({"post_id": post_id, field: value});
        test.call(&test.key.api_key, "update_post", change).await.result();
        let body = json!({"digest": seen});
        test.approve("ada", &approval_id, body).await.expect_problem(409, "approval_changed");
        test.assert_still_waits(&approval_id).await;
    }
}

#[tokio::test]
async fn draft_that_changes_during_the_approval_is_not_published_unseen() {
    let test = ApprovalsTest::new().await;
    for round in 0..10 {
        let good = format!("good {round}");
        let (post_id, approval_id) = draft_to_publish(&test, &good).await;
        let body = json!({"digest": test.digest(&approval_id).await});
        let change = json!({"post_id": post_id, "text": format!("bad {round}")});
        let (approved, _) = tokio::join!(
            test.approve("ada", &approval_id, body),
            test.call(&test.key.api_key, "update_post", change)
        );
        let feed = test.feed().await;
        match approved.status {
            200 => assert_eq!(feed.first(), Some(&json!(good))),
            _ => assert_eq!(approved.expect_problem(409, "approval_changed").status, 409),
        }
        assert!(!feed.contains(&json!(format!("bad {round}"))), "{feed:?}");
    }
}

#[tokio::test]
async fn digest_stays_while_nothing_changes() {
    let test = ApprovalsTest::new().await;
    let (_, publish) = draft_to_publish(&test, "draft").await;
    let later = json!({"text": "later", "channels": ["feed"], "mode": "schedule", "scheduled_at": "2026-11-20T00:00:00Z"});
    let held = [test.hold("create_post", now("now")).await, test.hold("create_post", later).await, publish];
    for approval_id in held {
        let digest = test.digest(&approval_id).await;
        test.app.clock.advance(Duration::from_hours(3));
        assert_eq!(test.digest(&approval_id).await, digest);
        let done = test.approve("ada", &approval_id, json!({"digest": digest})).await.expect_status(200);
        assert_eq!(done.body["status"], "done", "{}", done.text);
    }
}

#[tokio::test]
async fn notes_that_change_do_not_change_the_digest() {
    let test = ApprovalsTest::new().await;
    let pictures = Receiver::start().await;
    let busy = || [(503, None), (503, None)];
    let picture = || [(200, Some(("content-type", "image/png".to_owned())))];
    let mut post = now("with a picture");
    post["media"] = json!([{"url": format!("{}/cup.png", pictures.url), "alt": "A cup"}]);
    pictures.respond_with(busy());
    let approval_id = test.hold("create_post", post).await;
    pictures.respond_with(picture());
    let seen = test.view("ada", &approval_id).await;
    assert_eq!(seen["preview"]["notes"], Value::Null, "{seen}");
    pictures.respond_with(busy());
    let done = test.approve("ada", &approval_id, json!({"digest": seen["digest"]})).await.expect_status(200);
    assert_eq!(done.body["status"], "done", "{}", done.text);
    assert_eq!(test.feed().await, ["with a picture"]);
}

#[tokio::test]
async fn picture_that_is_gone_stops_the_approval() {
    let test = ApprovalsTest::new().await;
    let pictures = Receiver::start().await;
    let mut post = now("with a picture");
    post["media"] = json!([{"url": format!("{}/cup.png", pictures.url), "alt": "A cup"}]);
    let picture = || (200, Some(("content-type", "image/png".to_owned())));
    pictures.respond_with([picture(), picture(), (404, None), (404, None)]);
    let approval_id = test.hold("create_post", post).await;
    let seen = test.view("ada", &approval_id).await;
    test.approve("ada", &approval_id, json!({"digest": seen["digest"]}))
        .await
        .expect_problem(409, "approval_changed");
    test.assert_still_waits(&approval_id).await;
}
