//! The limit of `list_posts`: the bare server, which here runs the query too before it gives its recorded answer. It
//! checks no key, and writes nothing of what it has read. With the service's allocator, as the query alone.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::post};
use bytes::Bytes;
use clap::Parser;
use contestants::{
    bare::{Answer, serve},
    queries::{Queries, Wanted},
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
struct Args {
    #[arg(long)]
    listen: SocketAddr,
    #[arg(long)]
    answer: PathBuf,
    #[command(flatten)]
    wanted: Wanted,
}

async fn call(State(bare): State<Arc<(Answer, Queries)>>, _read: Bytes) -> Response {
    let (answer, queries) = &*bare;
    queries.next().await;
    answer.give()
}

#[tokio::main]
async fn main() {
    let args = Args::parse();
    let bare = (Answer::read(&args.answer), Queries::open(args.wanted).await);
    let router = Router::new().route("/mcp/v1/tools/call", post(call)).with_state(Arc::new(bare));
    serve(router, args.listen).await;
}
