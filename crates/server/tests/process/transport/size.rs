//! Requests that are too large.

use serde_json::Value;

use super::padded;
use crate::support::{RawClient, RawResponse, Sandbox, TestService, send, with_json_body};

const MAX_MANAGEMENT_BYTES: usize = 64 * 1024;
const MAX_CALL_BYTES: usize = 1024 * 1024;
const KEY: &str = r#"{"label": "large"}"#;
const TOOL: &str = r#"{"name": "get_brand"}"#;

/// `count` headers with values of this length.
fn headers(count: usize, length: usize) -> String {
    let lines: Vec<String> =
        (0..count).map(|number| format!("X-{number}: {}\r\n", "a".repeat(length))).collect();
    lines.concat()
}

fn assert_too_large(response: &RawResponse) {
    assert_eq!(response.status, 413, "{response:?}");
    let problem: Value = response.json();
    assert_eq!(problem["code"], "too_large", "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn body_is_accepted_up_to_the_limit() {
    let test = TestService::start(Sandbox::sqlite(), &[]).await;
    let (manager, agent) = (test.service.api(&test.admin_token), test.service.api(&test.key));
    let cases = [
        (&manager, "/api/brands/acme/mcp-keys", KEY, MAX_MANAGEMENT_BYTES, 201),
        (&agent, "/mcp/v1/tools/call", TOOL, MAX_CALL_BYTES, 200),
    ];
    for (api, path, json, limit, fine) in cases {
        let send =
            |length| send(with_json_body(api.request(reqwest::Method::POST, path), padded(json, length)));
        assert_eq!(send(limit).await.status, fine, "{path} with {limit} bytes");
        let response = send(limit + 1).await;
        assert_eq!((response.status, response.code().as_str()), (413, "too_large"), "{response:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn chunked_body_is_accepted_up_to_the_limit() {
    let test = TestService::start(Sandbox::sqlite(), &[]).await;
    let cases = [(test.create_head("Transfer-Encoding: chunked"), KEY, MAX_MANAGEMENT_BYTES), {
        (test.call_head("Transfer-Encoding: chunked"), TOOL, MAX_CALL_BYTES)
    }];
    for (head, json, limit) in cases {
        for (length, large) in [(limit, false), (limit + 1, true)] {
            let mut client = RawClient::connect(test.service.address).await;
            client.send(&head).await;
            for part in padded(json, length).as_bytes().chunks(10_000) {
                client.send([format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat()).await;
            }
            client.send("0\r\n\r\n").await;
            let response = client.response().await;
            if large {
                assert_too_large(&response);
            } else {
                assert!(response.status < 300, "{response:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn large_content_length_is_refused_before_the_body_is_read() {
    let test = TestService::start(Sandbox::sqlite(), &["--body-timeout", "600"]).await;
    for head in [test.create_head("Content-Length: 1000000000"), test.call_head("Content-Length: 1000000000")]
    {
        let mut client = RawClient::connect(test.service.address).await;
        client.send(head + &padded(KEY, MAX_CALL_BYTES + 1)).await;
        assert_too_large(&client.response().await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn large_head_or_many_headers_are_answered_431() {
    let service = Sandbox::sqlite().serve(&[]);
    let large = format!("X-Large: {}\r\n", "a".repeat(64 * 1024));
    let many = headers(200, 1);
    let long_address = format!("GET /{} HTTP/1.1\r\nHost: test\r\n\r\n", "a".repeat(64 * 1024));
    let heads = [large, many].map(|more| format!("GET /healthz HTTP/1.1\r\nHost: test\r\n{more}\r\n"));
    for request in heads.into_iter().chain([long_address]) {
        let mut client = RawClient::connect(service.address).await;
        client.send(&request).await;
        let response = client.response().await;
        assert_eq!(response.status, 431, "{response:?} to {request:.60}");
        client.read_to_close().await;
    }
    let fine = headers(40, 400);
    let mut client = RawClient::connect(service.address).await;
    client.send(format!("GET /healthz HTTP/1.1\r\nHost: test\r\n{fine}\r\n")).await;
    assert_eq!(client.response().await.status, 200, "16 KiB in 40 headers are accepted");
}
