//! Requests that are too large.

use serde_json::Value;

use super::{Ready, padded};
use crate::support::{Place, Raw, RawAnswer, answered, as_json};

const MANAGEMENT: usize = 64 * 1024;
const CALL: usize = 1024 * 1024;
const KEY: &str = r#"{"label": "large"}"#;
const TOOL: &str = r#"{"name": "get_brand"}"#;

/// So many headers, each with a value so long.
fn headers(count: usize, length: usize) -> String {
    let lines: Vec<String> =
        (0..count).map(|number| format!("X-{number}: {}\r\n", "a".repeat(length))).collect();
    lines.concat()
}

fn assert_too_large(answer: &RawAnswer) {
    assert_eq!(answer.status, 413, "{answer:?}");
    let problem: Value = answer.json();
    assert_eq!(problem["code"], "too_large", "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_may_be_as_large_as_the_limit_and_no_larger() {
    let ready = Ready::with(&[]).await;
    let (manager, agent) = (ready.running.api(&ready.token), ready.running.api(&ready.key));
    let cases = [
        (&manager, "/api/brands/acme/mcp-keys", KEY, MANAGEMENT, 201),
        (&agent, "/mcp/v1/tools/call", TOOL, CALL, 200),
    ];
    for (api, path, json, limit, fine) in cases {
        let send = |length| answered(as_json(api.request(reqwest::Method::POST, path), padded(json, length)));
        assert_eq!(send(limit).await.status, fine, "{path} with {limit} bytes");
        let answer = send(limit + 1).await;
        assert_eq!((answer.status, answer.code().as_str()), (413, "too_large"), "{answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_without_a_length_is_bounded_too() {
    let ready = Ready::with(&[]).await;
    let cases = [(ready.create_head("Transfer-Encoding: chunked"), KEY, MANAGEMENT), {
        (ready.call_head("Transfer-Encoding: chunked"), TOOL, CALL)
    }];
    for (head, json, limit) in cases {
        for (length, large) in [(limit, false), (limit + 1, true)] {
            let mut client = Raw::connect(ready.running.address).await;
            client.send(&head).await;
            for part in padded(json, length).as_bytes().chunks(10_000) {
                client.send([format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat()).await;
            }
            client.send("0\r\n\r\n").await;
            let answer = client.answer().await;
            if large {
                assert_too_large(&answer);
            } else {
                assert!(answer.status < 300, "{answer:?}");
            }
        }
    }
}

/// One who announces far too much is told so at once, and not after a gigabyte.
#[tokio::test(flavor = "multi_thread")]
async fn an_announced_body_that_is_far_too_large_is_not_waited_for() {
    let ready = Ready::with(&["--body-timeout", "600"]).await;
    for head in
        [ready.create_head("Content-Length: 1000000000"), ready.call_head("Content-Length: 1000000000")]
    {
        let mut client = Raw::connect(ready.running.address).await;
        client.send(head + &padded(KEY, CALL + 1)).await;
        assert_too_large(&client.answer().await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_that_are_too_large_or_too_many_are_answered_431() {
    let running = Place::sqlite().serve(&[]);
    let large = format!("X-Large: {}\r\n", "a".repeat(64 * 1024));
    let many = headers(200, 1);
    let long_address = format!("GET /{} HTTP/1.1\r\nHost: test\r\n\r\n", "a".repeat(64 * 1024));
    let heads = [large, many].map(|more| format!("GET /healthz HTTP/1.1\r\nHost: test\r\n{more}\r\n"));
    for request in heads.into_iter().chain([long_address]) {
        let mut client = Raw::connect(running.address).await;
        client.send(&request).await;
        let answer = client.answer().await;
        assert_eq!(answer.status, 431, "{answer:?} to {request:.60}");
        client.end().await;
    }
    let fine = headers(40, 400);
    let mut client = Raw::connect(running.address).await;
    client.send(format!("GET /healthz HTTP/1.1\r\nHost: test\r\n{fine}\r\n")).await;
    assert_eq!(client.answer().await.status, 200, "16 KiB in 40 headers are fine");
}
