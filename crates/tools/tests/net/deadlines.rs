//! Servers that take their time: one deadline holds for all of a request.

use std::{io, net::IpAddr, sync::Arc, time::Duration};

use svc_mcp_tools::net::{Answer, Guard, Limits, Names, NetError, Outbound, Request};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::servers::{Server, redirect};

async fn get(server: &Server, scheme: &str) -> Result<Answer, NetError> {
    let limits = Limits { time: Duration::from_millis(300), redirects: u8::MAX, ..Limits::default() };
    let url = format!("{scheme}://{}/", server.authority()).parse().unwrap();
    server.outbound().send(Request { limits, ..Request::get(url) }).await
}

/// Sends the text and then one byte after the other, each after a while, for ever.
async fn trickle(mut stream: TcpStream, head: &'static str) {
    let mut sent = stream.write_all(head.as_bytes()).await;
    while sent.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
        sent = stream.write_all(b"x").await;
    }
}

#[tokio::test]
async fn no_slowness_outlasts_the_deadline() {
    for head in [
        // Silent, in the head, after it, in the body, in a chunk's length.
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
async fn a_handshake_that_does_not_end_is_no_exception() {
    let silent = Server::raw(|mut stream| async move {
        let mut sink = Vec::new();
        let _ = stream.read_to_end(&mut sink).await;
    })
    .await;
    assert_eq!(get(&silent, "https").await, Err(NetError::Timeout));
}

#[tokio::test]
async fn all_redirects_share_one_deadline() {
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

struct NoAnswer;

#[async_trait::async_trait]
impl Names for NoAnswer {
    async fn addresses_of(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_name_server_that_does_not_answer_is_no_exception() {
    let outbound = Outbound::with_names(Guard::strict(), Arc::new(NoAnswer)).unwrap();
    let limits = Limits { time: Duration::from_millis(100), ..Limits::default() };
    let request = Request { limits, ..Request::get("http://slow.example/".parse().unwrap()) };
    assert_eq!(outbound.send(request).await, Err(NetError::Timeout));
}
