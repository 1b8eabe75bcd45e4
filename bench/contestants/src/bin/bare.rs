//! The upper limit: see `contestants::bare`. It uses Rust's default allocator.

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
    answer.response()
}

async fn call(State(answer): State<Arc<Answer>>, _read: Bytes) -> Response {
    answer.response()
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
