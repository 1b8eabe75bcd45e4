//! The limit: a bare axum server that gives one recorded answer and checks nothing.
//!
//! Runtime, accept loop and HTTP settings are those of `crates/server/src/http/{serve,connection}.rs`, with what axum,
//! hyper and Rust bring along: hyper's usual timer, the router, the system's allocator. `axum::serve` itself, which gives a
//! client all the time it wants, measured 0 to 4 % faster than this.

use std::{fs, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::Response,
    routing::{get, post},
};
use bytes::Bytes;
use clap::Parser;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

#[derive(Parser)]
struct Args {
    #[arg(long)]
    listen: SocketAddr,
    /// The answer as it came from the wire: status line, headers, an empty line, body
    #[arg(long)]
    answer: PathBuf,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    fn read(wire: Vec<u8>) -> Self {
        let wire = Bytes::from(wire);
        let end = wire.windows(4).position(|four| four == b"\r\n\r\n").expect("an empty line ends the head");
        let head = std::str::from_utf8(&wire[..end]).expect("a head in ASCII");
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a status line");
        // These two hyper writes itself.
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

    fn give(&self) -> Response {
        let mut response = Response::new(Body::from(self.body.clone()));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers.clone();
        response
    }
}

async fn list(State(answer): State<Arc<Answer>>) -> Response {
    answer.give()
}

async fn call(State(answer): State<Arc<Answer>>, _read: Bytes) -> Response {
    answer.give()
}

fn main() {
    let args = Args::parse();
    let answer = Arc::new(Answer::read(fs::read(&args.answer).expect("the answer's file")));
    let router = Router::new()
        .route("/mcp/v1/tools", get(list))
        .route("/mcp/v1/tools/call", post(call))
        .with_state(answer);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind(args.listen).await.expect("a free address");
        loop {
            if let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                tokio::spawn(serve(stream, router.clone()));
            }
        }
    });
}

async fn serve(stream: TcpStream, router: Router) {
    let service = router.map_request(|request: Request<Incoming>| request.map(Body::new));
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(15))
        .max_buf_size(32 * 1024)
        .max_headers(64)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
        .await;
}
