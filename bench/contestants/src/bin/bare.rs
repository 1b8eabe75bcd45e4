//! The limit; see `contestants::bare`. With the system's allocator, as Rust brings it along.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use axum::{
    Router,
    extract::State,
    response::Response,
    routing::{get, post},
};
use bytes::Bytes;
use clap::Parser;
use contestants::bare::{Answer, serve};

#[derive(Parser)]
struct Args {
    #[arg(long)]
    listen: SocketAddr,
    #[arg(long)]
    answer: PathBuf,
}

async fn list(State(answer): State<Arc<Answer>>) -> Response {
    answer.give()
}

async fn call(State(answer): State<Arc<Answer>>, _read: Bytes) -> Response {
    answer.give()
}

#[tokio::main]
async fn main() {
    let args = Args::parse();
    let router = Router::new()
        .route("/mcp/v1/tools", get(list))
        .route("/mcp/v1/tools/call", post(call))
        .with_state(Arc::new(Answer::read(&args.answer)));
    serve(router, args.listen).await;
}
