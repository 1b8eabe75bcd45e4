use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use crate::supervised::{Supervised, free_port, wait_until};

/// A Redis server of this test process.
#[derive(Debug)]
pub struct Redis {
    port: u16,
    databases: AtomicU32,
    _server: Supervised,
}

impl Redis {
    /// The one that all tests of this process share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Redis> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// One of one's own, to be stopped or emptied.
    pub fn start() -> Self {
        Self::start_on(free_port())
    }

    pub fn start_on(port: u16) -> Self {
        let port_text = port.to_string();
        let server = Supervised::start(
            "redis-server",
            &[
                "--port",
                &port_text,
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--databases",
                "10000",
            ],
            "",
        );
        let started = Self { port, databases: AtomicU32::new(0), _server: server };
        wait_until("Redis's start", || started.answers());
        started
    }

    /// The address of a database nobody has used.
    pub fn fresh_database(&self) -> String {
        format!("redis://127.0.0.1:{}/{}", self.port, self.databases.fetch_add(1, Ordering::SeqCst))
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    fn answers(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return false };
        let mut answer = [0; 5];
        stream.write_all(b"PING\r\n").is_ok() && stream.read_exact(&mut answer).is_ok() && &answer == b"+PONG"
    }
}
