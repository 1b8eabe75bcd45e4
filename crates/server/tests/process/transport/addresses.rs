//! More connections from one address than it may have.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

use crate::support::{RawClient, Sandbox, eventually};

/// A client with another address of this machine: 127.0.0.`last`.
async fn connect_from(last: u8, service: SocketAddr) -> RawClient {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket
        .bind((IpAddr::from(Ipv4Addr::new(127, 0, 0, last)), 0).into())
        .expect("an address of this machine");
    RawClient::from(socket.connect(service).await.expect("a connection"))
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_of_one_address_are_limited() {
    let service = Sandbox::sqlite().serve(&["--max-connections-per-address", "2"]);
    let mut open = Vec::new();
    for last in [2, 2, 3, 3] {
        let mut client = connect_from(last, service.address).await;
        assert_eq!(client.get("/healthz").await.status, 200);
        open.push(client);
    }
    for last in [2, 3] {
        let mut refused = connect_from(last, service.address).await;
        assert_eq!(refused.read_to_close().await, b"", "127.0.0.{last} has two connections already");
    }
    for client in &mut open {
        assert_eq!(client.get("/healthz").await.status, 200, "open connections are served");
    }
    open.remove(0);
    eventually("a connection after another one was closed", async || {
        let mut client = connect_from(2, service.address).await;
        client.try_get("/healthz").await.filter(|response| response.status == 200)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn local_addresses_are_not_limited_by_default() {
    for arguments in [&["--max-connections", "8"][..], &["--max-connections-per-address", "0"]] {
        let service = Sandbox::sqlite().serve(arguments);
        let mut open = Vec::new();
        for _ in 0..6 {
            let mut client = RawClient::connect(service.address).await;
            assert_eq!(client.get("/healthz").await.status, 200);
            open.push(client);
        }
    }
}
