//! Clients that take their time.

use std::time::{Duration, Instant};

use super::Ready;
use crate::support::{LONG, Place, Raw};

const A_MOMENT: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_comes_byte_by_byte_is_cut_off() {
    let running = Place::sqlite().serve(&["--header-timeout", "1"]);
    let mut slow = Raw::connect(running.address).await;
    slow.send("GET /healthz HTTP/1.1\r\nHost: test\r\nX-Slow: ").await;
    let started = Instant::now();
    while !slow.ends_within(A_MOMENT).await {
        slow.send("a").await;
        assert!(started.elapsed() < LONG, "it is still listened to");
    }
    assert_eq!(Raw::connect(running.address).await.get("/healthz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_says_nothing_is_closed() {
    let running = Place::sqlite().serve(&["--header-timeout", "1"]);
    let mut silent = Raw::connect(running.address).await;
    let mut used = Raw::connect(running.address).await;
    assert_eq!(used.get("/healthz").await.status, 200);
    assert_eq!(silent.end().await, b"", "nothing was asked");
    used.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_come_is_answered_408() {
    let ready = Ready::with(&["--body-timeout", "1"]).await;
    for head in [ready.create_head("Content-Length: 100"), ready.call_head("Content-Length: 100")] {
        let mut slow = Raw::connect(ready.running.address).await;
        slow.send(head + "{\"label\"").await;
        let answer = slow.answer().await;
        assert_eq!(answer.status, 408, "{answer:?}");
        let problem = answer.json();
        assert_eq!(problem["code"], "request_timeout", "{problem}");
        assert!(problem["request_id"].is_string(), "{problem}");
        assert_eq!(answer.header("content-type"), Some("application/problem+json"));
        slow.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_comes_byte_by_byte_is_answered_408() {
    let ready = Ready::with(&["--body-timeout", "1"]).await;
    let mut slow = Raw::connect(ready.running.address).await;
    slow.send(ready.create_head("Content-Length: 100000") + "{\"label\": \"").await;
    let started = Instant::now();
    let answer = loop {
        if let Some(answer) = slow.answer_within(A_MOMENT).await {
            break answer;
        }
        slow.send("a").await;
        assert!(started.elapsed() < LONG, "it is still listened to");
    };
    assert_eq!(answer.status, 408, "{answer:?}");
}

/// The body of one who may not send it is not waited for.
#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_is_answered_before_the_body() {
    let running = Place::sqlite().serve(&["--body-timeout", "600"]);
    let mut stranger = Raw::connect(running.address).await;
    stranger.send(super::head("/mcp/v1/tools/call", "svc_mcp_nobody", "Content-Length: 100")).await;
    let answer = stranger.answer().await;
    assert_eq!((answer.status, answer.json()["code"].as_str()), (401, Some("key_invalid")), "{answer:?}");
}
