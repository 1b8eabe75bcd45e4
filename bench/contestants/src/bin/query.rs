//! The query of `list_posts` through the store, without HTTP. As many tasks run it as the load generator has connections.
//!
//! It takes turns with the servers (`load --query`): it reads a line with the number of queries, runs them, and answers
//! with the 50th and 99th percentile of their time in microseconds.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use clap::Parser;
use contestants::{
    percentile,
    queries::{Queries, QueryArgs},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpListener,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
struct Args {
    #[arg(long)]
    listen: SocketAddr,
    #[command(flatten)]
    query: QueryArgs,
    #[arg(long)]
    tasks: usize,
}

#[tokio::main]
async fn main() {
    let args = Args::parse();
    let queries = Arc::new(Queries::open(args.query).await);
    let listener = TcpListener::bind(args.listen).await.expect("a free address");
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        while stream.read_line(&mut line).await.is_ok_and(|read| read > 0) {
            let mut micros =
                run_turn(&queries, args.tasks, line.trim().parse().expect("the number of queries")).await;
            micros.sort_unstable();
            let percentiles = format!("{} {}\n", percentile(&micros, 0.5), percentile(&micros, 0.99));
            if stream.write_all(percentiles.as_bytes()).await.is_err() {
                break;
            }
            line.clear();
        }
    }
}

/// The time of each query, in microseconds.
async fn run_turn(queries: &Arc<Queries>, tasks: usize, requests: usize) -> Vec<u32> {
    let begun = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..tasks)
        .map(|_| tokio::spawn(run_queries(Arc::clone(queries), Arc::clone(&begun), requests)))
        .collect();
    let mut all = Vec::new();
    for task in tasks {
        all.append(&mut task.await.expect("a task panicked"));
    }
    all
}

/// Runs one query after the other until all tasks together have begun `requests`.
async fn run_queries(queries: Arc<Queries>, begun: Arc<AtomicUsize>, requests: usize) -> Vec<u32> {
    let mut micros = Vec::new();
    while begun.fetch_add(1, Ordering::Relaxed) < requests {
        let started = Instant::now();
        queries.next().await;
        micros.push(u32::try_from(started.elapsed().as_micros()).unwrap_or(u32::MAX));
    }
    micros
}
