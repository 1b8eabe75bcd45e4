//! Clients that send requests and never read the responses.

use std::net::SocketAddr;

use svc_mcp_testkit::{free_port, raw_get};
use tokio::net::TcpSocket;

use crate::support::{RawClient, Sandbox, Service, WAIT_TIMEOUT, eventually};

const REQUEST: &str = "GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n";

/// A service whose write timeout is the only one that passes during a test, and the address of its metrics.
fn start() -> (Service, SocketAddr) {
    let metrics: SocketAddr = ([127, 0, 0, 1], free_port()).into();
    let arguments =
        ["--write-timeout", "2", "--header-timeout", "3600", "--metrics-listen", &metrics.to_string()];
    (Sandbox::sqlite().serve(&arguments), metrics)
}

/// Waits until the service has answered a request, and then until it has closed the connection.
async fn wait_until_cut_off(metrics: SocketAddr) {
    let has_line = async |matches: &dyn Fn(&str) -> bool| {
        let (_, text) = raw_get(metrics, "/metrics").await?;
        text.lines().any(matches).then_some(())
    };
    let is_answered =
        |line: &str| line.starts_with("svc_mcp_requests_total{") && line.contains("/openapi.json");
    eventually("a response", async || has_line(&is_answered).await).await;
    // The one that is left is the connection that asks for the metrics.
    eventually("the end of the connection", async || {
        has_line(&|line: &str| line == "svc_mcp_connections 1").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn client_that_never_reads_large_responses_is_cut_off() {
    let (service, metrics) = start();
    // Together larger than the buffers of both sockets.
    let count = 1000;
    let mut client = RawClient::connect(service.address).await;
    client.send(REQUEST.repeat(count)).await;
    wait_until_cut_off(metrics).await;
    let mut received = 0;
    while client.response_within(WAIT_TIMEOUT).await.is_some() {
        received += 1;
    }
    assert!(received < count, "all responses were sent");
    assert_eq!(RawClient::connect(service.address).await.get("/healthz").await.status, 200);
}

/// The service has written the whole response, and the kernel holds the part that the client's buffer does not take.
#[tokio::test(flavor = "multi_thread")]
async fn client_that_never_reads_a_small_response_is_cut_off() {
    let (service, metrics) = start();
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut client = RawClient::from(socket.connect(service.address).await.expect("a connection"));
    client.send(REQUEST).await;
    wait_until_cut_off(metrics).await;
    assert!(client.response_within(WAIT_TIMEOUT).await.is_none(), "the whole response was sent");
}
