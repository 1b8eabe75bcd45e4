//! What the query of `list_posts` gets through the store alone, without HTTP, key and tool: a page of each brand in
//! turn, asked for by as many tasks as the load generator has connections.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use clap::Parser;
use contestants::{brand_name, location, percentile};
use serde_json::json;
use svc_mcp_access::{BrandId, Entropy};
use svc_mcp_store::{Store, ToolRecords};
use svc_mcp_tools::{Records, posts::PostFilter};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
struct Args {
    /// postgres://… or the path of a SQLite file
    #[arg(long)]
    database: String,
    #[arg(long)]
    brands: usize,
    #[arg(long)]
    limit: u32,
    #[arg(long)]
    tasks: usize,
    /// So many queries, behind a warm-up of as many
    #[arg(long)]
    requests: usize,
}

#[tokio::main]
async fn main() {
    let args = Args::parse();
    let store = Store::open(&location(&args.database), None).await.expect("a store");
    let entropy = Entropy::new(|_| unreachable!("reading needs no randomness"));
    let records: Arc<dyn Records> = Arc::new(ToolRecords { store, entropy });
    let brands: Arc<[BrandId]> =
        (0..args.brands).map(|brand| brand_name(brand).parse().expect("a brand id")).collect();
    // Connections are opened, statements prepared and pages read before the clock starts.
    run(&records, &brands, &args).await;
    let (started, spent) = (Instant::now(), cpu_seconds());
    let mut micros = run(&records, &brands, &args).await;
    let (seconds, spent) = (started.elapsed().as_secs_f64(), cpu_seconds() - spent);
    micros.sort_unstable();
    let (p50, p99) = (percentile(&micros, 0.5), percentile(&micros, 0.99));
    println!(
        "{}",
        json!({"requests": micros.len(), "seconds": seconds, "p50_us": p50, "p99_us": p99, "cpu_seconds": spent})
    );
}

/// What this process has used so far, in user and kernel.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let (_, behind_name) = stat.rsplit_once(") ").expect("a name in brackets");
    let ticks = behind_name.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<f64>().expect("ticks"));
    ticks.sum::<f64>() / 100.0
}

/// Gives how long each query took, in microseconds.
async fn run(records: &Arc<dyn Records>, brands: &Arc<[BrandId]>, args: &Args) -> Vec<u32> {
    let next = Arc::new(AtomicUsize::new(0));
    let (requests, limit) = (args.requests, args.limit);
    let tasks: Vec<_> = (0..args.tasks)
        .map(|_| {
            let (records, brands, next) = (Arc::clone(records), Arc::clone(brands), Arc::clone(&next));
            tokio::spawn(async move {
                let mut micros = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= requests {
                        return micros;
                    }
                    let started = Instant::now();
                    let brand = &brands[number % brands.len()];
                    let page =
                        records.posts(brand, &PostFilter::default(), None, limit).await.expect("a page");
                    assert_eq!(page.items.len(), limit as usize, "every brand has enough posts");
                    micros.push(u32::try_from(started.elapsed().as_micros()).unwrap_or(u32::MAX));
                }
            })
        })
        .collect();
    let mut all = Vec::new();
    for task in tasks {
        all.append(&mut task.await.expect("a task that ends"));
    }
    all
}
