//! The upper limit of `list_posts`: the bare server runs the query and then sends its recorded answer. It checks no key and
//! serializes no rows. It uses the service's allocator, like `query`.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::post};
use bytes::Bytes;
use clap::Parser;
use contestants::{
    bare::{Answer, serve},
    queries::{Queries, QueryArgs},
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
    query: QueryArgs,
}

async fn call(State(bare): State<Arc<(Answer, Queries)>>, _read: Bytes) -> Response {
    let (answer, queries) = &*bare;
    queries.next().await;
    answer.response()
}

#[tokio::main]
async fn main() {
    let args = Args::parse();
    let bare = (Answer::read(&args.answer), Queries::open(args.query).await);
    let router = Router::new().route("/mcp/v1/tools/call", post(call)).with_state(Arc::new(bare));
    serve(router, args.listen).await;
}
