//! `kill -9` in the middle of a publication.

use serde_json::{Value, json};

use super::{World, webhook::receiver_of};
use crate::support::Place;

/// The receiver has the post and has not said so when the service is killed. The next process sends it again under the
/// same id, and once that is acknowledged nobody sends it any more.
async fn an_unacknowledged_post_is_sent_again_and_an_acknowledged_one_is_not(place: Place) {
    let world = World::new(place).await;
    let receiver = receiver_of(&world, json!({})).await;
    receiver.instruct(json!([{"hold": true}])).await;
    world.begin("killed", "hook");
    receiver.seen(1, |_| true).await;
    let post_id = world.post_id().await;
    let under_way = world.call("get_post", json!({"post_id": post_id})).await;
    let target = &under_way["targets"][0];
    assert_eq!((&target["status"], &target["attempts"]), (&json!("publishing"), &json!(1)));

    let world = world.killed_and_started();
    let target = world.ended(&post_id).await;
    assert_eq!((&target["status"], &target["attempts"]), (&json!("published"), &json!(2)), "{target}");
    let log = receiver.log().await;
    assert_eq!(log.len(), 2, "{log:?}");
    assert_eq!((&log[0]["answered"], &log[1]["answered"]), (&Value::Null, &json!(204)));
    assert_eq!((&log[0]["id"], &log[0]["raw"]), (&log[1]["id"], &log[1]["raw"]));
    assert_eq!((&log[0]["verified"], &log[1]["verified"]), (&json!(true), &json!(true)));

    // What is acknowledged stays so through further kills; another post shows that the workers were at work.
    let world = world.killed_and_started().killed_and_started();
    let after = world.publish(json!({"text": "after", "channels": ["hook"], "mode": "now"})).await;
    assert_eq!(after["status"], "published");
    let texts: Vec<Value> =
        receiver.log().await.iter().map(|entry| entry["body"]["data"]["text"].clone()).collect();
    assert_eq!(texts, ["killed", "killed", "after"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_publication_ends_once_on_sqlite() {
    an_unacknowledged_post_is_sent_again_and_an_acknowledged_one_is_not(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_publication_ends_once_on_postgresql() {
    an_unacknowledged_post_is_sent_again_and_an_acknowledged_one_is_not(Place::postgres()).await;
}
