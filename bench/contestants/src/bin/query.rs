//! What the query of `list_posts` gets through the store alone, without HTTP, key and tool: a page of each brand in
//! turn, asked for by as many tasks as the load generator has connections.
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
use contestants::{brand_name, location, percentile};
use svc_mcp_access::{BrandId, Entropy};
use svc_mcp_store::{Store, ToolRecords};
use svc_mcp_tools::{Records, posts::PostFilter};
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
    /// postgres://… or the path of a SQLite file
    #[arg(long)]
    database: String,
    #[arg(long)]
    brands: usize,
    #[arg(long)]
    limit: u32,
    #[arg(long)]
    tasks: usize,
}

struct Queries {
    records: Arc<dyn Records>,
    brands: Box<[BrandId]>,
    limit: u32,
    /// How many were begun, in all turns.
    begun: AtomicUsize,
}

#[tokio::main]
async fn main() {
    let args = Args::parse();
    let store = Store::open(&location(&args.database), None).await.expect("a store");
    let entropy = Entropy::new(|_| unreachable!("reading needs no randomness"));
    let queries = Arc::new(Queries {
        records: Arc::new(ToolRecords { store, entropy }),
        brands: (0..args.brands).map(|brand| brand_name(brand).parse().expect("a brand id")).collect(),
        limit: args.limit,
        begun: AtomicUsize::new(0),
    });
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
    let end = queries.begun.load(Ordering::Relaxed) + requests;
    let tasks: Vec<_> = (0..tasks).map(|_| tokio::spawn(until(Arc::clone(queries), end))).collect();
    let mut all = Vec::new();
    for task in tasks {
        all.append(&mut task.await.expect("a task that ends"));
    }
    queries.begun.store(end, Ordering::Relaxed);
    all
}

/// Takes the next brand again and again until so many queries were begun.
async fn until(queries: Arc<Queries>, end: usize) -> Vec<u32> {
    let mut micros = Vec::new();
    loop {
        let number = queries.begun.fetch_add(1, Ordering::Relaxed);
        if number >= end {
            return micros;
        }
        let started = Instant::now();
        let brand = &queries.brands[number % queries.brands.len()];
        let page =
            queries.records.posts(brand, &PostFilter::default(), None, queries.limit).await.expect("a page");
        assert_eq!(page.items.len(), queries.limit as usize, "every brand has enough posts");
        micros.push(u32::try_from(started.elapsed().as_micros()).unwrap_or(u32::MAX));
    }
}
