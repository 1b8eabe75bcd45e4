//! Many connections, and connections with invalid bytes.

use std::time::Duration;

use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};

use crate::support::{RawClient, Sandbox, TestService};

#[tokio::test(flavor = "multi_thread")]
async fn connections_beyond_the_limit_wait_and_are_served() {
    let service = Sandbox::sqlite().serve(&["--max-connections", "2"]);
    let mut first = RawClient::connect(service.address).await;
    let mut second = RawClient::connect(service.address).await;
    assert_eq!(first.get("/healthz").await.status, 200);
    assert_eq!(second.get("/healthz").await.status, 200);
    let mut third = RawClient::connect(service.address).await;
    third.send("GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n").await;
    let early = third.response_within(Duration::from_millis(300)).await;
    assert!(early.is_none(), "the third connection got a response: {early:?}");
    assert_eq!(second.get("/healthz").await.status, 200, "an accepted connection is served");
    drop(first);
    assert_eq!(third.response().await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_connections_are_served_two_at_a_time() {
    let service = Sandbox::sqlite().serve(&["--max-connections", "2"]);
    let address = service.address;
    let clients: Vec<_> = (0..40)
        .map(|_| {
            tokio::spawn(async move {
                let mut client = RawClient::connect(address).await;
                client.send("GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n").await;
                client.response().await.status
            })
        })
        .collect();
    for client in clients {
        assert_eq!(client.await.expect("the client task ends"), 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_bytes_are_refused_without_a_panic() {
    let service = Sandbox::sqlite().serve(&["--max-connections", "8", "--header-timeout", "5"]);
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
        let mut client = RawClient::connect(service.address).await;
        client.send(bytes).await;
        // Some input is answered; for other input the service waits for more. The client closes in both cases.
        if let Some(response) = client.response_within(Duration::from_millis(5)).await {
            let refused = (400..500).contains(&response.status);
            assert!(refused || response.status == 200, "{response:?} to {}", bytes.escape_ascii());
        }
    }
    assert_eq!(RawClient::connect(service.address).await.get("/healthz").await.status, 200);
    let log = service.stop();
    assert!(!log.contains("panicked"), "{log}");
}

/// Two content lengths are used to smuggle requests past a proxy.
#[tokio::test(flavor = "multi_thread")]
async fn body_with_two_content_lengths_is_refused() {
    let test = TestService::start(Sandbox::sqlite(), &[]).await;
    let smuggled = "GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n";
    for lengths in [
        format!("Content-Length: 0\r\nContent-Length: {}", smuggled.len()),
        format!("Content-Length: {}, 0", smuggled.len()),
    ] {
        let mut client = RawClient::connect(test.service.address).await;
        client.send(test.create_head(&lengths) + smuggled).await;
        let response = client.response().await;
        assert_eq!(response.status, 400, "{lengths}: {response:?}");
        client.read_to_close().await;
    }
}
