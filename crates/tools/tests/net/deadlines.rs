//! One timeout covers a whole request, however slow the server is.

use std::{io, net::IpAddr, sync::Arc, time::Duration};

use svc_mcp_tools::net::{DnsResolver, Guard, Limits, NetError, Outbound, Request, Response};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::servers::{Server, redirect};

async fn get(server: &Server, scheme: &str) -> Result<Response, NetError> {
    let limits = Limits { timeout: Duration::from_millis(300), max_redirects: u8::MAX, ..Limits::default() };
    let url = format!("{scheme}://{}/", server.authority()).parse().unwrap();
    server.outbound().send(Request { limits, ..Request::get(url) }).await
}

/// Sends the text, and then single bytes with pauses, forever.
async fn trickle(mut stream: TcpStream, head: &'static str) {
    let mut sent = stream.write_all(head.as_bytes()).await;
    while sent.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
        sent = stream.write_all(b"x").await;
    }
}

#[tokio::test]
async fn slow_response_ends_with_the_timeout() {
    for head in [
        // Slow before the head, in the head, in a body with and without a length, and in a chunk.
        "",
        "HTTP/1.1 200 OK\r\nX-Slow: ",
        "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n",
    ] {
        let stalled = Server::serving(move |_, mut stream| async move {
            stream.write_all(head.as_bytes()).await.unwrap();
            std::future::pending::<()>().await;
        })
        .await;
        assert_eq!(get(&stalled, "http").await, Err(NetError::Timeout), "stalled after {head:?}");
        if !head.is_empty() {
            let slow = Server::serving(move |_, stream| trickle(stream, head)).await;
            assert_eq!(get(&slow, "http").await, Err(NetError::Timeout), "slow after {head:?}");
        }
    }
}

#[tokio::test]
async fn slow_tls_handshake_ends_with_the_timeout() {
    let silent = Server::raw(|mut stream| async move {
        let mut sink = Vec::new();
        let _ = stream.read_to_end(&mut sink).await;
    })
    .await;
    assert_eq!(get(&silent, "https").await, Err(NetError::Timeout));
}

#[tokio::test]
async fn all_redirects_share_one_timeout() {
    let count = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let server = Server::serving(move |_, mut stream| {
        let at = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let _ = stream.write_all(&redirect("302 Found", &format!("/{at}"))).await;
        }
    })
    .await;
    assert_eq!(get(&server, "http").await, Err(NetError::Timeout));
    assert!(server.connections() > 1);
}

struct SilentResolver;

#[async_trait::async_trait]
impl DnsResolver for SilentResolver {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn silent_name_server_ends_with_the_timeout() {
    let outbound = Outbound::with_resolver(Guard::strict(), Arc::new(SilentResolver)).unwrap();
    let limits = Limits { timeout: Duration::from_millis(100), ..Limits::default() };
    let request = Request { limits, ..Request::get("http://slow.example/".parse().unwrap()) };
    assert_eq!(outbound.send(request).await, Err(NetError::Timeout));
}
