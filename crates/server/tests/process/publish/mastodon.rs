//! Mastodon as its documentation describes it.

use serde_json::{Value, json};

use super::{Other, World};
use crate::support::Place;

async fn server_of(world: &World, token: &str) -> Other {
    let server = Other::python("mastodon.py").await;
    let settings = json!({"server": server.url, "access_token": token, "visibility": "unlisted"});
    world.put_channel("fediverse", "mastodon", settings).await;
    server
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_with_a_picture_is_published() {
    let world = World::new(Place::sqlite()).await;
    let server = server_of(&world, "a-token-of-the-tests").await;
    let post = json!({
        "text": "Neu im Café ☕",
        "link": "https://acme.example/menu",
        "media": [{"url": format!("{}/picture.png", server.url), "alt": "Eine Tasse „Kaffee“"}],
        "channels": ["fediverse"],
        "mode": "now",
    });
    let target = world.publish(post).await;
    assert_eq!(target["status"], "published", "{target}");
    let statuses = server.get("/statuses").await;
    assert_eq!(statuses.as_array().map(Vec::len), Some(1));
    let status = &statuses[0];
    assert_eq!(target["url"], status["url"]);
    assert_eq!(
        (&status["text"], &status["visibility"]),
        (&json!("Neu im Café ☕\n\nhttps://acme.example/menu"), &json!("unlisted"))
    );
    let picture = &status["media_attachments"][0];
    assert_eq!(
        (&picture["kind"], &picture["description"]),
        (&json!("image/png"), &json!("Eine Tasse „Kaffee“"))
    );
    assert_eq!(picture["size"], 69);
    world.running.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_server_refuses_fails_with_what_to_do() {
    let world = World::new(Place::sqlite()).await;
    let server = server_of(&world, "another-token").await;
    let post = |text: &str| json!({"text": text, "channels": ["fediverse"], "mode": "now"});
    let target = world.publish(post("Hello")).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("failed"), &json!(1)));
    let told = target["error"].as_str().expect("a reason");
    assert!(told.contains("The access token is invalid") && told.contains("Set the channel again"), "{told}");

    let settings = json!({"server": server.url, "access_token": "a-token-of-the-tests"});
    world.put_channel("fediverse", "mastodon", settings).await;
    let echo = json!([{"status": 422, "body": {"error": "Not with a-token-of-the-tests\r\n."}}]);
    server.instruct(echo).await;
    let target = world.publish(post("Hello")).await;
    let told = target["error"].as_str().expect("a reason");
    assert!(told.contains("“Not with (secret)") && !told.contains("a-token"), "{told}");

    // Within the limit that the channel is set to, and over the server's own.
    let settings = json!({"server": server.url, "max_characters": 1000});
    world.put_channel("fediverse", "mastodon", settings).await;
    let target = world.publish(post(&"x".repeat(501))).await;
    assert!(target["error"].as_str().is_some_and(|told| told.contains("character limit of 500")), "{target}");
    assert_eq!(server.get("/statuses").await, json!([]));
    let log = world.running.stop();
    assert!(!log.contains("a-token") && !log.contains("another-token"), "{log}");
    for entry in std::fs::read_dir(world.place.data_dir()).expect("the data directory").flatten() {
        let kept = std::fs::read(entry.path()).expect("a file");
        let lies_open = kept.windows(7).any(|bytes| bytes == b"a-token");
        assert!(!lies_open, "the token is in {:?} in clear", entry.file_name());
    }
}

/// The server has published and its answer is lost: it is asked again, and knows.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_does_not_publish_twice() {
    let world = World::new(Place::sqlite()).await;
    let server = server_of(&world, "a-token-of-the-tests").await;
    server.instruct(json!([{"hold": true}])).await;
    world.begin("Once", "fediverse");
    let is_status = |entry: &Value| entry["path"] == "/api/v1/statuses";
    server.seen(1, is_status).await;
    let world = world.killed_and_started();
    let target = world.ended(&world.post_id().await).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("published"), &json!(2)));
    let log: Vec<Value> = server.log().await.into_iter().filter(is_status).collect();
    assert_eq!(log.len(), 2);
    assert_eq!(log[0]["key"], log[1]["key"]);
    let statuses = server.get("/statuses").await;
    assert_eq!(statuses.as_array().map(Vec::len), Some(1));
    assert_eq!(target["url"], statuses[0]["url"]);
}
