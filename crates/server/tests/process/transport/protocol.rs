//! Pipelining, HTTP/1.0, `HEAD`, and the port for metrics.

use std::net::SocketAddr;

use serde_json::json;
use svc_mcp_testkit::free_port;

use crate::support::{RawClient, Sandbox, TestService};

#[tokio::test(flavor = "multi_thread")]
async fn pipelined_requests_are_answered_in_order() {
    let test = TestService::start(Sandbox::sqlite(), &[]).await;
    let mut client = RawClient::connect(test.service.address).await;
    let body = r#"{"name": "get_brand"}"#;
    let call = test.call_head(&format!("Content-Length: {}", body.len())) + body;
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n");
    client.send(get("/healthz") + &get("/nowhere") + &call + &get("/mcp/v1/tools") + &get("/readyz")).await;
    for (status, what) in
        [(200, "ok"), (404, "not_found"), (200, "Acme"), (401, "credential_missing"), (200, "ready")]
    {
        let response = client.response().await;
        assert_eq!(response.status, status, "{response:?}");
        let text = String::from_utf8_lossy(&response.body);
        assert!(text.contains(what), "{text} does not contain {what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn http_1_0_is_served_and_the_connection_closed() {
    let test = TestService::start(Sandbox::sqlite(), &[]).await;
    let authorization = format!("Authorization: Bearer {}\r\n", test.key);
    for (path, more) in [("/healthz", ""), ("/mcp/v1/tools", authorization.as_str())] {
        let mut old = RawClient::connect(test.service.address).await;
        old.send(format!("GET {path} HTTP/1.0\r\n{more}\r\n")).await;
        let response = old.response().await;
        assert_eq!(response.status, 200, "{response:?}");
        assert!(!response.body.is_empty(), "{response:?}");
        assert_eq!(old.read_to_close().await, b"", "no bytes follow the body");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn head_is_answered_like_get_without_a_body() {
    let test = TestService::start(Sandbox::sqlite(), &[]).await;
    let post = json!({"text": "x", "channels": ["feed"], "mode": "now"});
    test.agent().call("create_post", &post).await.expect_status(200);
    for path in
        ["/healthz", "/openapi.json", "/docs", "/settings/mcp", "/mcp/v1/tools", "/feeds/acme/feed.json"]
    {
        let mut client = RawClient::connect(test.service.address).await;
        let request = |method: &str| {
            format!("{method} {path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {}\r\n\r\n", test.key)
        };
        client.send(request("HEAD")).await;
        let head = client.response_to_head().await;
        // A body would be read as the next response.
        client.send(request("GET")).await;
        let get = client.response().await;
        assert_eq!((head.status, get.status), (200, 200), "{path}: {head:?}");
        for name in ["content-length", "content-type", "etag"] {
            assert_eq!(head.header(name), get.header(name), "{name} of {path}");
        }
        assert!(!get.body.is_empty(), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_only_on_their_own_port() {
    let metrics: SocketAddr = ([127, 0, 0, 1], free_port()).into();
    let service = Sandbox::sqlite().serve(&["--metrics-listen", &metrics.to_string()]);
    let mut public = RawClient::connect(service.address).await;
    assert_eq!(public.get("/healthz").await.status, 200);
    let response = public.get("/metrics").await;
    assert_eq!((response.status, response.json()["code"].as_str()), (404, Some("not_found")), "{response:?}");
    let mut inner = RawClient::connect(metrics).await;
    let response = inner.get("/metrics").await;
    assert_eq!(response.status, 200, "{response:?}");
    let text = String::from_utf8_lossy(&response.body);
    let mut counts = text.lines().filter(|line| line.starts_with("svc_mcp_requests_total{"));
    assert!(counts.any(|line| line.contains("route=\"/healthz\"") && line.ends_with("} 1")), "{text}");
    assert_eq!(inner.get("/healthz").await.status, 404, "the metrics port serves nothing else");
    assert_eq!(inner.get("/mcp/v1/tools").await.status, 404, "the metrics port serves nothing else");
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_off_without_a_port() {
    let service = Sandbox::sqlite().serve(&[]);
    assert_eq!(RawClient::connect(service.address).await.get("/metrics").await.status, 404);
}
