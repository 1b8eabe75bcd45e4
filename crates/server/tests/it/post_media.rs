//! Pictures are looked at before a post goes out.

use serde_json::{Value, json};

use crate::{
    publishing::PublishingTest,
    support::{BRAND, Receiver},
};

/// A post for the webhook with one picture.
fn post(pictures: &Receiver, mode: &str) -> Value {
    post_with(&format!("{}/cup.png", pictures.url), mode)
}

fn post_with(picture: &str, mode: &str) -> Value {
    let mut post =
        json!({"text": "x", "channels": ["hook"], "mode": mode, "media": [{"url": picture, "alt": "A cup"}]});
    if mode == "schedule" {
        post["scheduled_at"] = json!("2026-11-16T00:00:00Z");
    }
    post
}

/// The next requests for pictures get this status.
fn answer(pictures: &Receiver, status: u16) {
    pictures.respond_with((0..2).map(|_| (status, None)));
}

fn note(result: &Value) -> &str {
    result["notes"][0].as_str().unwrap_or_default()
}

#[tokio::test]
async fn picture_that_does_not_exist_is_not_published() {
    let test = PublishingTest::new().await;
    let pictures = Receiver::start().await;
    for mode in ["draft", "now"] {
        answer(&pictures, 404);
        let verdict = test.call("validate_post", post(&pictures, mode)).await;
        assert_eq!(verdict["valid"], false);
        assert_eq!(verdict["issues"][0]["code"], "media_not_found", "{verdict}");
        assert!(verdict["issues"][0]["message"].as_str().unwrap().contains("`media[0].url`"), "{verdict}");
    }
    for mode in ["now", "schedule"] {
        answer(&pictures, 404);
        assert_eq!(test.refusal("create_post", post(&pictures, mode)).await, "post_invalid");
    }
    // A draft does not go out, so it is kept.
    answer(&pictures, 410);
    let draft = test.call("create_post", post(&pictures, "draft")).await;
    assert!(note(&draft).contains("answers 410"), "{draft}");
    let post_id = &draft["post"]["post_id"];
    answer(&pictures, 403);
    let changed = test.call("update_post", json!({"post_id": post_id, "text": "y"})).await;
    assert!(note(&changed).contains("answers 403"), "{changed}");
    answer(&pictures, 404);
    assert_eq!(test.refusal("publish_post", json!({"post_id": post_id})).await, "post_invalid");
    let publish = format!("/api/brands/{BRAND}/posts/{}/publish", post_id.as_str().unwrap());
    answer(&pictures, 404);
    let person = test.app.post(&publish).bearer(&test.app.token("ada")).send().await;
    person.expect_problem(422, "post_invalid");
    assert!(test.receiver.requests().is_empty());
}

#[tokio::test]
async fn scheduled_post_keeps_a_picture_that_exists() {
    let test = PublishingTest::new().await;
    let pictures = Receiver::start().await;
    pictures.respond_with([(200, Some(("content-type", "image/jpeg".to_owned())))]);
    let scheduled = test.call("create_post", post(&pictures, "schedule")).await;
    assert_eq!(scheduled["notes"], Value::Null, "{scheduled}");
    let media = json!([{"url": format!("{}/gone.png", pictures.url)}]);
    answer(&pictures, 404);
    let change = json!({"post_id": scheduled["post"]["post_id"], "media": media});
    assert_eq!(test.refusal("update_post", change).await, "post_invalid");
    let unchanged = test.call("get_post", json!({"post_id": scheduled["post"]["post_id"]})).await;
    assert_eq!(unchanged["media"], scheduled["post"]["media"]);
}

#[tokio::test]
async fn page_is_not_a_picture() {
    let test = PublishingTest::new().await;
    let pictures = Receiver::start().await;
    // The receiver answers 200 with a text.
    let verdict = test.call("validate_post", post(&pictures, "now")).await;
    assert_eq!(
        (&verdict["valid"], &verdict["issues"][0]["code"]),
        (&json!(false), &json!("media_not_an_image"))
    );
    assert_eq!(test.refusal("create_post", post(&pictures, "now")).await, "post_invalid");
    let methods: Vec<String> = pictures.requests().iter().map(|request| request.method.clone()).collect();
    assert_eq!(methods, ["HEAD", "GET", "HEAD", "GET"]);
}

#[tokio::test]
async fn server_that_refuses_head_is_asked_with_get() {
    let test = PublishingTest::new().await;
    let pictures = Receiver::start().await;
    pictures.respond_with([(405, None), (206, Some(("content-type", "image/webp".to_owned())))]);
    let verdict = test.call("validate_post", post(&pictures, "now")).await;
    assert_eq!((&verdict["valid"], &verdict["notes"]), (&json!(true), &Value::Null), "{verdict}");
    assert_eq!(pictures.requests()[1].header("range"), "bytes=0-63");
}

#[tokio::test]
async fn host_that_does_not_answer_is_only_noted() {
    let test = PublishingTest::new().await;
    let pictures = Receiver::start().await;
    answer(&pictures, 503);
    let verdict = test.call("validate_post", post(&pictures, "now")).await;
    assert_eq!(verdict["valid"], true);
    assert!(note(&verdict).contains("answers 503"), "{verdict}");
    // Nobody listens there, and the other host is not public.
    for picture in ["http://127.0.0.1:1/cup.png", "http://10.0.0.1/cup.png"] {
        let created = test.call("create_post", post_with(picture, "now")).await;
        assert!(note(&created).contains("could not be looked at"), "{created}");
        assert_eq!(created["post"]["targets"][0]["status"], "published", "{created}");
    }
}
