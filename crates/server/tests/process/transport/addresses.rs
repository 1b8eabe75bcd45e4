//! Addresses of clients: how many connections each may have, and what trusted proxies tell.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use serde_json::json;
use tokio::net::TcpSocket;

use crate::support::{RawClient, Sandbox, TestService, eventually};

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

#[tokio::test(flavor = "multi_thread")]
async fn only_trusted_proxies_tell_the_address_of_the_client() {
    let arguments = ["--trusted-proxies", "127.0.0.9,10.0.0.0/8", "--max-connections-per-address", "2"];
    let test = TestService::start(Sandbox::sqlite(), &arguments).await;
    let admin = test.admin();
    let key =
        admin.create_key("acme", &json!({"label": "office", "allowed_networks": ["203.0.113.0/24"]})).await;
    let (secret, key_id) =
        (key["api_key"].as_str().expect("a secret"), key["key_id"].as_str().expect("an id"));
    let list = |headers: &str| {
        format!(
            "GET /mcp/v1/tools HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer {secret}\r\n{headers}\r\n\r\n"
        )
    };
    // Several requests on one connection are of several clients.
    let mut proxy = connect_from(9, test.service.address).await;
    for (headers, seen) in [
        ("X-Forwarded-For: 203.0.113.7", None),
        ("X-Forwarded-For: 203.0.113.7, 198.51.100.1", Some("198.51.100.1")),
        ("X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: 203.0.113.8, 10.1.1.1", None),
        ("Forwarded: for=\"[2001:db8::1]:80\";proto=https", Some("2001:db8::1")),
        ("Forwarded: for=203.0.113.7\r\nX-Forwarded-For: 198.51.100.1", Some("127.0.0.9")),
        ("X-Forwarded-For: unknown", Some("127.0.0.9")),
        ("X-MCP-Client: agent/1\r\nForwarded: for=198.51.100.1, for=203.0.113.9", None),
    ] {
        proxy.send(list(headers)).await;
        let response = proxy.response().await;
        match seen {
            None => assert_eq!(response.status, 200, "{headers}: {response:?}"),
            Some(seen) => {
                let body = response.json();
                assert_eq!(
                    (response.status, &body["code"]),
                    (403, &json!("address_not_allowed")),
                    "{headers}"
                );
                let detail = body["detail"].as_str().expect("a detail");
                assert!(detail.contains(&format!("came from {seen},")), "{headers}: {detail}");
            }
        }
    }
    let mut other = connect_from(8, test.service.address).await;
    other.send(list("X-Forwarded-For: 203.0.113.7\r\nForwarded: for=203.0.113.7")).await;
    let refused = other.response().await;
    assert_eq!(refused.status, 403);
    assert!(
        refused.json()["detail"].as_str().is_some_and(|detail| detail.contains("127.0.0.8")),
        "{refused:?}"
    );
    eventually("the last use of the key", async || {
        let shown = admin.get(&format!("/api/brands/acme/mcp-keys/{key_id}")).await.expect_status(200).json();
        let last_use = (&shown["last_used_ip"], &shown["last_used_client"]);
        (last_use == (&json!("203.0.113.9"), &json!("agent/1"))).then_some(())
    })
    .await;
    // A proxy has the connections of many clients.
    let mut open = Vec::new();
    for _ in 0..5 {
        let mut client = connect_from(9, test.service.address).await;
        assert_eq!(client.get("/healthz").await.status, 200);
        open.push(client);
    }
}
