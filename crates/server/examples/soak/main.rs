//! A soak test: mixed load on three instances behind a load balancer, and a fault every few seconds.
//!
//! `cargo run -p svc-mcp --example soak -- 5` runs for five minutes (after `cargo build -p svc-mcp`). It fails if an
//! acknowledged write is lost or doubled, if a request is admitted that should be refused, if no fault explains an
//! error, or if memory grows.

#![expect(clippy::print_stdout, reason = "the summary is printed for the user")]

mod faults;
mod load;
mod notes;
mod verdict;

use std::{
    env,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{SeedableRng, rngs::StdRng};
use svc_mcp_testkit::cluster::{Cluster, ClusterOptions};
use tokio::{sync::RwLock, task::JoinSet};

use crate::{load::Load, notes::Notes};

#[tokio::main(worker_threads = 2)]
async fn main() -> ExitCode {
    let minutes = env::args().nth(1).unwrap_or_else(|| "5".into());
    let Ok(minutes) = minutes.parse::<f64>() else {
        println!("usage: soak [MINUTES]");
        return ExitCode::from(2);
    };
    let duration = Duration::from_secs_f64(minutes * 60.0);
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let options = ClusterOptions {
        own_postgres: true,
        proxies: true,
        balancer: true,
        arguments: &["--drain-delay", "2", "--job-lease", "3"],
        ..ClusterOptions::default()
    };
    let cluster = Cluster::start(options).await;
    let notes = Arc::new(Notes::default());
    let load = Load::start(&cluster, &notes, &mut random).await;
    let cluster = Arc::new(RwLock::new(cluster));
    let mut watchers = JoinSet::new();
    watchers.spawn(notes::watch(Arc::clone(&cluster), Arc::clone(&notes)));
    let started = Instant::now();
    println!("running for {minutes} minutes");
    // Without Redis each instance has its own rate limit. The first part has no faults of Redis, so that the shared limit is
    // tested together with the other faults.
    faults::inject(&cluster, &notes, started + duration.mul_f64(0.4), false, &mut random).await;
    notes.start_redis_faults();
    faults::inject(&cluster, &notes, started + duration, true, &mut random).await;
    println!("no more faults; waiting for the requests in flight");
    let result = load.stop().await;
    watchers.shutdown().await;
    let cluster = cluster.read().await;
    let verdict = verdict::evaluate(&cluster, &notes, result, started.elapsed()).await;
    println!("{verdict}");
    if verdict.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
