use std::{
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use crate::{ServerCertificate, ServerProcess, free_port};

/// A Redis server for this test process.
#[derive(Debug)]
pub struct Redis {
    port: u16,
    databases: AtomicU32,
    _server: ServerProcess,
}

impl Redis {
    /// One server for all tests of this process.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Redis> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// A server for one test, which may stop or empty it.
    pub fn start() -> Self {
        Self::start_on(free_port())
    }

    /// A server that accepts only TLS and this password.
    pub fn start_with_tls(certificate: &ServerCertificate, password: &str) -> Self {
        let port = free_port();
        let mut arguments = tls_arguments(certificate, password, port);
        arguments.extend(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"].map(str::to_owned));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut server = ServerProcess::start("redis-server", &arguments, "");
        server.wait_until_ready(|| TcpStream::connect(("127.0.0.1", port)).is_ok());
        Self { port, databases: AtomicU32::new(0), _server: server }
    }

    pub fn start_on(port: u16) -> Self {
        let port_text = port.to_string();
        let mut server = ServerProcess::start(
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
        server.wait_until_ready(|| responds_to_ping(port));
        Self { port, databases: AtomicU32::new(0), _server: server }
    }

    /// The URL of an unused database.
    pub fn fresh_database(&self) -> String {
        format!("redis://127.0.0.1:{}/{}", self.port, self.databases.fetch_add(1, Ordering::SeqCst))
    }

    pub fn port(&self) -> u16 {
        self.port
    }
}

/// The arguments of a server that accepts only TLS and this password.
pub(crate) fn tls_arguments(certificate: &ServerCertificate, password: &str, port: u16) -> Vec<String> {
    let path = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    [
        ("--port", "0".to_owned()),
        ("--tls-port", port.to_string()),
        ("--tls-cert-file", path(&certificate.certificate_file)),
        ("--tls-key-file", path(&certificate.key_file)),
        ("--tls-ca-cert-file", path(&certificate.ca_file)),
        ("--tls-auth-clients", "no".to_owned()),
        ("--requirepass", password.to_owned()),
    ]
    .into_iter()
    .flat_map(|(name, value)| [name.to_owned(), value])
    .collect()
}

fn responds_to_ping(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let mut reply = [0; 5];
    stream.write_all(b"PING\r\n").is_ok() && stream.read_exact(&mut reply).is_ok() && &reply == b"+PONG"
}
