//! The upper limit: a bare axum server that sends one recorded answer and checks nothing.
//!
//! Runtime, accept loop and HTTP settings are those of the service, with axum's router and hyper's timer. `axum::serve`,
//! which has no header timeout, measured 0 to 4 % faster than this.

use std::{fs, net::SocketAddr, path::Path, time::Duration};

use axum::{Router, body::Body, extract::Request, response::Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

/// A recorded response: status line, headers, an empty line, body.
pub struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    pub fn read(file: &Path) -> Self {
        let wire = Bytes::from(fs::read(file).expect("the answer's file"));
        let end = wire.windows(4).position(|four| four == b"\r\n\r\n").expect("an empty line ends the head");
        let head = std::str::from_utf8(&wire[..end]).expect("a head in ASCII");
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a status line");
        // hyper writes these two.
        let headers = lines
            .map(|line| line.split_once(": ").expect("a header"))
            .filter(|(name, _)| !["content-length", "date"].contains(name));
        Self {
            status: status.parse().expect("a status"),
            headers: headers
                .map(|(name, value)| {
                    let name: HeaderName = name.parse().expect("a header's name");
                    (name, HeaderValue::from_str(value).expect("a header's value"))
                })
                .collect(),
            body: wire.slice(end + 4..),
        }
    }

    pub fn response(&self) -> Response {
        let mut response = Response::new(Body::from(self.body.clone()));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers.clone();
        response
    }
}

/// Serves these routes until the process ends.
pub async fn serve(router: Router, address: SocketAddr) {
    let listener = TcpListener::bind(address).await.expect("a free address");
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            let _ = stream.set_nodelay(true);
            tokio::spawn(serve_connection(stream, router.clone()));
        }
    }
}

async fn serve_connection(stream: TcpStream, router: Router) {
    let service = router.map_request(|request: Request<Incoming>| request.map(Body::new));
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(15))
        .max_buf_size(32 * 1024)
        .max_headers(64)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
        .await;
}
