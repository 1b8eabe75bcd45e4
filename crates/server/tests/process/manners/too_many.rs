//! More requests at a time than the service answers.

use serde_json::json;

use super::Ready;
use crate::support::{Raw, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn more_than_are_answered_at_a_time_are_told_so_at_once() {
    let ready = Ready::with(&["--max-requests", "2"]).await;
    let body = json!({"name": "get_brand", "arguments": {}}).to_string();
    let head = ready.call_head(&format!("Content-Length: {}", body.len()));
    let mut slow = Vec::new();
    for _ in 0..2 {
        let mut one = Raw::connect(ready.running.address).await;
        // Its body is waited for: it is in flight until that has come.
        one.send(&head).await;
        slow.push(one);
    }
    // With no good key, so that asking again and again does not use up the limit of the two.
    let stranger = ready.running.api("nobody");
    let shed = eventually("a full house", async || {
        let answer = stranger.tools().await;
        (answer.status == 503).then_some(answer)
    })
    .await;
    assert_eq!((shed.code().as_str(), shed.header("retry-after")), ("unavailable", "2"));
    assert!(shed.is_unavailable(), "{shed:?}");
    // Whoever watches the service must not take it for dead.
    for path in ["/healthz", "/readyz"] {
        assert_eq!(Raw::connect(ready.running.address).await.get(path).await.status, 200, "{path}");
    }
    for mut one in slow {
        one.send(&body).await;
        assert_eq!(one.answer().await.status, 200, "what was admitted is answered");
    }
    let agent = ready.running.api(&ready.key);
    eventually("room again", async || (agent.tools().await.status == 200).then_some(())).await;
}
