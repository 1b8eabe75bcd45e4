//! What the query of `list_posts` gets through the store alone, asked for by as many tasks as the load generator has
//! connections.
//!
//! It takes turns with the servers (`load --alone`): told over a connection how many queries are a turn, it runs them and
//! says how long half of them and ninety-nine in a hundred took, in microseconds.

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
    queries::{Queries, Wanted},
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
    wanted: Wanted,
    #[arg(long)]
    tasks: usize,
}

#[tokio::main]
async fn main() {
    let args = Args::parse();
    let queries = Arc::new(Queries::open(args.wanted).await);
    let listener = TcpListener::bind(args.listen).await.expect("a free address");
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        let mut stream = BufReader::new(stream);
        let mut asked = String::new();
        while stream.read_line(&mut asked).await.is_ok_and(|read| read > 0) {
            let mut micros = turn(&queries, args.tasks, asked.trim().parse().expect("a number")).await;
            micros.sort_unstable();
            let told = format!("{} {}\n", percentile(&micros, 0.5), percentile(&micros, 0.99));
            stream.write_all(told.as_bytes()).await.expect("who asked listens");
            asked.clear();
        }
    }
}

/// Gives how long each query took, in microseconds.
async fn turn(queries: &Arc<Queries>, tasks: usize, requests: usize) -> Vec<u32> {
    let begun = Arc::new(AtomicUsize::new(0));
    let one_after_another = || until(Arc::clone(queries), Arc::clone(&begun), requests);
    let tasks: Vec<_> = (0..tasks).map(|_| tokio::spawn(one_after_another())).collect();
    let mut all = Vec::new();
    for task in tasks {
        all.append(&mut task.await.expect("a task that ends"));
    }
    all
}

/// Takes the next query again and again until all tasks together have begun so many.
async fn until(queries: Arc<Queries>, begun: Arc<AtomicUsize>, requests: usize) -> Vec<u32> {
    let mut micros = Vec::new();
    while begun.fetch_add(1, Ordering::Relaxed) < requests {
        let started = Instant::now();
        queries.next().await;
        micros.push(u32::try_from(started.elapsed().as_micros()).unwrap_or(u32::MAX));
    }
    micros
}
