//! Many connections, and strange ones.

use std::time::Duration;

use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};

use super::Ready;
use crate::support::{Place, Raw};

#[tokio::test(flavor = "multi_thread")]
async fn connections_beyond_the_limit_wait_and_are_served() {
    let running = Place::sqlite().serve(&["--max-connections", "2"]);
    let mut first = Raw::connect(running.address).await;
    let mut second = Raw::connect(running.address).await;
    assert_eq!(first.get("/healthz").await.status, 200);
    assert_eq!(second.get("/healthz").await.status, 200);
    let mut third = Raw::connect(running.address).await;
    third.send("GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n").await;
    let early = third.answer_within(Duration::from_millis(300)).await;
    assert!(early.is_none(), "both places are taken, and yet: {early:?}");
    assert_eq!(second.get("/healthz").await.status, 200, "those who have a place are served");
    drop(first);
    assert_eq!(third.answer().await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_is_served_two_at_a_time() {
    let running = Place::sqlite().serve(&["--max-connections", "2"]);
    let address = running.address;
    let visitors: Vec<_> = (0..40)
        .map(|_| {
            tokio::spawn(async move {
                let mut visitor = Raw::connect(address).await;
                visitor.send("GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n").await;
                visitor.answer().await.status
            })
        })
        .collect();
    for visitor in visitors {
        assert_eq!(visitor.await.expect("it was served"), 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_is_refused_and_leaves_no_trace() {
    let running = Place::sqlite().serve(&["--max-connections", "8", "--header-timeout", "5"]);
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let mut all: Vec<Vec<u8>> = vec![
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        b"\r\n\r\n\r\n\r\n".to_vec(),
        b"GET\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"GET /healthz HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n".to_vec(),
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n".to_vec(),
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".to_vec(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: \x00\x01\r\n\r\n".to_vec(),
    ];
    for _ in 0..40 {
        let mut bytes = vec![0; random.random_range(1..300)];
        random.fill_bytes(&mut bytes);
        all.push(bytes);
    }
    for bytes in &all {
        let mut client = Raw::connect(running.address).await;
        client.send(bytes).await;
        // Some is answered, some waits for more; the client is gone either way.
        if let Some(answer) = client.answer_within(Duration::from_millis(5)).await {
            let refused = (400..500).contains(&answer.status);
            assert!(refused || answer.status == 200, "{answer:?} to {}", bytes.escape_ascii());
        }
    }
    assert_eq!(Raw::connect(running.address).await.get("/healthz").await.status, 200);
    let log = running.stop();
    assert!(!log.contains("panicked"), "{log}");
}

/// Two lengths, or a length and chunks, are how requests are smuggled past a proxy.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_with_two_lengths_is_refused() {
    let ready = Ready::with(&[]).await;
    let smuggled = "GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n";
    for lengths in [
        format!("Content-Length: 0\r\nContent-Length: {}", smuggled.len()),
        format!("Content-Length: {}, 0", smuggled.len()),
    ] {
        let mut client = Raw::connect(ready.running.address).await;
        client.send(ready.create_head(&lengths) + smuggled).await;
        let answer = client.answer().await;
        assert_eq!(answer.status, 400, "{lengths}: {answer:?}");
        client.end().await;
    }
}
