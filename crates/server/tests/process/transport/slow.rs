//! Slow clients.

use std::time::{Duration, Instant};

use crate::support::{RawClient, Sandbox, TestService, WAIT_TIMEOUT};

/// The pause between two bytes of a slow client.
const BYTE_INTERVAL: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread")]
async fn slow_head_closes_the_connection() {
    let service = Sandbox::sqlite().serve(&["--header-timeout", "3"]);
    let mut slow = RawClient::connect(service.address).await;
    slow.send("GET /healthz HTTP/1.1\r\nHost: test\r\nX-Slow: ").await;
    let started = Instant::now();
    while !slow.closes_within(BYTE_INTERVAL).await {
        slow.send("a").await;
        assert!(started.elapsed() < WAIT_TIMEOUT, "the service still reads");
    }
    assert_eq!(RawClient::connect(service.address).await.get("/healthz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn connection_without_a_request_is_closed() {
    let service = Sandbox::sqlite().serve(&["--header-timeout", "3", "--idle-timeout", "600"]);
    let mut silent = RawClient::connect(service.address).await;
    assert_eq!(silent.read_to_close().await, b"", "no request was sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connection_is_closed() {
    // Without a setting of its own, the idle timeout is the header timeout.
    for arguments in [&["--header-timeout", "600", "--idle-timeout", "3"][..], &["--header-timeout", "3"]] {
        let service = Sandbox::sqlite().serve(arguments);
        let mut used = RawClient::connect(service.address).await;
        assert_eq!(used.get("/healthz").await.status, 200);
        used.read_to_close().await;
    }
}

/// The head of a second request has the header timeout, although an idle connection may stay longer.
#[tokio::test(flavor = "multi_thread")]
async fn slow_head_closes_a_used_connection() {
    let service = Sandbox::sqlite().serve(&["--header-timeout", "3", "--idle-timeout", "600"]);
    let mut slow = RawClient::connect(service.address).await;
    assert_eq!(slow.get("/healthz").await.status, 200);
    slow.send("GET /healthz HT").await;
    slow.read_to_close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_body_is_answered_408() {
    let test = TestService::start(Sandbox::sqlite(), &["--body-timeout", "1"]).await;
    for head in [test.create_head("Content-Length: 100"), test.call_head("Content-Length: 100")] {
        let mut slow = RawClient::connect(test.service.address).await;
        slow.send(head + "{\"label\"").await;
        let response = slow.response().await;
        assert_eq!(response.status, 408, "{response:?}");
        let problem = response.json();
        assert_eq!(problem["code"], "request_timeout", "{problem}");
        assert!(problem["request_id"].is_string(), "{problem}");
        assert_eq!(response.header("content-type"), Some("application/problem+json"));
        slow.read_to_close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_body_is_answered_408() {
    let test = TestService::start(Sandbox::sqlite(), &["--body-timeout", "1"]).await;
    let mut slow = RawClient::connect(test.service.address).await;
    slow.send(test.create_head("Content-Length: 100000") + "{\"label\": \"").await;
    let started = Instant::now();
    let response = loop {
        if let Some(response) = slow.response_within(BYTE_INTERVAL).await {
            break response;
        }
        slow.send("a").await;
        assert!(started.elapsed() < WAIT_TIMEOUT, "the service still reads");
    };
    assert_eq!(response.status, 408, "{response:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_key_is_refused_before_the_body_is_read() {
    let service = Sandbox::sqlite().serve(&["--body-timeout", "600"]);
    let mut client = RawClient::connect(service.address).await;
    client.send(super::head("/mcp/v1/tools/call", "svc_mcp_nobody", "Content-Length: 100")).await;
    let response = client.response().await;
    assert_eq!(
        (response.status, response.json()["code"].as_str()),
        (401, Some("key_invalid")),
        "{response:?}"
    );
}
