//! HTTP as it is spoken by old and by clever clients, and the port for metrics.

use std::net::SocketAddr;

use svc_mcp_testkit::free_port;

use super::Ready;
use crate::support::{Place, Raw};

#[tokio::test(flavor = "multi_thread")]
async fn pipelined_requests_are_answered_in_order() {
    let ready = Ready::with(&[]).await;
    let mut client = Raw::connect(ready.running.address).await;
    let body = r#"{"name": "get_brand"}"#;
    let call = ready.call_head(&format!("Content-Length: {}", body.len())) + body;
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n");
    client.send(get("/healthz") + &get("/nowhere") + &call + &get("/mcp/v1/tools") + &get("/readyz")).await;
    for (status, what) in
        [(200, "ok"), (404, "not_found"), (200, "Acme"), (401, "credential_missing"), (200, "ready")]
    {
        let answer = client.answer().await;
        assert_eq!(answer.status, status, "{answer:?}");
        let text = String::from_utf8_lossy(&answer.body);
        assert!(text.contains(what), "{text} should speak of {what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn http_1_0_is_served_and_then_closed() {
    let ready = Ready::with(&[]).await;
    let authorization = format!("Authorization: Bearer {}\r\n", ready.key);
    for (path, more) in [("/healthz", ""), ("/mcp/v1/tools", authorization.as_str())] {
        let mut old = Raw::connect(ready.running.address).await;
        old.send(format!("GET {path} HTTP/1.0\r\n{more}\r\n")).await;
        let answer = old.answer().await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(!answer.body.is_empty(), "{answer:?}");
        assert_eq!(old.end().await, b"", "nothing follows the body");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn head_is_get_without_the_body() {
    let ready = Ready::with(&[]).await;
    for path in
        ["/healthz", "/openapi.json", "/docs", "/settings/mcp", "/mcp/v1/tools", "/feeds/acme/feed.json"]
    {
        let mut client = Raw::connect(ready.running.address).await;
        let request = |method: &str| {
            format!("{method} {path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {}\r\n\r\n", ready.key)
        };
        client.send(request("HEAD")).await;
        let head = client.answer_to_head().await;
        // Were there a body, it would stand where the next answer is looked for.
        client.send(request("GET")).await;
        let get = client.answer().await;
        assert_eq!((head.status, get.status), (200, 200), "{path}: {head:?}");
        for name in ["content-length", "content-type", "etag"] {
            assert_eq!(head.header(name), get.header(name), "{name} of {path}");
        }
        assert!(!get.body.is_empty(), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_on_their_own_port_alone() {
    let metrics: SocketAddr = ([127, 0, 0, 1], free_port()).into();
    let running = Place::sqlite().serve(&["--metrics-listen", &metrics.to_string()]);
    let mut public = Raw::connect(running.address).await;
    assert_eq!(public.get("/healthz").await.status, 200);
    let answer = public.get("/metrics").await;
    assert_eq!((answer.status, answer.json()["code"].as_str()), (404, Some("not_found")), "{answer:?}");
    let mut inner = Raw::connect(metrics).await;
    let answer = inner.get("/metrics").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let text = String::from_utf8_lossy(&answer.body);
    let mut counts = text.lines().filter(|line| line.starts_with("svc_mcp_requests_total{"));
    assert!(counts.any(|line| line.contains("route=\"/healthz\"") && line.ends_with("} 1")), "{text}");
    assert_eq!(inner.get("/healthz").await.status, 404, "it serves nothing else");
    assert_eq!(inner.get("/mcp/v1/tools").await.status, 404, "it serves nothing else");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_port_for_metrics_there_are_none() {
    let running = Place::sqlite().serve(&[]);
    assert_eq!(Raw::connect(running.address).await.get("/metrics").await.status, 404);
}
