//! Requests whose bodies arrive almost completely, and then stop.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::requests::BODY_BYTES;

/// Shared by all connections.
static SENT: [u8; BODY_BYTES - 1000] = [b' '; BODY_BYTES - 1000];
/// The status is in the first bytes of a response.
const STATUS_BYTES: usize = 64;

/// Sends a call without the end of its body, and waits for the response. Returns its status; 0: no response.
pub(super) async fn send_slow_body(address: SocketAddr, key: &str) -> u16 {
    exchange(address, key).await.unwrap_or(0)
}

async fn exchange(address: SocketAddr, key: &str) -> Option<u16> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let head = format!(
        "POST /mcp/v1/tools/call HTTP/1.1\r\nHost: hostile\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {BODY_BYTES}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.ok()?;
    let (mut reader, mut writer) = stream.split();
    // The service may answer before it reads the body.
    let send = async {
        let _ = writer.write_all(&SENT).await;
        std::future::pending::<()>().await;
    };
    let receive = async {
        let mut response = vec![0; STATUS_BYTES];
        let length = reader.read(&mut response).await.ok()?;
        String::from_utf8_lossy(&response[..length]).split(' ').nth(1)?.parse().ok()
    };
    tokio::select! {
        () = send => None,
        status = receive => status,
    }
}
