//! Servers whose responses are set byte by byte.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use svc_mcp_tools::net::{Guard, Outbound};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use url::Url;

type Requests = Arc<Mutex<Vec<String>>>;

/// Reads one request for each connection and lets the test write the response.
pub(crate) struct Server {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Requests,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Responds to each request with the bytes that `answer` returns, and closes the connection.
    pub(crate) async fn answering(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let answer = Arc::new(answer);
        Self::serving(move |request, mut stream| {
            let answer = Arc::clone(&answer);
            async move {
                let _ = stream.write_all(&answer(&request)).await;
                let _ = stream.shutdown().await;
            }
        })
        .await
    }

    /// Gives the test the connection after the request was read.
    pub(crate) async fn serving<F, W>(work: F) -> Self
    where
        F: Fn(String, TcpStream) -> W + Send + Sync + 'static,
        W: Future<Output = ()> + Send + 'static,
    {
        let work = Arc::new(work);
        Self::accepting(move |mut stream, noted| {
            let work = Arc::clone(&work);
            async move {
                let Some(request) = read_request(&mut stream).await else { return };
                noted.lock().unwrap().push(request.clone());
                work(request, stream).await;
            }
        })
        .await
    }

    /// Gives the test the accepted connection.
    pub(crate) async fn raw<F, W>(work: F) -> Self
    where
        F: Fn(TcpStream) -> W + Send + Sync + 'static,
        W: Future<Output = ()> + Send + 'static,
    {
        Self::accepting(move |stream, _| work(stream)).await
    }

    async fn accepting<F, W>(work: F) -> Self
    where
        F: Fn(TcpStream, Requests) -> W + Send + Sync + 'static,
        W: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Requests::default();
        let (counted, noted) = (Arc::clone(&connections), Arc::clone(&requests));
        let task = tokio::spawn(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                counted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(work(stream, Arc::clone(&noted)));
            }
        });
        Self { address, connections, requests, task }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn authority(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn url(&self, path: &str) -> Url {
        format!("http://{}{path}", self.address).parse().unwrap()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// The text of every request, in order.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// A client that may reach this server and public ones.
    pub(crate) fn outbound(&self) -> Outbound {
        Outbound::new(Guard::allowing([self.authority()]).unwrap()).unwrap()
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut read = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(text);
            }
        }
        if stream.read_buf(&mut read).await.ok()? == 0 {
            return None;
        }
    }
}

/// A response with a `Content-Length`.
pub(crate) fn answer(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let headers: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{}\r\n",
        headers.concat()
    );
    [head.as_bytes(), body].concat()
}

pub(crate) fn redirect(status: &str, to: &str) -> Vec<u8> {
    answer(status, &[("Location", to)], b"")
}

pub(crate) fn path(request: &str) -> &str {
    request.split(' ').nth(1).unwrap_or_default()
}
