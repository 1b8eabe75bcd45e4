//! Mastodon, implemented from its documentation.

use serde_json::{Value, json};

use super::ExternalServer;
use crate::support::{Sandbox, TestService};

async fn start_server(test: &TestService, token: &str) -> ExternalServer {
    let server = ExternalServer::python("mastodon.py").await;
    let settings = json!({"server": server.url, "access_token": token, "visibility": "unlisted"});
    test.put_channel("fediverse", "mastodon", settings).await;
    server
}

#[tokio::test(flavor = "multi_thread")]
async fn status_with_a_picture_is_published() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let server = start_server(&test, "a-token-of-the-tests").await;
    let post = json!({
        "text": "Neu im Café ☕",
        "link": "https://acme.example/menu",
        "media": [{"url": format!("{}/picture.png", server.url), "alt": "Eine Tasse „Kaffee“"}],
        "channels": ["fediverse"],
        "mode": "now",
    });
    let target = test.publish(post).await;
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
    test.service.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_post_fails_with_advice() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let server = start_server(&test, "another-token").await;
    let post = |text: &str| json!({"text": text, "channels": ["fediverse"], "mode": "now"});
    let target = test.publish(post("Hello")).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("failed"), &json!(1)));
    let error = target["error"].as_str().expect("a reason");
    assert!(
        error.contains("The access token is invalid") && error.contains("Save the channel again"),
        "{error}"
    );

    let settings = json!({"server": server.url, "access_token": "a-token-of-the-tests"});
    test.put_channel("fediverse", "mastodon", settings).await;
    let echo = json!([{"status": 422, "body": {"error": "Not with a-token-of-the-tests\r\n."}}]);
    server.control(echo).await;
    let target = test.publish(post("Hello")).await;
    let error = target["error"].as_str().expect("a reason");
    assert!(error.contains("“Not with (secret)") && !error.contains("a-token"), "{error}");

    // Within the limit of the channel, and over the limit of the server.
    let settings = json!({"server": server.url, "max_characters": 1000});
    test.put_channel("fediverse", "mastodon", settings).await;
    let target = test.publish(post(&"x".repeat(501))).await;
    assert!(
        target["error"].as_str().is_some_and(|error| error.contains("character limit of 500")),
        "{target}"
    );
    assert_eq!(server.get("/statuses").await, json!([]));
    let log = test.service.stop();
    assert!(!log.contains("a-token") && !log.contains("another-token"), "{log}");
    for entry in std::fs::read_dir(test.sandbox.data_dir()).expect("the data directory").flatten() {
        let bytes = std::fs::read(entry.path()).expect("a file of the data directory");
        let has_token = bytes.windows(7).any(|bytes| bytes == b"a-token");
        assert!(!has_token, "the token is stored unencrypted in {:?}", entry.file_name());
    }
}

/// The server has published, but its response is lost. The request is repeated with the same idempotency key.
#[tokio::test(flavor = "multi_thread")]
async fn lost_response_does_not_publish_twice() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let server = start_server(&test, "a-token-of-the-tests").await;
    server.control(json!([{"hold": true}])).await;
    test.publish_in_background("Once", "fediverse");
    let is_status = |entry: &Value| entry["path"] == "/api/v1/statuses";
    server.wait_for_request(is_status).await;
    let test = test.kill_and_restart();
    let target = test.wait_for_target(&test.post_id().await).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("published"), &json!(2)));
    let log: Vec<Value> = server.log().await.into_iter().filter(is_status).collect();
    assert_eq!(log.len(), 2);
    assert_eq!(log[0]["key"], log[1]["key"]);
    let statuses = server.get("/statuses").await;
    assert_eq!(statuses.as_array().map(Vec::len), Some(1));
    assert_eq!(target["url"], statuses[0]["url"]);
}

/// The service is killed before it knows that the status is deleted. The next process finds it gone.
#[tokio::test(flavor = "multi_thread")]
async fn status_is_deleted_also_if_the_response_is_lost() {
    let test = TestService::publishing(Sandbox::sqlite()).await;
    let server = start_server(&test, "a-token-of-the-tests").await;
    test.publish(json!({"text": "Wrong", "channels": ["fediverse"], "mode": "now"})).await;
    assert_eq!(server.get("/statuses").await.as_array().map(Vec::len), Some(1));
    server.control(json!([{"hold": true}])).await;
    let post_id = test.post_id().await;
    let request = test.agent().call_request("withdraw_post", &json!({"post_id": post_id}));
    tokio::spawn(async move {
        // The service is killed before it responds.
        let _ = crate::support::try_send(request).await;
    });
    let is_delete = |entry: &Value| entry["method"] == "DELETE";
    server.wait_for_request(is_delete).await;
    let test = test.kill_and_restart();
    let target = test.wait_for_target(&post_id).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("withdrawn"), &json!(2)), "{target}");
    assert_eq!(server.get("/statuses").await, json!([]));
    let log: Vec<Value> = server.log().await.into_iter().filter(is_delete).collect();
    assert_eq!((log.len(), &log[1]["answered"]), (2, &json!(404)));
}
