//! An HTTP client that sends raw bytes.

use std::{net::SocketAddr, time::Duration};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::WAIT_TIMEOUT;

#[derive(Debug)]
pub(crate) struct RawClient {
    stream: TcpStream,
    /// Bytes that were read after the last response.
    buffer: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct RawResponse {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl RawResponse {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

impl From<TcpStream> for RawClient {
    fn from(stream: TcpStream) -> Self {
        Self { stream, buffer: Vec::new() }
    }
}

impl RawClient {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        TcpStream::connect(address).await.expect("a connection to the service").into()
    }

    /// Sends bytes. Errors are ignored, because the service may have closed the connection.
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = timeout(WAIT_TIMEOUT, self.stream.write_all(bytes.as_ref()))
            .await
            .expect("the service reads in time");
    }

    /// Sends a `GET` on a connection that stays open.
    pub(crate) async fn get(&mut self, path: &str) -> RawResponse {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n")).await;
        self.response().await
    }

    /// The same. `None`: the service closes the connection.
    pub(crate) async fn try_get(&mut self, path: &str) -> Option<RawResponse> {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n")).await;
        self.response_within(WAIT_TIMEOUT).await
    }

    pub(crate) async fn response(&mut self) -> RawResponse {
        let response = timeout(WAIT_TIMEOUT, self.read_response(false)).await.expect("a response in time");
        response.unwrap_or_else(|| panic!("no response, but {:?}", String::from_utf8_lossy(&self.buffer)))
    }

    /// The response to `HEAD`: it has no body, even with a content length.
    pub(crate) async fn response_to_head(&mut self) -> RawResponse {
        let response = timeout(WAIT_TIMEOUT, self.read_response(true)).await.expect("a response in time");
        response.expect("a response")
    }

    /// The next response if it arrives within this time.
    pub(crate) async fn response_within(&mut self, limit: Duration) -> Option<RawResponse> {
        timeout(limit, self.read_response(false)).await.ok().flatten()
    }

    /// Waits until the service closes the connection, and returns the bytes it sent before.
    pub(crate) async fn read_to_close(&mut self) -> Vec<u8> {
        assert!(self.closes_within(WAIT_TIMEOUT).await, "the connection is not closed");
        std::mem::take(&mut self.buffer)
    }

    /// Whether the service closes the connection within this time.
    pub(crate) async fn closes_within(&mut self, limit: Duration) -> bool {
        let read = async { while self.read_more().await {} };
        timeout(limit, read).await.is_ok()
    }

    async fn read_response(&mut self, only_head: bool) -> Option<RawResponse> {
        let head_length = loop {
            if let Some(at) = self.buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break at + 4;
            }
            if !self.read_more().await {
                return None;
            }
        };
        let head: Vec<u8> = self.buffer.drain(..head_length).collect();
        let head = String::from_utf8(head).expect("the head is ASCII");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let mut response = RawResponse { status, head, body: Vec::new() };
        let length = response.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        while !only_head && self.buffer.len() < length {
            if !self.read_more().await {
                return None;
            }
        }
        if !only_head {
            response.body = self.buffer.drain(..length).collect();
        }
        Some(response)
    }

    /// Reads more bytes. `false`: the connection is closed or reset.
    async fn read_more(&mut self) -> bool {
        self.buffer.reserve(16 * 1024);
        self.stream.read_buf(&mut self.buffer).await.is_ok_and(|read| read > 0)
    }
}
