//! `kill -9` while a post is published.

use serde_json::{Value, json};

use super::webhook::start_receiver;
use crate::support::{Sandbox, TestService};

/// The service is killed before the receiver has acknowledged the post. The next process sends it again with the same
/// id. After the acknowledgement it is not sent any more.
async fn unacknowledged_post_is_sent_again(sandbox: Sandbox) {
    let test = TestService::publishing(sandbox).await;
    let receiver = start_receiver(&test, json!({})).await;
    receiver.control(json!([{"hold": true}])).await;
    test.publish_in_background("killed", "hook");
    receiver.wait_for_request(|_| true).await;
    let post_id = test.post_id().await;
    let post = test.call("get_post", json!({"post_id": post_id})).await;
    let target = &post["targets"][0];
    assert_eq!((&target["status"], &target["attempts"]), (&json!("publishing"), &json!(1)));

    let test = test.kill_and_restart();
    let target = test.wait_for_target(&post_id).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("published"), &json!(2)), "{target}");
    let log = receiver.log().await;
    assert_eq!(log.len(), 2, "{log:?}");
    assert_eq!((&log[0]["answered"], &log[1]["answered"]), (&Value::Null, &json!(204)));
    assert_eq!((&log[0]["id"], &log[0]["raw"]), (&log[1]["id"], &log[1]["raw"]));
    assert_eq!((&log[0]["verified"], &log[1]["verified"]), (&json!(true), &json!(true)));

    // After further kills it is not sent again. Another post shows that the workers are running.
    let test = test.kill_and_restart().kill_and_restart();
    let after = test.publish(json!({"text": "after", "channels": ["hook"], "mode": "now"})).await;
    assert_eq!(after["status"], "published");
    let texts: Vec<Value> =
        receiver.log().await.iter().map(|entry| entry["body"]["data"]["text"].clone()).collect();
    assert_eq!(texts, ["killed", "killed", "after"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_publication_is_repeated_until_acknowledged_on_sqlite() {
    unacknowledged_post_is_sent_again(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_publication_is_repeated_until_acknowledged_on_postgresql() {
    unacknowledged_post_is_sent_again(Sandbox::postgres()).await;
}
