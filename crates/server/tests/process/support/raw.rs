//! Bytes on a connection, for clients that do not behave.

use std::{net::SocketAddr, time::Duration};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::LONG;

#[derive(Debug)]
pub(crate) struct Raw {
    stream: TcpStream,
    /// Read, and not yet part of an answer.
    ahead: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct RawAnswer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl RawAnswer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

impl Raw {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("a connection");
        Self { stream, ahead: Vec::new() }
    }

    /// Sends all of it, as far as the other side takes it: it may have answered and hung up already.
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = timeout(LONG, self.stream.write_all(bytes.as_ref())).await.expect("it takes bytes");
    }

    /// A `GET` that leaves the connection open.
    pub(crate) async fn get(&mut self, path: &str) -> RawAnswer {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n")).await;
        self.answer().await
    }

    /// The next answer.
    pub(crate) async fn answer(&mut self) -> RawAnswer {
        let answer = timeout(LONG, self.read_answer(false)).await.expect("an answer in time");
        answer.unwrap_or_else(|| panic!("no answer, but {:?}", String::from_utf8_lossy(&self.ahead)))
    }

    /// The next answer, which has no body however long it says that is.
    pub(crate) async fn answer_to_head(&mut self) -> RawAnswer {
        timeout(LONG, self.read_answer(true)).await.expect("an answer in time").expect("an answer")
    }

    /// The next answer if it comes within this time.
    pub(crate) async fn answer_within(&mut self, patience: Duration) -> Option<RawAnswer> {
        timeout(patience, self.read_answer(false)).await.ok().flatten()
    }

    /// Waits until the other side hangs up, and gives what it said before.
    pub(crate) async fn end(&mut self) -> Vec<u8> {
        let reading = async { while self.read_more().await {} };
        timeout(LONG, reading).await.expect("the connection is closed in time");
        std::mem::take(&mut self.ahead)
    }

    /// Whether the other side has hung up, waiting so long at most.
    pub(crate) async fn ends_within(&mut self, patience: Duration) -> bool {
        let reading = async { while self.read_more().await {} };
        timeout(patience, reading).await.is_ok()
    }

    async fn read_answer(&mut self, only_head: bool) -> Option<RawAnswer> {
        let head_length = loop {
            if let Some(at) = self.ahead.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break at + 4;
            }
            if !self.read_more().await {
                return None;
            }
        };
        let head: Vec<u8> = self.ahead.drain(..head_length).collect();
        let head = String::from_utf8(head).expect("a head is ASCII");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let mut answer = RawAnswer { status, head, body: Vec::new() };
        let length = answer.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        while !only_head && self.ahead.len() < length {
            if !self.read_more().await {
                return None;
            }
        }
        if !only_head {
            answer.body = self.ahead.drain(..length).collect();
        }
        Some(answer)
    }

    /// Reads on. `false` where there is no more: the connection is closed or reset.
    async fn read_more(&mut self) -> bool {
        self.ahead.reserve(16 * 1024);
        self.stream.read_buf(&mut self.ahead).await.is_ok_and(|read| read > 0)
    }
}
